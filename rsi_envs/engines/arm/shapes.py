"""What stands on the bench: things made of primitive shapes, and how the scene looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = {"box": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3}

Vector = tuple[float, ...]


@dataclass(frozen=True)
class Shape:
    """One primitive of a thing.

    Attributes:
        kind: box, sphere, capsule, cylinder or ellipsoid.
        size: as MuJoCo's, metres: half sizes; radius and half length along z.
        position, quaternion: of the shape in its thing, metres and (w, x, y, z).
        colour: 0 to 255 each.
        texture: name of what is drawn on a box, e.g. "7", or None.
        friction: against sliding.
    """

    kind: str
    size: Vector
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Vector = (1.0, 0.0, 0.0, 0.0)
    colour: Vector = (200.0, 200.0, 200.0)
    texture: str | None = None
    friction: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no shape {self.kind!r}; shapes: {', '.join(KINDS)}")
        if len(self.size) != KINDS[self.kind] or min(self.size) <= 0:
            wanted = f"{KINDS[self.kind]} positive numbers"
            raise ValueError(f"the size of a {self.kind} is {wanted}, not {self.size!r}")


@dataclass(frozen=True)
class Thing:
    """A rigid body of shapes at a pose on the bench; with a mass (kg) it can be moved."""

    name: str
    shapes: tuple[Shape, ...]
    position: Vector
    quaternion: Vector = (1.0, 0.0, 0.0, 0.0)
    mass: float | None = None


@dataclass(frozen=True)
class Look:
    """What randomised variants change: nothing of it changes the physics.

    Attributes:
        table: the table's colour, 0 to 255 each.
        table_texture: name of a texture of the table, or None.
        light: direction towards the lamp.
        camera: what the head camera is off by: x, y, z in metres and roll, pitch, yaw in degrees.
    """

    table: Vector = (176.0, 158.0, 134.0)
    table_texture: str | None = None
    light: Vector = (0.3, -0.4, 0.85)
    camera: Vector = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Look:
        """Return the look that an instance's data describes.

        Raises:
            ValueError: an unknown name or a wrong number of values; the message lists the names.
        """
        counts = {"table": 3, "table_texture": None, "light": 3, "camera": 6}
        for name, value in data.items():
            if name not in counts:
                raise ValueError(f"a look has {', '.join(counts)}, not {name!r}")
            if counts[name] is not None and len(value) != counts[name]:
                raise ValueError(f"{name} of a look has {counts[name]} numbers, not {value!r}")
        return cls(**data)
