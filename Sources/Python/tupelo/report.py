"""The report of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._checks import whole


class Report(Mapping[str, Any]):
    """The report of a model's games: a mapping with the keys of `tupelo evaluate --json`, and the results of each game.

    Attributes:
        scores: int64 (games,), score points, or Sets
        moves: int64 (games,)
        outcomes: int32 (games,), the largest tile; in Set the number of cards left over
    """

    def __init__(
        self, facts: dict[str, Any], scores: NDArray[np.int64], moves: NDArray[np.int64],
        outcomes: NDArray[np.int32],
    ) -> None:  # fmt: skip
        self._facts, self.scores, self.moves, self.outcomes = facts, scores, moves, outcomes

    def __getitem__(self, key: str) -> Any:
        return self._facts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    @property
    def score_mean(self) -> float:
        """The average score."""
        return float(self["score_mean"])

    @property
    def score_margin(self) -> float:
        """Half the width of the 95% confidence interval of the average; infinite for one game."""
        margin = self["score_margin_95"]
        return float("inf") if margin is None else float(margin)

    def difference(self, other: Report) -> tuple[float, float]:
        """The average score of this report minus that of another one, and half the width of the 95% confidence interval
        of this difference. Game k of both has the same random numbers, so the games are compared in pairs.

        Raises:
            TypeError: `other` is not a report.
            ValueError: the reports are not of the same games.
        """
        if not isinstance(other, Report):
            raise TypeError(f"other is {other!r}: give a Report")
        for key in ("game", "seed", "games", "board", "four_probability", "start_tiles"):
            if self.get(key) != other.get(key):
                found = f"{key} {other.get(key)!r}, and this report {self.get(key)!r}"
                raise ValueError(f"other has {found}: give a report of the same games")
        differences = (self.scores - other.scores).astype(np.float64)
        count, mean = len(differences), float(differences.mean())
        if count == 1:
            return mean, float("inf")
        # The quantile of Student's distribution is in the interval of either report, unless all its scores are equal.
        for report in (self, other):
            if spread := float(report.scores.std(ddof=1)):
                return mean, report.score_margin * float(differences.std(ddof=1)) / spread
        return mean, 0.0

    def rate(self, tile: int) -> float:
        """The share of games that reached a tile, 0 to 1; in Set, of games that left exactly `tile` cards."""
        tile = whole(tile, "tile", 0)
        reached = self.outcomes >= tile if "reach_rates" in self else self.outcomes == tile
        return float(reached.mean())

    def _rows(self) -> list[tuple[str, str]]:
        rows = [
            ("games", f"{self['games']:,}"),
            ("average score", f"{self.score_mean:,.0f} ± {self.score_margin:,.0f} (95%)"),
            ("median score", f"{self['score_median']:,.0f}"),
            ("best score", f"{self['score_max']:,}"),
            ("moves per game", f"{self['moves_mean']:,.0f}"),
        ]
        for key, name in (("reach_rates", ""), ("left_rates", " cards left")):
            rows += [(f"{outcome}{name}", f"{rate:.1%}") for outcome, rate in self.get(key, {}).items() if rate > 0]
        return rows

    def __repr__(self) -> str:
        return "\n".join(f"{name:<16}{value}" for name, value in self._rows())

    def _repr_html_(self) -> str:
        from html import escape

        cells = "".join(
            f'<tr><th style="text-align: left">{escape(name)}</th><td>{escape(value)}</td></tr>'
            for name, value in self._rows()
        )
        return f"<table>{cells}</table>"
