"""Kernels that colour the pixels of a frame: textures, light, shadows and glow.

A surface of colour c shows c * (glow + (1 - glow) * light), light = ambient + (1 - ambient) *
max(cosine between its normal and the lamp, 0); in shadow only the ambient light is left.
"""

from __future__ import annotations

import math

import numpy as np

from rsi_envs.core.kernels import kernel
from rsi_envs.engines.render.lighting import lambert_in_row, shadow_in_row
from rsi_envs.engines.render.lines import line_of, point_at
from rsi_envs.engines.render.scene import BOX, PLANE, TOP_ONLY
from rsi_envs.engines.render.shapes import box_normal


@kernel
def shade(scene, placed, k, depth, segmentation, rgb, shadows):
    """Colour rgb from the depth and the geom numbers, and replace these by the idents."""
    height, width = depth.shape
    light = np.empty(width)
    sky = (int(scene.sky[0] + 0.5), int(scene.sky[1] + 0.5), int(scene.sky[2] + 0.5))
    for v in range(height):
        left = 0
        while left < width:
            g = segmentation[v, left]
            right = left + 1
            while right < width and segmentation[v, right] == g:
                right += 1
            run = rgb[v, left:right]
            if g < 0:
                _fill(run, sky)
            else:
                columns = (left + 0.5 - k[2], 1.0 / k[0])
                row = depth[v, left:right]
                _light(scene, placed, k, g, v, columns, row, light)
                if shadows:
                    _shadow(scene, placed, k, g, v, columns, row, light)
                _colour(scene, g, light, run)
                if scene.texture[g] >= 0 and (scene.kind[g] == BOX or scene.kind[g] == PLANE):
                    _texture(scene, placed, k, g, v, columns, row, run)
                segmentation[v, left:right] = scene.ident[g]
            left = right


@kernel
def _fill(rgb, colour):
    for i in range(len(rgb)):
        rgb[i, 0], rgb[i, 1], rgb[i, 2] = colour


@kernel
def _terms(scene, placed, k, g, v):
    """Return (half, line, lamp) of geom g for pixel row v, as `lighting` takes them."""
    half = (placed.half[g, 0], placed.half[g, 1], placed.half[g, 2])
    lamp = (placed.lamp[g, 0], placed.lamp[g, 1], placed.lamp[g, 2], scene.lamp[3])
    return half, line_of(placed.ray, placed.origin, k, g, v), lamp


@kernel
def _light(scene, placed, k, g, v, columns, depth, light):
    """Write the light that a row of pixels of geom g gets from the lamp."""
    half, line, lamp = _terms(scene, placed, k, g, v)
    lambert_in_row(scene.kind[g], half, placed.inside[g], line, columns, lamp, depth, light)


@kernel
def _shadow(scene, placed, k, own, v, columns, depth, light):
    """Take the light where any other geom stands before the lamp."""
    for g in range(scene.used[0]):
        if g != own:
            half, line, lamp = _terms(scene, placed, k, g, v)
            shadow_in_row(scene.kind[g], half, line, columns, lamp, depth, light)


@kernel
def _colour(scene, g, light, rgb):
    """Colour a row of pixels that show geom g in some light from the lamp."""
    red, green, blue = scene.colour[g, 0], scene.colour[g, 1], scene.colour[g, 2]
    glow, ambient = scene.glow[g], scene.ambient[0]
    bare, shaded = glow + (1.0 - glow) * ambient, (1.0 - glow) * (1.0 - ambient)
    for i in range(len(rgb)):
        shown = bare + shaded * light[i]
        rgb[i, 0] = int(red * shown + 0.5)
        rgb[i, 1] = int(green * shown + 0.5)
        rgb[i, 2] = int(blue * shown + 0.5)


@kernel
def _texture(scene, placed, k, g, v, columns, depth, rgb):
    """Multiply a row of pixels by the texture of their box or plane."""
    half, line, _ = _terms(scene, placed, k, g, v)
    texture, tile, side = scene.texture[g], scene.tile[g], scene.atlas.shape[1]
    atlas, is_box = scene.atlas, scene.kind[g] == BOX
    for i in range(len(depth)):
        p = point_at(line, columns, i, depth[i])
        normal = box_normal(half, p) if is_box else (0.0, 0.0, 1.0)
        if tile == TOP_ONLY and normal[2] <= 0.0:
            continue
        row, column = _texel(half, p, normal, tile, side)
        for c in range(3):
            shown = int(rgb[i, c]) * int(atlas[texture, row, column, c])
            rgb[i, c] = (shown + 127) // 255


@kernel
def _texel(half, p, normal, tile, side):
    """Return (row, column) of the texel at a point p of a face with a normal.

    Seen from outside, up is +z on the four sides and +y on top and bottom.
    """
    if normal[2] != 0.0:
        right, down, wide, high = normal[2] * p[0], -p[1], half[0], half[1]
    elif normal[0] != 0.0:
        right, down, wide, high = normal[0] * p[1], -p[2], half[1], half[2]
    else:
        right, down, wide, high = -normal[1] * p[0], -p[2], half[0], half[2]
    if tile > 0.0:
        right, down = right / tile, down / tile
        right, down = right - math.floor(right), down - math.floor(down)
    else:
        right, down = (right / wide + 1.0) * 0.5, (down / high + 1.0) * 0.5
    last = side - 1.0
    return int(min(max(down * side, 0.0), last)), int(min(max(right * side, 0.0), last))
