"""Run folders of a learner in Python, read by independent readers: json of Python, a reader of event files in this
file, and the program where it is built."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tupelo
from conftest import PATIENCE, python

SETTINGS = {
    "name": "mine", "own.learner": "mine", "own.decay": 0.5, "network.patterns": "0123 4567", "learner.alpha": 0.25,
    "evaluation.games": 12, "evaluation.interim_games": 8, "evaluation.threads": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def model():
    trainer = tupelo.Trainer({"network.patterns": "0123 4567"}, games=100, threads=1)
    trainer.train(progress=False)
    return trainer.model()


def records(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def sessions(folder):
    return json.loads((folder / "meta.json").read_text())["sessions"]


def fields(data):
    """The fields of a protocol buffers message: number and value."""
    place = 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(key & 7) or varint()
        yield key >> 3, data[place : place + size]
        place += size


def crc(data):
    """The masked CRC-32C of TFRecord files, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def scalars(folder):
    """The scalars in the event files of a folder: (step, tag, value), in the order of TensorBoard."""
    found = []
    for path in sorted(folder.glob("events.out.tfevents.*")):
        data, place = path.read_bytes(), 0
        while place < len(data):
            (length,) = struct.unpack_from("<Q", data, place)
            event = data[place + 12 : place + 12 + length]
            assert struct.unpack_from("<I", data, place + 8)[0] == crc(data[place : place + 8])
            assert struct.unpack_from("<I", data, place + 12 + length)[0] == crc(event)
            place += length + 16
            content = dict(fields(event))
            for number, value in fields(content.get(5, b"")):
                parts = dict(fields(value)) if number == 1 else {}
                if 2 in parts:
                    found.append((content.get(2, 0), parts[1].decode(), struct.unpack("<f", parts[2])[0]))
    return found


def test_the_folder_has_what_was_logged(model, tmp_path):
    folder = tmp_path / "runs/mine"
    with tupelo.Run(folder, SETTINGS) as run:
        assert run.folder == folder and (run.games, run.moves, run.seconds) == (0, 0, 0.0)
        run.log(100, 9000, {"rollout/score_mean": np.float32(800.5), "loss": 0.1}, seconds=2)
        interim = run.evaluate(model, interim=True)
        run.log(300, 29_000, {"own/loss": np.array(0.05)}, seconds=4)
        run.save(model)
        report = run.evaluate(model)
        assert (run.games, run.moves, run.seconds) == (300, 29_000, 4.0) and "300 games" in repr(run)
        assert "decay: 0.5" in run.config_yaml and run.warnings == []
    first, second, third, last = records(folder)
    assert first["rollout/score_mean"] == 800.5 and first["own/loss"] == 0.1 and first["rollout/moves_mean"] == 90
    assert (third["rollout/moves_mean"], third["time/moves_per_second"], third["own/loss"]) == (100, 10_000, 0.05)
    assert second["eval/score_mean"] == interim.score_mean == interim.scores.mean() and second["eval/games"] == 8
    assert last["final/score_mean"] == report.score_mean == report.scores.mean() and last["games"] == 300
    # The games are those of `Model.evaluate`.
    assert np.array_equal(report.scores, model.evaluate(12, threads=1).scores)
    written = json.loads((folder / "evaluation.json").read_text())
    for key in ("score_mean", "score_margin_95", "agent", "seed", "games", "model", "network_fingerprint"):
        assert written[key] == report[key], key
    assert tupelo.Model(folder).identity == model.identity
    (session,) = sessions(folder)
    assert session["arguments"] == sys.argv and session["learner"] == "mine" and session["ending"] == "finished"
    assert (folder / "game-best.txt").is_file()
    # TensorBoard gets the same numbers, as float.
    expected = [
        (record["games"], tag, np.float32(value))
        for record in records(folder)
        for tag, value in record.items()
        if "/" in tag
    ]
    assert scalars(folder) == expected


def test_the_program_shows_it_beside_its_own(model, program, tmp_path):
    with tupelo.Run(tmp_path / "mine", SETTINGS) as run:
        run.log(100, 9000, {"rollout/score_mean": 800})
        run.save(model)
        report = run.evaluate(model)

    def tupelo_says(*words):
        result = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, result.stderr
        return result.stdout

    settings = ["network.patterns=0123 4567", "evaluation.games=12", "evaluation.threads=1", "training.threads=1"]
    given = [word for setting in settings for word in ("--set", setting)]
    tupelo_says("train", "--games", "100", *given, "--output", "ours")
    listed = {Path(run["path"]).name: run for run in json.loads(tupelo_says("runs", ".", "--json"))["runs"]}
    assert listed.keys() == {"mine", "ours"} and listed["mine"]["games"] == 100
    assert listed["mine"]["score"]["score_mean"] == report.score_mean
    assert "own.decay" in tupelo_says("runs", ".", "--csv", "--all-keys").splitlines()[0]
    assert "own.learner" in tupelo_says("compare", "mine", "ours")
    tupelo_says("plot", "mine", "ours", "--output", "curve.svg")
    assert "mine" in (tmp_path / "curve.svg").read_text()
    assert json.loads(tupelo_says("evaluate", "mine", "--games", "12", "--json"))["score_mean"] == report.score_mean
    refused = subprocess.run([program, "train", "--resume", tmp_path / "mine"], capture_output=True, text=True)
    assert refused.returncode != 0 and "a run of the learner mine" in refused.stderr


def test_a_run_is_resumed_after_its_last_record(model, tmp_path):
    first = tupelo.Run(tmp_path / "run", SETTINGS)
    first.log(100, 9000, seconds=2)
    first.evaluate(model)
    with pytest.raises(tupelo.ModelError, match="another training is at work there"):
        tupelo.Run(tmp_path / "run", resume=True)
    first.end(interrupted=True)
    first.end()
    with pytest.raises(ValueError, match="the run has ended: open it again with resume=True"):
        first.log(200, 20_000)
    with pytest.raises(tupelo.ModelError, match="already holds a run: pass resume=True, or name another folder$"):
        tupelo.Run(tmp_path / "run", SETTINGS)
    with pytest.raises(tupelo.ModelError, match="a run of the learner mine"):
        tupelo.Run(tmp_path / "run", {**SETTINGS, "own.learner": "yours"}, resume=True)
    with tupelo.Run(tmp_path / "run", resume=True) as run:
        assert (run.games, run.moves, run.seconds) == (100, 9000, 2.0) and "decay: 0.5" in run.config_yaml
        run.log(150, 14_000)
        assert 2 <= run.seconds < 2 + PATIENCE
    with tupelo.Run(tmp_path / "run", {**SETTINGS, "own.decay": 0.25}, resume=True) as run:
        assert run.games == 150
    assert [record["games"] for record in records(tmp_path / "run")] == [100, 100, 150]
    assert [session["ending"] for session in sessions(tmp_path / "run")] == ["interrupted", "finished", "finished"]
    assert [session["games"] for session in sessions(tmp_path / "run")] == [0, 100, 150]
    # The evaluation was that of an earlier model, and the earlier settings are kept.
    assert not (tmp_path / "run/evaluation.json").exists() and (tmp_path / "run/config-2.yaml").is_file()


def test_an_exception_leaves_the_run_without_an_ending(tmp_path):
    for number, (error, ending) in enumerate([(KeyboardInterrupt, "interrupted"), (ZeroDivisionError, None)]):
        folder = tmp_path / str(number)
        with pytest.raises(error), tupelo.Run(folder, SETTINGS) as run:
            run.log(1, 100)
            raise error
        assert sessions(folder)[0].get("ending") == ending and len(records(folder)) == 1
        tupelo.Run(folder, resume=True).end()  # The folder is free again.


def test_a_killed_process_can_be_resumed(tmp_path):
    code = """
import os, sys, tupelo
run = tupelo.Run(sys.argv[1], {"own.learner": "mine"})
for games in range(1, 50):
    run.log(games, 100 * games, {"loss": 1 / games})
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code, tmp_path / "run"], timeout=PATIENCE).returncode == -9
    with tupelo.Run(tmp_path / "run", resume=True) as run:
        assert run.games == 49
        run.log(50, 5000)
    assert [record["games"] for record in records(tmp_path / "run")] == list(range(1, 51))


def test_a_function_is_evaluated(tmp_path):
    def first_legal(exponents, masks):
        return masks.argmax(axis=1)

    with tupelo.Run(tmp_path / "run", SETTINGS) as run:
        run.log(10, 900)
        interim, report = run.evaluate(first_legal, interim=True), run.evaluate(first_legal)
        run.evaluate(lambda exponents, masks: masks.argmax(axis=1))
    assert np.array_equal(report.scores, tupelo.evaluate(first_legal, 12).scores)
    found = [record.get("eval/score_mean", record.get("final/score_mean")) for record in records(tmp_path / "run")]
    assert found == [None, interim.score_mean, report.score_mean, report.score_mean]
    written = json.loads((tmp_path / "run/evaluation.json").read_text())
    assert written["agent"] == "_lambda_" and written["score_mean"] == report.score_mean


@pytest.mark.parametrize(
    ("act", "error", "text"),
    [
        (lambda run: run.log(9, 1000), ValueError, r"games is 9: give a number from 10 to 2\^53"),
        (lambda run: run.log(10, 999), ValueError, "moves is 999: give a number from 1000"),
        (lambda run: run.log(10, 1000, seconds=1), ValueError, "seconds is 1: give a number from 2"),
        (lambda run: run.log(10.5, 1000), TypeError, "games is 10.5: give a whole number"),
        (lambda run: run.log(11, 1000, {"loss": float("nan")}), ValueError, "loss is nan: give a finite number"),
        (lambda run: run.log(11, 1000, {"loss": "low"}), TypeError, "loss is 'low': give a number"),
        (lambda run: run.log(11, 1000, {"eval/score": 1}), ValueError, "'eval/score' is not the tag of a metric"),
        (lambda run: run.log(11, 1000, {"my loss": 1}), ValueError, "'my loss' is not a name"),
        (lambda run: run.log(11, 1000, {3: 1}), TypeError, "give a text"),
        (lambda run: run.log(11, 1000, [1]), TypeError, "values is .* give a dictionary"),
        (lambda run: run.save("model"), TypeError, "give a tupelo.Model"),
        (lambda run: run.evaluate(5), TypeError, "player is 5"),
        (lambda run: run.evaluate("random", interim=1), TypeError, "interim is 1"),
    ],
)
def test_wrong_arguments(act, error, text, tmp_path):
    with tupelo.Run(tmp_path / "run", SETTINGS) as run:
        run.log(10, 1000, seconds=2)
        before = (tmp_path / "run/metrics.jsonl").read_text()
        with pytest.raises(error, match=text):
            act(run)
        assert (tmp_path / "run/metrics.jsonl").read_text() == before


def test_a_learner_has_the_name_of_the_folder(tmp_path, monkeypatch):
    """Unless a setting names it."""
    monkeypatch.chdir(tmp_path)
    for number, (arguments, settings, name) in enumerate([
        (("runs/my td",), {}, "my td"), (("1", {"own": {"decay": 0.5}}), {"seed": 3}, "1"),
        (("a", {"own": {"learner": "td"}}), {}, "td"), (("b",), {"overrides": {"own.learner": "td"}}, "td"),
        (("c", "own: {learner: td}"), {}, "td"),
    ]):  # fmt: skip
        with tupelo.Run(*arguments, **settings) as run:
            run.log(1, 100)
        with tupelo.Run(arguments[0], resume=True) as run:
            assert run.games == 1 and sessions(run.folder)[-1]["learner"] == name, number
    with pytest.raises(ValueError, match=r"own\.learner is not set: give it in the configuration"):
        tupelo.Run("d", "seed: 3")


def test_wrong_runs(tmp_path, model):
    with pytest.raises(tupelo.ConfigurationError, match="did you mean learner.alpha"):
        tupelo.Run(tmp_path / "a", {**SETTINGS, "learner.alfa": 1})
    with pytest.raises(tupelo.ModelError, match="holds no run of a learner of your own"):
        tupelo.Run(tmp_path / "a", SETTINGS, resume=True)
    with pytest.raises(tupelo.ConfigurationError, match=r"config\.yaml"):
        tupelo.Run(tmp_path / "a", resume=True)
    assert not (tmp_path / "a").exists()
    (tmp_path / "b").mkdir()
    (tmp_path / "b/config.yaml").write_text("mine: 1\n")
    with pytest.raises(tupelo.ModelError, match="would be lost"):
        tupelo.Run(tmp_path / "b", SETTINGS)
    assert os.listdir(tmp_path / "b") == ["config.yaml"]
    small = {"rules.rows": 3, "rules.columns": 3, "network.patterns": "012 345"}
    with (
        tupelo.Run(tmp_path / "c", {**small, "own.learner": "mine"}) as run,
        pytest.raises(ValueError, match="the model plays on 4x4, and the run on 3x3"),
    ):
        run.evaluate(model)
    with pytest.raises(TypeError, match="cannot be pickled"):
        run.__reduce__()


def test_one_thread_at_a_time(model, tmp_path):
    with tupelo.Run(tmp_path / "run", {**SETTINGS, "evaluation.games": 100_000}) as run:
        busy = []

        def see(games, total):
            if not busy:
                with pytest.raises(tupelo.BusyError):
                    run.log(1, 1)
                busy.append(games)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run.evaluate(model, progress=see)
        assert busy and records(tmp_path / "run") == []
        run.log(1, 100)


def test_the_module_is_loaded_at_its_first_use():
    assert python("import sys, tupelo; tupelo.Run; print('tupelo.run' in sys.modules)") == "True\n"
