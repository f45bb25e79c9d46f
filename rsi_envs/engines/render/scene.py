"""Scenes of primitives as plain arrays, and the checked way to build one in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rsi_envs.engines.render.camera import Floats, Vector, floats, proper

PLANE, BOX, SPHERE, CAPSULE, CYLINDER, ELLIPSOID = range(6)
KINDS = {
    "plane": PLANE, "box": BOX, "sphere": SPHERE, "capsule": CAPSULE, "cylinder": CYLINDER,
    "ellipsoid": ELLIPSOID,
}  # fmt: skip
SIZES = {"plane": 2, "box": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3}
AMBIENT = 0.35
LAMP = (0.3, -0.4, 0.85)
SKY = (186.0, 214.0, 234.0)
TOP_ONLY = -1.0  # a tile


class Scene(NamedTuple):
    """Geoms, textures and light, all arrays; kernels take it as it is and may fill it.

    Only the first `used[0]` of the n geoms exist. `build` makes a scene with checks, kernels make
    theirs with `filling.new_scene` and `filling.put`.

    Attributes:
        used: int64 (1,).
        kind: int64 (n,): PLANE, BOX, SPHERE, CAPSULE, CYLINDER or ELLIPSOID.
        half: float64 (n, 3), metres: half sizes of box and ellipsoid; radius of a sphere; radius
            and half length of the straight part, along z, of capsule and cylinder; half sizes of
            a plane, 0 for an infinite one. The rest is not read. As MuJoCo's `size`.
        position: float64 (n, 3), metres, of the middle.
        rotation: float64 (n, 3, 3), world from geom.
        colour: float64 (n, 3), 0 to 255.
        texture: int64 (n,), number in the atlas, -1 for none; boxes and planes have textures.
        tile: float64 (n,), metres that one copy of the texture covers; 0: one copy for each face;
            TOP_ONLY: one copy on the +z face, the others have none.
        glow: float64 (n,), share of its own light, 0 to 1; at 1 no shading is seen.
        ident: int64 (n,), what stands in the segmentation.
        atlas: uint8 (k, S, S, 3), textures; a texel multiplies the geom's colour.
        lamp: float64 (4,): a direction towards the light and 0, or its place and 1.
        ambient: float64 (1,), share of light that comes from everywhere, 0 to 1.
        sky: float64 (3,), colour where nothing is, 0 to 255.
    """

    used: NDArray[np.int64]
    kind: NDArray[np.int64]
    half: Floats
    position: Floats
    rotation: Floats
    colour: Floats
    texture: NDArray[np.int64]
    tile: Floats
    glow: Floats
    ident: NDArray[np.int64]
    atlas: NDArray[np.uint8]
    lamp: Floats
    ambient: Floats
    sky: Floats


@dataclass(frozen=True)
class Geom:
    """One geom for `build`; the fields mean what those of `Scene` mean.

    `kind` is a name in KINDS; `size` has as many numbers as SIZES says; `ident` is the geom's
    place in the scene if None.
    """

    kind: str
    size: Vector
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    colour: Vector = (200.0, 200.0, 200.0)
    texture: int = -1
    tile: float = 0.0
    glow: float = 0.0
    ident: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no geom kind {self.kind!r}; kinds: {', '.join(KINDS)}")
        size = floats(f"size of a {self.kind}", self.size, (SIZES[self.kind],))
        if size.min() < 0 or (size.min() == 0 and self.kind != "plane"):
            raise ValueError(f"sizes of a {self.kind} must be positive, not {self.size!r}")
        floats("position", self.position, (3,))
        proper("rotation", self.rotation)
        _within("colour", floats("colour", self.colour, (3,)), 255)
        _within("glow", floats("glow", self.glow, ()), 1)
        if not (self.tile >= 0 or self.tile == TOP_ONLY):
            raise ValueError(f"tile must be metres >= 0 or TOP_ONLY, not {self.tile!r}")
        if self.texture >= 0 and self.kind not in ("box", "plane"):
            raise ValueError(f"boxes and planes have textures, a {self.kind} has none")
        if self.texture >= 0 and size.min() == 0 and self.tile <= 0:
            raise ValueError("the texture of an infinite plane needs a tile > 0")


NO_ATLAS = np.zeros((0, 1, 1, 3), np.uint8)


def build(
    geoms: Sequence[Geom],
    atlas: NDArray[np.uint8] = NO_ATLAS,
    lamp: Vector = (*LAMP, 0.0),
    ambient: float = AMBIENT,
    sky: Vector = SKY,
) -> Scene:
    """Return the scene of some geoms; a ValueError names the first part that makes no sense.

    `lamp` is (x, y, z, 0) towards a distant light or (x, y, z, 1), the place of a near one.
    """
    if not isinstance(atlas, np.ndarray) or atlas.dtype != np.uint8 or atlas.ndim != 4:
        raise ValueError("the atlas must be a uint8 array (textures, S, S, 3)")
    if atlas.shape[1] != atlas.shape[2] or atlas.shape[1] == 0 or atlas.shape[3] != 3:
        raise ValueError(f"the atlas must have shape (textures, S, S, 3), not {atlas.shape}")
    for number, geom in enumerate(geoms):
        if not -1 <= geom.texture < len(atlas):
            known = f"-1 to {len(atlas) - 1}"
            raise ValueError(f"geom {number} has texture {geom.texture}; the atlas has {known}")
    light = floats("lamp", lamp, (4,))
    if light[3] not in (0, 1) or (light[3] == 0 and not light[:3].any()):
        raise ValueError(f"lamp must be a direction and 0 or a place and 1, not {lamp!r}")
    each = [np.zeros(3) for _ in geoms]
    for half, geom in zip(each, geoms, strict=True):
        half[: len(geom.size)] = geom.size
    idents = [number if g.ident is None else g.ident for number, g in enumerate(geoms)]
    return Scene(
        np.array([len(geoms)]),
        np.array([KINDS[g.kind] for g in geoms], np.int64),
        np.array(each).reshape(-1, 3),
        np.array([g.position for g in geoms], np.float64).reshape(-1, 3),
        np.array([g.rotation for g in geoms], np.float64).reshape(-1, 3, 3),
        np.array([g.colour for g in geoms], np.float64).reshape(-1, 3),
        np.array([g.texture for g in geoms], np.int64),
        np.array([g.tile for g in geoms], np.float64),
        np.array([g.glow for g in geoms], np.float64),
        np.array(idents, np.int64),
        np.ascontiguousarray(atlas),
        light,
        _within("ambient", floats("ambient", ambient, ()), 1).reshape(1),
        _within("sky", floats("sky", sky, (3,)), 255),
    )


def _within(name: str, values: Floats, most: int) -> Floats:
    if values.min() < 0 or values.max() > most:
        raise ValueError(f"{name} must be between 0 and {most}, not {values}")
    return values
