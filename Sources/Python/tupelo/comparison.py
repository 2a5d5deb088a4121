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


def compare(groups: Mapping[str, Any] | str | os.PathLike[str], *, baseline: str | None = None) -> Comparison:
    """Compares settings by their runs, one for each seed.

    A run is one number, however many games measured it. The verdict is by Welch's t on the means; with fewer than five
    runs of a group, it is "too few seeds". `tupelo compare` does this for run folders, also at equal games and at equal
    time of training: `pandas.read_csv` takes its `--csv`.

    Args:
        groups: the scores of each group by its name, or the folder of a sweep, whose finished runs are compared by
            variant. A score is a number, a `Report`, or the folder of a run with its evaluation.json
        baseline: the group that the others are compared with, by default the first one

    Returns:
        A `Comparison`, one row for each group, the baseline first.

    Raises:
        TypeError: `groups` or a score has another type.
        ValueError: a group is empty, a score is not finite, or `baseline` is not a group.
        FileNotFoundError: there is no such file.
    """
    scores: dict[str, list[float]] = {}
    for name, runs in (_sweep(Path(groups)) if isinstance(groups, (str, os.PathLike)) else _named(groups)).items():
        scores[name] = [_score(run, name) for run in entries(runs, f"groups[{name!r}]")]
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
    text = library.text("compare", len(sizes), library.address(sizes), library.address(values))
    found = json.loads(text)
    first = next(iter(scores))
    rows = [
        {
            "group": name, "baseline": first, "runs": len(scores[name]),
            **{key: sample.get(key) for key in _SAMPLE}, **{key: difference.get(key) for key in _DIFFERENCE},
        }
        for name, sample, difference in zip(scores, found["samples"], [{}, *found["differences"]], strict=True)
    ]  # fmt: skip
    return Comparison(rows, found["bootstrap"])


def _named(groups: Any) -> Mapping[str, Any]:
    if not isinstance(groups, Mapping):
        raise TypeError(f"groups is {groups!r}: give the scores of each group by its name, or the folder of a sweep")
    for name in groups:
        if not isinstance(name, str):
            raise TypeError(f"groups has the name {name!r}: give texts as names")
    return groups


def _score(run: Any, name: str) -> float:
    """The score of a run."""
    if isinstance(run, Report):
        return run.score_mean
    if isinstance(run, (str, os.PathLike)):
        return float(json.loads((Path(run) / "evaluation.json").read_text(encoding="utf-8"))["score_mean"])
    try:
        score = float(run)
    except TypeError:
        raise TypeError(f"groups[{name!r}] has {run!r}: give numbers, reports or folders of runs") from None
    if not np.isfinite(score):
        raise ValueError(f"groups[{name!r}] has {score}: give finite scores")
    return score


def _sweep(folder: Path) -> dict[str, list[float]]:
    """The scores of a sweep's finished runs, by the variants in the order of the plan."""
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    runs = [run for run in summary["runs"] if run["state"] == "finished"]
    scores = {
        variant["name"]: [run["score_mean"] for run in runs if run["variant"] == variant["name"]]
        for variant in summary["variants"]
    }
    return {name: group for name, group in scores.items() if group}
