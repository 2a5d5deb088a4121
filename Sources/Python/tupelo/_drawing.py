"""Boards as text, as an array of pixels, and as SVG. Boards are exponents here: uint8 of shape (rows, columns)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

#: Background of each tile by exponent, 1 to 17, as on the page of `tupelo serve`.
TILES = (
    "#cdc1b3",
    "#eee4da",
    "#ede0c8",
    "#f2b179",
    "#f59563",
    "#f67c5f",
    "#f65e3b",
    "#edcf72",
    "#edcc61",
    "#edc850",
    "#edc53f",
    "#edc22e",
    "#66802f",
    "#3b7a4b",
    "#1f7672",
    "#2a6a9e",
    "#4f53ab",
    "#4a2552",
)
BOARD = "#b9ab9a"
DARK_INK, LIGHT_INK, GOLD_INK = "#3b2c1e", "#fdf8ef", "#ffd875"
CELL, GAP = 60, 8

# Digits of 3x5 pixels, a row in three bits.
_DIGITS = (
    (7, 5, 5, 5, 7),
    (2, 6, 2, 2, 7),
    (7, 1, 7, 4, 7),
    (7, 1, 7, 1, 7),
    (5, 5, 7, 1, 1),
    (7, 4, 7, 1, 7),
    (7, 4, 7, 5, 7),
    (7, 1, 2, 2, 2),
    (7, 5, 7, 5, 7),
    (7, 5, 7, 1, 7),
)


def tile(exponent: int) -> int:
    """The value of a tile: 0 for an empty cell."""
    return 0 if exponent == 0 else 1 << exponent


def ink(exponent: int) -> str:
    """The colour of a tile's number."""
    return GOLD_INK if exponent == 17 else LIGHT_INK if exponent > 11 else DARK_INK


def text(exponents: np.ndarray) -> str:
    """A drawing in plain text, one line per row, framed, as `tupelo play` prints it."""
    rule = "+" + "------+" * exponents.shape[1]
    rows = ["|" + "".join(f"{tile(int(e)) or '':>6}|" for e in row) for row in exponents]
    return "\n".join([rule, *rows, rule])


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _tile_pixels(exponent: int) -> np.ndarray:
    pixels = np.empty((CELL, CELL, 3), np.uint8)
    pixels[:] = _rgb(TILES[exponent])
    digits = str(tile(exponent)) if exponent else ""
    if digits:
        scale = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 2}[len(digits)]
        bits = np.zeros((5, 4 * len(digits) - 1), bool)
        for place, digit in enumerate(digits):
            for row, line in enumerate(_DIGITS[int(digit)]):
                for column in range(3):
                    bits[row, 4 * place + column] = line >> (2 - column) & 1
        shape = bits.repeat(scale, 0).repeat(scale, 1)
        top, left = (CELL - shape.shape[0]) // 2, (CELL - shape.shape[1]) // 2
        pixels[top : top + shape.shape[0], left : left + shape.shape[1]][shape] = _rgb(ink(exponent))
    return pixels


_sprites: list[np.ndarray] = []


def pixels(exponents: np.ndarray) -> np.ndarray:
    """A picture as uint8 of shape (height, width, 3); 280x280 for a board of 4x4."""
    if not _sprites:
        _sprites.extend(_tile_pixels(e) for e in range(18))
    rows, columns = exponents.shape
    step = CELL + GAP
    picture = np.empty((rows * step + GAP, columns * step + GAP, 3), np.uint8)
    picture[:] = _rgb(BOARD)
    for row in range(rows):
        for column in range(columns):
            top, left = GAP + row * step, GAP + column * step
            picture[top : top + CELL, left : left + CELL] = _sprites[int(exponents[row, column])]
    return picture


def frame(shape: Sequence[int], content: str, below: int = 0, label: str = "a board of 2048") -> str:
    """An SVG of an empty board with `content` on it. `below` is the height for text under it, in pixels."""
    rows, columns = shape
    step = CELL + GAP
    width, height = columns * step + GAP, rows * step + GAP
    cells = "".join(
        f'<rect x="{GAP + c * step}" y="{GAP + r * step}" width="{CELL}" height="{CELL}" rx="5" fill="{TILES[0]}"/>'
        for r in range(rows)
        for c in range(columns)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" width="{width}" '
        f'height="{height + below}" viewBox="0 0 {width} {height + below}" text-anchor="middle" '
        f'font-family="system-ui, sans-serif" font-weight="700">'
        f'<rect width="{width}" height="{height}" rx="10" fill="{BOARD}"/>{cells}{content}</svg>'
    )


def svg_tile(exponent: int, row: float = 0, column: float = 0) -> str:
    """A tile at a place of the board, as SVG."""
    number = str(tile(exponent))
    size = {1: 30, 2: 28, 3: 24, 4: 20, 5: 16, 6: 14}[len(number)]
    x, y = GAP + column * (CELL + GAP), GAP + row * (CELL + GAP)
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" rx="5" fill="{TILES[exponent]}"/>'
        f'<text x="{x + CELL / 2:g}" y="{y + CELL / 2 + size * 0.36:g}" font-size="{size}" fill="{ink(exponent)}">'
        f"{number}</text>"
    )


def svg(exponents: np.ndarray, caption: str = "") -> str:
    """A board as SVG, with one line of text below it if `caption` is not empty."""
    rows, columns = exponents.shape
    tiles = "".join(
        svg_tile(int(exponents[r, c]), r, c) for r in range(rows) for c in range(columns) if exponents[r, c]
    )
    return frame(exponents.shape, tiles + caption_text(exponents.shape, caption), 24 if caption else 0)


def caption_text(shape: Sequence[int], caption: str, extra: str = "") -> str:
    """A line of text below a board of this shape, in the colour of the text around it."""
    if not caption:
        return ""
    rows, columns = shape
    x, y = GAP, rows * (CELL + GAP) + GAP + 18
    text = escape(caption)
    return f'<text x="{x}" y="{y}" text-anchor="start" font-size="14" fill="currentColor"{extra}>{text}</text>'
