"""Statistics over seeds beside an independent calculation by numpy: of the library, and of `tupelo sweep` and `tupelo
compare` from the command to the verdict."""

import csv
import io
import json
import re
import subprocess

import numpy as np
import pytest
import tupelo
from tupelo import _folders

RESAMPLES = 10_000


def interquartile_mean(scores):
    """The mean without the lowest and the highest quarter, along the last axis."""
    scores = np.sort(scores, axis=-1)
    cut = scores.shape[-1] // 4
    return scores[..., cut : scores.shape[-1] - cut].mean(axis=-1)


def probability(first, second):
    """The share of pairs in which the second one is higher; equal ones count one half."""
    higher = second[..., :, None] > first[..., None, :]
    equal = second[..., :, None] == first[..., None, :]
    return (higher + 0.5 * equal).mean(axis=(-1, -2))


def resampled(rng, scores):
    scores = np.asarray(scores, float)
    return scores[rng.integers(0, len(scores), (RESAMPLES, len(scores)))]


def check_sample(found, scores, rng):
    """A group beside numpy. The percentiles of two bootstraps differ by chance: a tenth of the width is many times
    their standard error."""
    assert found["score_mean"] == pytest.approx(np.mean(scores))
    assert found["score_sd"] == pytest.approx(np.std(scores, ddof=1))
    assert found["iqm"] == pytest.approx(interquartile_mean(np.array(scores)))
    low, high = np.percentile(interquartile_mean(resampled(rng, scores)), [2.5, 97.5])
    near = pytest.approx((low, high), abs=0.1 * (high - low))
    assert (found["iqm_low_95"], found["iqm_high_95"]) == near


def check_difference(found, first, second, rng):
    """A difference beside numpy. Returns the bootstrap interval of the difference of the means."""
    assert found["difference"] == pytest.approx(np.mean(second) - np.mean(first))
    assert found["probability_of_improvement"] == pytest.approx(probability(np.array(first), np.array(second)))
    one, two = resampled(rng, first), resampled(rng, second)
    low, high = np.percentile(probability(one, two), [2.5, 97.5])
    found_interval = (found["probability_low_95"], found["probability_high_95"])
    assert found_interval == pytest.approx((low, high), abs=0.1 * (high - low) + 1 / (2 * len(first) * len(second)))
    return np.percentile(two.mean(axis=1) - one.mean(axis=1), [2.5, 97.5])


def verdict(low, high):
    return "higher" if low > 0 else "lower" if high < 0 else "undecided"


def test_the_library_beside_numpy(rng):
    groups = {"a": rng.normal(1000, 50, 12), "b": rng.normal(1200, 90, 9), "c": rng.normal(1000, 50, 30)}
    table = tupelo.compare(groups)
    assert table.bootstrap == {"resamples": RESAMPLES, "seed": 1} and [row["group"] for row in table] == ["a", "b", "c"]
    for row in table:
        check_sample(row, groups[row["group"]], rng)
    for row in table[1:]:
        low, high = check_difference(row, groups["a"], groups[row["group"]], rng)
        assert row["verdict"] == verdict(low, high), row
    # The order of the scores and other groups make no difference, bit for bit.
    again = tupelo.compare({"c": groups["c"][::-1], "a": groups["a"]}, baseline="a")
    assert list(again) == [table[0], table[2]]
    assert "higher" in repr(table) and len(repr(table).splitlines()) == 4


def test_few_runs_have_no_verdict():
    row = tupelo.compare({"a": [1, 2, 3, 2], "b": [101, 102, 103, 102, 101, 103]})[1]
    assert row["verdict"] == "too few seeds" and row["probability_low_95"] is None and row["iqm_low_95"] is not None
    one = tupelo.compare({"a": [1], "b": [2]})
    assert one[0]["score_margin_95"] is None and one[1]["difference"] == 1 and "± " not in repr(one)


def test_reports_and_folders_are_scores(tmp_path):
    report = tupelo.evaluate("random", 5, threads=1)
    (tmp_path / "evaluation.json").write_text(json.dumps({"score_mean": 7.5}))
    table = tupelo.compare({"a": [report, 3], "b": [tmp_path, str(tmp_path)], "c": tmp_path, "d": report, "e": 2})
    assert [row["score_mean"] for row in table] == [(report.score_mean + 3) / 2, 7.5, 7.5, report.score_mean, 2]


def runs(folder, names, settings=None, scores=None):
    """The folders of runs by their names, each with a seed and a score of its own."""
    for number, name in enumerate(names):
        with tupelo.Run(folder / name, settings or {}, seed=number + 1) as run:
            run.log(1, 100)
        score = number if scores is None else scores[number]
        (folder / name / "evaluation.json").write_text(json.dumps({"score_mean": score}))


def test_folders_of_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs(tmp_path / "runs", ["a", "b"], scores=[100, 200])
    (tmp_path / "runs/unfinished").mkdir()
    expected = [("runs/a", 1, 100), ("runs/b", 1, 200)]
    for table in (
        tupelo.compare("runs"), tupelo.compare("runs/a", "runs/b"),
        tupelo.compare("runs/b", "runs/a", baseline="runs/a"),
    ):  # fmt: skip
        assert [(row["group"], row["runs"], row["score_mean"]) for row in table] == expected
    assert table[1]["difference"] == 100


def test_runs_over_seeds_are_a_group(tmp_path, monkeypatch):
    """In one folder, and named one by one. The seed and the folder differ."""
    monkeypatch.chdir(tmp_path)
    for name, games in (("x", [10, 11, 12, 13, 14]), ("y", [20, 21, 22, 23, 24])):
        runs(tmp_path / "runs", [f"{name}{seed}" for seed in range(5)], {"name": name, "own.learner": name}, games)
    given = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "runs").iterdir())
    for table in (tupelo.compare("runs"), tupelo.compare(*given)):
        assert [(row["group"], row["runs"], row["score_mean"]) for row in table] == [("x", 5, 12), ("y", 5, 22)]
        assert table[1]["verdict"] == "higher"
    # Runs of two folders are never in one group. A name that two groups have is replaced by a path.
    runs(tmp_path / "more", ["x8", "x9"], {"name": "x", "own.learner": "x"})
    found = [(row["group"], row["runs"]) for row in tupelo.compare("runs", "more")]
    assert found == [("runs/x0", 5), ("y", 5), ("more/x8", 2)]
    # Two runs with one seed are not a sample over seeds.
    runs(tmp_path / "twice", ["a"], {"own.learner": "x"})
    runs(tmp_path / "twice", ["b"], {"own.learner": "x"})
    assert [row["group"] for row in tupelo.compare("twice")] == ["twice/a", "twice/b"]


@pytest.mark.parametrize(
    ("folders", "error", "text"),
    [
        (["runs/a", 5], TypeError, "^5 is not the path of a folder: give folders alone"),
        ([{"a": [1]}, "runs/a"], TypeError, "give folders alone, or a dictionary alone"),
        (["runs/a", "runs/c"], FileNotFoundError, "^runs/c: no such folder: give the folder of a run"),
        (["runs/a", "empty"], FileNotFoundError, "^empty: no finished run: give the folder of a run"),
        (["damaged"], ValueError, "^damaged/evaluation.json: damaged: .*: give the folder of another run$"),
    ],
)
def test_wrong_folders(folders, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs(tmp_path / "runs", ["a"])
    (tmp_path / "empty").mkdir(), (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged/evaluation.json").write_text("{}")
    with pytest.raises(error, match=text):
        tupelo.compare(*folders)


@pytest.mark.parametrize(
    ("groups", "error", "text"),
    [
        ([1, 2], TypeError, "by its name"),
        ({}, ValueError, "empty"),
        ({"a": []}, ValueError, "has no runs"),
        (["runs/a", "runs/b"], TypeError, "folders one by one"),
        ({"a": [None]}, TypeError, "give numbers"),
        ({"a": [float("nan")]}, ValueError, "finite"),
        ({"a": [1e300]}, ValueError, "finite score"),
        ({1: [2]}, TypeError, "texts as names"),
        ({"a": "no/such/folder"}, FileNotFoundError, "no such folder: give the folder of a run with evaluation.json"),
        ("no/such/folder", FileNotFoundError, "no such folder: give the folder of a run with evaluation.json"),
    ],
)
def test_wrong_groups(groups, error, text):
    with pytest.raises(error, match=text):
        tupelo.compare(groups)
    with pytest.raises(ValueError, match="give one of 'a', 'b'"):
        tupelo.compare({"a": [1], "b": [2]}, baseline="c")


def test_the_same_keys_are_free_as_in_the_program(repository):
    """Runs of a group may differ in the keys that `PlotRun.free` lists, by the names of their constants."""
    program = (repository / "Sources/Program/TupeloReports/Plot/PlotRun.swift").read_text(encoding="utf-8")
    (names,) = re.findall(r"static let free.*?\[ConfigurationKey\] = \[(.*?)\]", program, flags=re.S)
    files = (repository / "Sources/Train/TupeloConfiguration").glob("ConfigurationKey+*.swift")
    keys = "".join(file.read_text(encoding="utf-8") for file in files)
    constants = dict(re.findall(r"static let (\w+) = Key<.*?>\(\s*\"([a-z_.0-9]+)\"", keys))
    assert _folders._FREE == {constants[name.strip(" .\n")] for name in names.split(",")}


def test_pandas_takes_the_table():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(tupelo.compare({"a": [1, 2], "b": [3, 4]}))
    assert list(table["group"]) == ["a", "b"] and table["difference"][1] == 2


@pytest.fixture(scope="module")
def sweep(program, tmp_path_factory):
    """12 seeds of two settings on a tiny board: one learns, the other one hardly does."""
    folder = tmp_path_factory.mktemp("sweep") / "out"
    settings = ["rules.rows=2", "rules.columns=3", "network.patterns=012 345", "training.threads=1"]
    settings += ["evaluation.games=50", "evaluation.every_games=20", "evaluation.interim_games=20"]
    command = [program, "sweep", "--vary", "learner.alpha=0.000001,1", "--seeds", "1-12", "--games", "300"]
    result = subprocess.run(
        [*command, *[word for setting in settings for word in ("--set", setting)], "--output", folder],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    # Times that do not depend on what else the machine does. Each run takes another time for a game.
    for number, file in enumerate(sorted(folder.glob("*/metrics.jsonl"))):
        records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        lines = [json.dumps(record | {"seconds": record["games"] * (1 + 0.01 * number)}) for record in records]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder, result.stdout


def compared(program, *arguments):
    result = subprocess.run([program, "compare", *arguments], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_verdict_of_a_sweep_beside_numpy(program, sweep, rng):
    folder, printed = sweep
    document = json.loads(compared(program, folder, "--json"))
    assert document["bootstrap"] == {"resamples": RESAMPLES, "seed": 1}
    assert json.loads(compared(program, folder, "--json")) == document
    kinds = [measure["kind"] for measure in document["measures"]]
    assert kinds == ["evaluation", "seconds"]
    for measure in document["measures"]:
        first, second = measure["groups"]
        assert first["seeds"] == second["seeds"] == list(range(1, 13))
        for group in measure["groups"]:
            check_sample(group, group["scores"], rng)
        (difference,) = measure["differences"]
        low, high = check_difference(difference, first["scores"], second["scores"], rng)
        assert difference["verdict"] == verdict(low, high)
    # The scores are those in the folders of the runs.
    for group, runs in zip(document["measures"][0]["groups"], document["groups"], strict=True):
        for run, score in zip(runs["runs"], group["scores"], strict=True):
            with open(f"{run['path']}/evaluation.json", encoding="utf-8") as file:
                assert json.load(file)["score_mean"] == score
    assert document["measures"][0]["differences"][0]["verdict"] == "higher"
    assert "\nbest: run__alpha=1\n" in printed
    # The table in Python is the one of the program.
    table = tupelo.compare(folder)
    rows = list(csv.DictReader(io.StringIO(compared(program, folder, "--csv"))))
    for row, found in zip(rows[:2], table, strict=True):
        assert row["group"] == found["group"] and row["verdict"] == (found["verdict"] or "")
        for key in ("score_mean", "iqm_low_95", "difference_margin_95", "probability_high_95"):
            assert (float(row[key]) if row[key] else None) == found[key], key


def test_equal_time_beside_numpy(program, sweep):
    """The scores at equal time are `numpy.interp` of the evaluations in metrics.jsonl."""
    folder, _ = sweep
    document = json.loads(compared(program, folder, "--json"))
    (measure,) = [measure for measure in document["measures"] if measure["kind"] == "seconds"]
    ends = []
    for group, runs in zip(measure["groups"], document["groups"], strict=True):
        for run, score in zip(runs["runs"], group["scores"], strict=True):
            with open(f"{run['path']}/metrics.jsonl", encoding="utf-8") as file:
                records = [json.loads(line) for line in file]
            points = {}
            for record in records:
                for tag in ("eval/score_mean", "final/score_mean"):
                    if tag in record:
                        points[record["games"]] = (record["seconds"], record[tag])
            seconds, scores = np.array(list(points.values())).T
            ends.append(seconds[-1])
            assert score == pytest.approx(np.interp(measure["at_seconds"], seconds, scores))
    assert measure["at_seconds"] == min(ends)
