"""Comparison of settings over seeds."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _library as library
from ._checks import entries
from ._folders import groups_of, score_of
from .report import Report


class Comparison(Sequence[dict[str, Any]]):
    """A table of groups of runs: a sequence of rows with equal keys, which `pandas.DataFrame` takes.

    A row has "group", "baseline", "runs", "score_mean", "score_margin_95", "score_sd", "iqm", "iqm_low_95",
    "iqm_high_95", "difference", "difference_margin_95", "smallest_difference", "probability_of_improvement",
    "probability_low_95", "probability_high_95" and "verdict", as `tupelo compare --csv` has. A number that is not known
    is None.

    Attributes:
        bootstrap: the resamples and the seed of the bootstrap intervals
    """

    def __init__(self, rows: list[dict[str, Any]], bootstrap: dict[str, int]) -> None:
        self._rows, self.bootstrap = rows, bootstrap

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __repr__(self) -> str:
        cells = [["group", "runs", "mean", "IQM", "difference", "better", "verdict"]] + [
            [
                row["group"], str(row["runs"]), _margin(row["score_mean"], row["score_margin_95"]),
                f"{row['iqm']:,.0f}",
                "" if row["difference"] is None else _margin(row["difference"], row["difference_margin_95"], "+"),
                "" if row["difference"] is None else f"{row['probability_of_improvement']:.1%}",
                "baseline" if row["verdict"] is None else row["verdict"],
            ]
            for row in self
        ]  # fmt: skip
        widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
        return "\n".join(
            "  ".join(cell.rjust(width) if column else cell.ljust(width) for column, (cell, width) in enumerate(line))
            for line in (zip(each, widths, strict=True) for each in cells)
        )


def _margin(mean: float, margin: float | None, sign: str = "") -> str:
    return f"{mean:{sign},.0f}" + ("" if margin is None else f" ± {margin:,.0f}")


#: The columns of a group, and of its difference to the baseline.
_SAMPLE = ("score_mean", "score_margin_95", "score_sd", "iqm", "iqm_low_95", "iqm_high_95")
_DIFFERENCE = (
    "difference", "difference_margin_95", "smallest_difference", "probability_of_improvement", "probability_low_95",
    "probability_high_95", "verdict",
)  # fmt: skip


@overload
def compare(groups: Mapping[str, Any], *, baseline: str | None = None) -> Comparison: ...
@overload
def compare(
    groups: str | os.PathLike[str], *more: str | os.PathLike[str], baseline: str | None = None
) -> Comparison: ...
def compare(
    groups: Mapping[str, Any] | str | os.PathLike[str], *more: str | os.PathLike[str], baseline: str | None = None
) -> Comparison:
    """Compares settings by their runs, one for each seed: `compare("runs")`, or `compare("runs/a", "runs/b")`.

    A run is one number, however many games measured it. The verdict is by Welch's t on the means; with fewer than five
    runs of a group, it is "too few seeds". `tupelo compare` does this for run folders, also at equal games and at equal
    time of training: `pandas.read_csv` takes its `--csv`.

    Args:
        groups, more: folders, each of a sweep, of a run with its evaluation.json, or of such runs; or a dictionary with
            the score or the scores of each group. A score is a number, a `Report`, or the folder of a run. The runs of
            a sweep are grouped by variant. Other runs of one folder, or named one by one, are a group if their settings
            differ only in the seed and in keys that do not change how they learn, so `own.learner` must be equal. The
            group has the name of their configuration, or the path of its first run if there is only one run, or if
            another group has that name
        baseline: the group that the others are compared with, by default the first one

    Returns:
        A `Comparison`, one row for each group, the baseline first.

    Raises:
        TypeError: `groups` or a score has another type.
        ValueError: a group is empty, a score is not finite, a file is damaged, or `baseline` is not a group.
        FileNotFoundError: a folder is missing, or has no finished run.
    """
    scores: dict[str, list[float]] = {}
    found = groups_of([groups, *more]) if more or isinstance(groups, (str, os.PathLike)) else _named(groups)
    for name, runs in found.items():
        one = isinstance(runs, (Report, str, os.PathLike, int, float))
        scores[name] = [_score(run, name) for run in ([runs] if one else entries(runs, f"groups[{name!r}]"))]
        if not scores[name]:
            raise ValueError(f"groups[{name!r}] has no runs: give the scores of its runs")
    if not scores:
        raise ValueError("groups is empty: give the scores of each group by its name")
    if baseline is not None:
        if baseline not in scores:
            raise ValueError(f"baseline is {baseline!r}: give one of {', '.join(map(repr, scores))}")
        scores = {baseline: scores[baseline], **scores}
    sizes = np.array([len(group) for group in scores.values()], np.int64)
    values = np.array([score for group in scores.values() for score in group], np.float64)
    table = json.loads(library.text("compare", len(sizes), library.address(sizes), library.address(values)))
    first = next(iter(scores))
    rows = [
        {
            "group": name, "baseline": first, "runs": len(scores[name]),
            **{key: sample.get(key) for key in _SAMPLE}, **{key: difference.get(key) for key in _DIFFERENCE},
        }
        for name, sample, difference in zip(scores, table["samples"], [{}, *table["differences"]], strict=True)
    ]  # fmt: skip
    return Comparison(rows, table["bootstrap"])


def _named(groups: Any) -> Mapping[str, Any]:
    if not isinstance(groups, Mapping):
        raise TypeError(f"groups is {groups!r}: give the scores of each group by its name, or folders one by one")
    for name in groups:
        if not isinstance(name, str):
            raise TypeError(f"groups has the name {name!r}: give texts as names")
    return groups


def _score(run: Any, name: str) -> float:
    """The score of a run."""
    if isinstance(run, Report):
        return run.score_mean
    if isinstance(run, (str, os.PathLike)):
        return score_of(Path(run))
    try:
        score = float(run)
    except TypeError:
        raise TypeError(f"groups[{name!r}] has {run!r}: give numbers, reports or folders of runs") from None
    if not np.isfinite(score):
        raise ValueError(f"groups[{name!r}] has {score}: give finite scores")
    return score

