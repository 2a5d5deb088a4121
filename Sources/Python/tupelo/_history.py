"""The progress of training runs, and its form in checkpoints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ._checks import whole
from ._errors import ModelError
from .report import Report


class Progress(NamedTuple):
    """The progress in a part of a training run. Scores and tiles count only games that began on a new board.

    Attributes:
        games: the games of the whole run so far
        moves: the moves of the whole run so far
        score_mean: score points, or Sets; NaN if no game of this part began on a new board
        score_max: the best score of this part
        td_error: the average of |TD error| over the moves of this part, in score points
        moves_per_second: the speed in this part
        seconds: the time of this part
        outcomes: the number of games by outcome: in 2048 by the exponent of the largest tile, 28 entries
        report: the evaluation of the model after this part; `None` if `run` has made none
    """

    games: int
    moves: int
    score_mean: float
    score_max: int
    td_error: float
    moves_per_second: float
    seconds: float
    outcomes: tuple[int, ...]
    report: Report | None = None

    def rate(self, tile: int) -> float:
        """The share of games of 2048 whose largest tile is at least `tile`, 0 to 1; NaN without games."""
        first = max(whole(tile, "tile", 0) - 1, 0).bit_length()
        played = sum(self.outcomes)
        return sum(self.outcomes[first:]) / played if played else float("nan")

    def __str__(self) -> str:
        measured = "" if self.report is None else f" evaluation={self.report.score_mean:.0f}"
        return (
            f"games={self.games} average={self.score_mean:.0f} max={self.score_max} td_error={self.td_error:.0f} "
            f"moves/s={self.moves_per_second:,.0f}{measured}"
        )


#: The numbers of a report of progress, and their types.
_NUMBERS = {
    "games": int, "moves": int, "score_mean": float, "score_max": int, "td_error": float, "moves_per_second": float,
    "seconds": float,
}  # fmt: skip


def encode(history: Sequence[Progress]) -> bytes:
    """A history as the bytes that a checkpoint contains."""
    rows = []
    for one in history:
        row: dict[str, Any] = {name: getattr(one, name) for name in _NUMBERS}
        row["outcomes"] = list(one.outcomes)
        if one.report is not None:
            results = {name: getattr(one.report, name).tolist() for name in ("scores", "moves", "outcomes")}
            row["report"] = {"facts": dict(one.report), **results}
        rows.append(row)
    return json.dumps({"tupelo.history": 1, "rows": rows}).encode()


def decode(data: bytes, path: str) -> list[Progress]:
    """The history of a checkpoint, which may come from elsewhere; empty where it has none.

    Raises:
        ModelError: the bytes are not a history.
    """
    if not data:
        return []
    try:
        return [_progress(row) for row in json.loads(data)["rows"]]
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ModelError(f"{path}: the history in it is damaged: resume from another checkpoint") from None


def _progress(row: dict[str, Any]) -> Progress:
    numbers: dict[str, Any] = {name: kind(row[name]) for name, kind in _NUMBERS.items()}
    outcomes = tuple(int(count) for count in row["outcomes"])
    if len(outcomes) != 28:
        raise ValueError
    report = None
    if "report" in row:
        given = row["report"]
        types = {"scores": np.int64, "moves": np.int64, "outcomes": np.int32}
        report = Report(dict(given["facts"]), *[np.array(given[name], kind) for name, kind in types.items()])
    return Progress(**numbers, outcomes=outcomes, report=report)
