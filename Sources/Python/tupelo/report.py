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
