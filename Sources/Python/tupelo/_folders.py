"""The runs in folders, grouped for a comparison as `tupelo compare` groups them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

#: Settings that do not change how a run learns.
_FREE = {
    "seed", "output.directory", "output.checkpoint_games", "evaluation.threads", "training.games", "training.minutes",
}  # fmt: skip
_EVALUATION, _SUMMARY, _CONFIGURATION = "evaluation.json", "summary.json", "config.yaml"


def groups_of(folders: list[Any]) -> dict[str, list[float]]:
    """The scores of the runs in folders, by the names of their groups.

    Raises:
        TypeError: something is not the path of a folder.
        FileNotFoundError: a folder is missing, or has no finished run.
        ValueError: a file in it is damaged.
    """
    groups: dict[str, list[float]] = {}
    runs: list[tuple[int, Path]] = []  # Each with the number of the folder that holds it, or -1.
    for number, path in enumerate(folders):
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"{path!r} is not the path of a folder: give folders alone, or a dictionary alone")
        folder = Path(path)
        if (folder / _SUMMARY).is_file():
            prefix = f"{folder}/" if len(folders) > 1 else ""
            groups.update({prefix + name: scores for name, scores in _sweep(folder).items()})
        elif (folder / _EVALUATION).is_file():
            runs.append((-1, folder))
        else:
            inner = sorted(file.parent for file in folder.glob("*/" + _EVALUATION))
            runs += [(number, run) for run in inner]
            if not inner:
                raise _missing(folder)
    alike: dict[Any, list[Path]] = {}
    for place, run in runs:
        alike.setdefault((place, *_settings(run)), []).append(run)
    samples = [sample for members in alike.values() for sample in _samples(members)]
    names = [_name(sample) for sample in samples]
    for sample, name in zip(samples, names, strict=True):
        own = len(sample) > 1 and names.count(name) == 1 and name not in groups
        groups[name if own else str(sample[0])] = [score_of(run) for run in sample]
    return groups


def score_of(folder: Path) -> float:
    """The average score in the evaluation of a run.

    Raises:
        FileNotFoundError: there is no evaluation.
        ValueError: the file is damaged.
    """
    if not (folder / _EVALUATION).is_file():
        raise _missing(folder)
    return float(_read(folder / _EVALUATION, "score_mean")[0])


def _missing(folder: Path) -> FileNotFoundError:
    what = "no finished run" if folder.is_dir() else "no such folder"
    return FileNotFoundError(
        f"{folder}: {what}: give the folder of a run with {_EVALUATION}, which the evaluation at its end writes, of "
        "such runs, or of a sweep"
    )


def _read(file: Path, *keys: str) -> list[Any]:
    """The values of keys in a JSON file."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return [document[key] for key in keys]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file}: damaged: {error!r}: give the folder of another run") from None


def _sweep(folder: Path) -> dict[str, list[float]]:
    """The scores of a sweep's finished runs, by the variants in the order of the plan."""
    variants, runs = _read(folder / _SUMMARY, "variants", "runs")
    scores: dict[str, list[float]] = {variant["name"]: [] for variant in variants}
    for run in runs:
        if run["state"] == "finished":
            scores[run["variant"]].append(run["score_mean"])
    return {name: group for name, group in scores.items() if group}


def _lines(run: Path) -> dict[str, str]:
    """The settings in the config.yaml that the library has written: a key, or a key in a section, in each line."""
    found, section = {}, ""
    for line in (run / _CONFIGURATION).read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key.startswith("  "):
            found[section + key.strip()] = value.strip()
        else:
            section = key + "."
            found[key] = value.strip()
    return found


def _settings(run: Path) -> tuple[tuple[str, str], ...]:
    """The settings of a run that change how it learns. A run without configuration is equal to no other run."""
    if not (run / _CONFIGURATION).is_file():
        return (("folder", str(run)),)
    return tuple((key, value) for key, value in _lines(run).items() if key not in _FREE)


def _samples(runs: list[Path]) -> list[list[Path]]:
    """Runs with equal settings as one sample over seeds, or each run alone if two of them have the same seed."""
    seeds = [_lines(run).get("seed") if (run / _CONFIGURATION).is_file() else None for run in runs]
    return [runs] if len(set(seeds)) == len(runs) else [[run] for run in runs]


def _name(sample: list[Path]) -> str:
    return _lines(sample[0]).get("name", "").strip('"') if len(sample) > 1 else str(sample[0])
