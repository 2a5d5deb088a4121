"""Pictures for notebooks: a board, a game that plays itself, a learning curve. They are SVG and need no other library.

import tupelo.notebook as show

show.board("0123000000000000")
show.play(tupelo.Model("models/medium"), seed=1, moves=200).animate()
show.learning_curve(trainer)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _drawing
from ._animation import Animation
from ._checks import floats, mapping, whole
from .boards import as_exponents
from .record import Record, play

__all__ = ["Animation", "Picture", "Record", "board", "learning_curve", "play"]


class Picture:
    """An SVG that a notebook shows."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg


def board(position: Any, shape: tuple[int, int] = (4, 4)) -> Picture:
    """A board as a picture.

    Args:
        position: exponents of shape (rows, columns), one digit per cell as text, or a board of 64 bits
        shape: rows and columns of a text or of bits; exponents have their own

    Raises:
        ValueError: `position` is not a board.
    """
    return Picture(_drawing.svg(as_exponents(position, shape)))


def learning_curve(history: Any, width: int = 560, height: int = 280) -> Picture:
    """Average score against training games.

    Args:
        history: a `Trainer`, its `history`, or a mapping with arrays `games` and `score_mean`
        width: in pixels, 100 to 100,000
        height: in pixels, 100 to 100,000

    Raises:
        ValueError: `history` has no such arrays, they differ in length, or a number is out of its range.
    """
    arrays = mapping(getattr(history, "history", history), "history")
    missing = {"games", "score_mean"} - set(arrays)
    if missing:
        raise ValueError(f"history has no {' and no '.join(sorted(missing))}: give both arrays")
    games, scores = floats(arrays["games"], "games"), floats(arrays["score_mean"], "score_mean")
    width, height = whole(width, "width", 100, 100_000), whole(height, "height", 100, 100_000)
    if games.shape != scores.shape or games.ndim != 1:
        raise ValueError(f"games and score_mean are of shapes {games.shape} and {scores.shape}: give two of one length")
    known = np.isfinite(scores)
    games, scores = games[known], scores[known]
    left, right, top, bottom = 64, 12, 12, 34
    last, best = (float(games.max()), float(scores.max())) if len(games) else (1.0, 1.0)
    x_ticks, y_ticks = _ticks(last), _ticks(best)
    x_end, y_end = max(last, x_ticks[-1]) or 1.0, max(best, y_ticks[-1]) or 1.0

    def x(value: float) -> float:
        return left + value / x_end * (width - left - right)

    def y(value: float) -> float:
        return height - bottom - value / y_end * (height - top - bottom)

    grid = "".join(
        f'<line x1="{left}" x2="{width - right}" y1="{y(v):.1f}" y2="{y(v):.1f}" stroke="currentColor" '
        f'stroke-opacity=".15"/><text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{_short(v)}</text>'
        for v in y_ticks
    ) + "".join(
        f'<text x="{x(v):.1f}" y="{height - bottom + 16}" text-anchor="middle">{_short(v)}</text>' for v in x_ticks
    )
    points = " ".join(f"{x(g):.1f},{y(s):.1f}" for g, s in zip(games, scores, strict=True))
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="learning curve" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="12" '
        f'fill="currentColor">{grid}<polyline points="{points}" fill="none" stroke="#2c8a68" stroke-width="2" '
        f'stroke-linejoin="round"/><text x="{(left + width - right) / 2:.0f}" y="{height - 6}" '
        f'text-anchor="middle">training games</text><text x="14" y="{(height - bottom) / 2:.0f}" '
        f'transform="rotate(-90 14 {(height - bottom) / 2:.0f})" text-anchor="middle">average score</text></svg>'
    )


def _ticks(end: float) -> list[float]:
    """Up to six round numbers from 0 that reach at least `end` x 5/6."""
    step = 10.0 ** np.floor(np.log10(max(end, 1.0)))
    for part in (0.2, 0.25, 0.5, 1.0, 2.0):
        if end / (step * part) <= 5.5:
            return [step * part * n for n in range(int(end / (step * part)) + 1)]
    return [0.0, end]


def _short(value: float) -> str:
    if value >= 1e6:
        return f"{value / 1e6:g}M"
    return f"{value / 1e3:g}k" if value >= 1e4 else f"{value:g}"
