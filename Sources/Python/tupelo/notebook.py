"""Pictures for notebooks: a board, and a game that plays itself. They are SVG and need no other library.

import tupelo.notebook as show

show.board("0123000000000000")
show.play(tupelo.Model("models/medium"), seed=1, moves=200).animate()
"""

from __future__ import annotations

from typing import Any

from . import _drawing
from ._animation import Animation
from .boards import exponents, one
from .record import Record, play

__all__ = ["Animation", "Picture", "Record", "board", "play"]


class Picture:
    """An SVG that a notebook shows."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg


def board(position: Any, shape: tuple[int, int] | None = None) -> Picture:
    """A board as a picture.

    Args:
        position: exponents (rows, columns), or another form of `tupelo.boards`
        shape: rows and columns of a text or a packed board, by default (4, 4)

    Raises:
        TypeError, ValueError: `position` is not a board.
    """
    given = one(position, shape, "position")
    return Picture(_drawing.svg(exponents(given.bits, given.high, given.shape)[0]))
