"""Training: bits equal to the program's, slices equal to one run, configuration, checkpoints."""

import json
import pickle
import subprocess
import threading

import numpy as np
import pytest
import tupelo
from conftest import linux, python

SMALL = {
    "network.patterns": "0123 4567",
    "training.games": 300,
    "training.threads": 1,
    "seed": 7,
}


def trained(*stretches, **settings):
    trainer = tupelo.Trainer({**SMALL, **settings})
    for games in stretches or (None,):
        for _ in trainer.run(games):
            pass
    return trainer


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {
            "learner.step_size": "temporal-coherence",
            "learner.alpha": 1.0,
            "learner.lambda": 0.5,
        },
        {"averaging.every_games": 50},
    ],
    ids=str,
)
def test_weights_are_those_of_the_program(program, tmp_path, settings):
    run = tmp_path / "run"
    overrides = [f"--set={key}={value}" for key, value in {**SMALL, **settings}.items()]
    subprocess.run(
        [program, "train", "--output", run, "--set=evaluation.games=0", *overrides],
        check=True,
        capture_output=True,
    )
    inspected = subprocess.run([program, "inspect", run, "--json"], check=True, capture_output=True, text=True)
    assert trained(**settings).model().identity == json.loads(inspected.stdout)["model"]


def test_stretches_are_one_run():
    trainer = tupelo.Trainer(SMALL)
    group = trainer.facts["group_games"]
    first = 100 - 100 % group
    assert trained(first, 300 - first).model().identity == trained().model().identity
    slices = trained().history
    assert slices["games"][-1] == 300 and (np.diff(slices["games"]) > 0).all()


def test_short_reports_change_nothing():
    trainer = tupelo.Trainer(SMALL)
    reports = list(trainer.run(seconds_per_report=0.001))
    assert trainer.model().identity == trained().model().identity
    assert reports[-1].games == 300 and len(reports) > 3
    assert trainer.moves == reports[-1].moves and sum(reports[-1].outcomes) <= 300


def test_leaving_the_loop_leaves_a_usable_trainer():
    trainer = tupelo.Trainer(SMALL)
    for progress in trainer.run(seconds_per_report=0.001):
        if progress.games >= 20:
            break
    assert 20 <= trainer.games < 300
    trainer.train(progress=False)
    assert trainer.games == 300


def test_checkpoints(tmp_path):
    whole = trained()
    part = trained(150)
    part.save(tmp_path / "checkpoint.safetensors")
    resumed = tupelo.Trainer.resume(tmp_path / "checkpoint.safetensors")
    assert resumed.games == 150
    resumed.train(progress=False)
    assert resumed.model().identity == whole.model().identity
    more = tupelo.Trainer.resume(tmp_path / "checkpoint.safetensors", games=160)
    more.train(progress=False)
    assert more.games == 160
    with pytest.raises(tupelo.ConfigurationError, match="seed"):
        tupelo.Trainer.resume(tmp_path / "checkpoint.safetensors", seed=9)
    assert tupelo.Model(tmp_path / "checkpoint.safetensors").identity == part.model().identity


def test_a_history_survives_a_resume(tmp_path):
    trainer = tupelo.Trainer(SMALL)
    list(trainer.run(150, seconds_per_report=0.001, evaluate_every=50, evaluation_games=3))
    trainer.save(tmp_path / "c.safetensors")
    resumed = tupelo.Trainer.resume(tmp_path / "c.safetensors")
    for name, array in trainer.history.items():
        assert len(array) > 1 and np.array_equal(resumed.history[name], array, equal_nan=array.dtype.kind == "f")
        assert resumed.history[name].dtype == array.dtype
    for (games, report), (other_games, other) in zip(trainer.evaluations, resumed.evaluations, strict=True):
        assert games == other_games and dict(report) == dict(other) and repr(report) == repr(other)
        assert np.array_equal(report.scores, other.scores) and np.array_equal(report.outcomes, other.outcomes)
    before = len(resumed.history["games"])
    resumed.train(progress=False)
    assert resumed.history["games"][before - 1] == 150 and resumed.history["games"][-1] == 300
    assert resumed.history["outcomes"].sum() == 300


def test_the_program_continues_a_checkpoint_with_a_history(program, tmp_path):
    trainer = trained(100)
    trainer.save(tmp_path / "checkpoint.safetensors")
    command = [program, "train", "--resume", tmp_path / "checkpoint.safetensors", "--set=evaluation.games=0"]
    subprocess.run([*command, "--output", tmp_path / "run"], check=True, capture_output=True)
    assert tupelo.Model(tmp_path / "run").identity == trained().model().identity


def test_a_damaged_history_is_named(tmp_path):
    trainer = trained(10)
    trainer.save(tmp_path / "c.safetensors")
    data = (tmp_path / "c.safetensors").read_bytes()
    for damage in (b'"rows"', b'"games"', b'"outcomes"'):
        (tmp_path / "d.safetensors").write_bytes(data.replace(damage, damage.upper()))
        with pytest.raises(tupelo.ModelError, match="d.safetensors: the history in it is damaged: resume from another"):
            tupelo.Trainer.resume(tmp_path / "d.safetensors")


def test_evaluations_of_the_configuration():
    settings = {"evaluation.every_games": 100, "evaluation.interim_games": 4, "evaluation.plies": 2}
    trainer = tupelo.Trainer({**SMALL, "training.games": 200, **settings})
    trainer.train(progress=False)
    assert [(games, report["games"]) for games, report in trainer.evaluations] == [(100, 4), (200, 4)]
    assert "plies: 2" in trainer.evaluations[0][1]["agent"]
    quiet = tupelo.Trainer({**SMALL, "training.games": 200, **settings})
    quiet.train(progress=False, evaluate_every=0)
    assert quiet.evaluations == [] and quiet.model().identity == trainer.model().identity


def test_history_and_progress():
    trainer = tupelo.Trainer({**SMALL, "training.games": 400})
    last = trainer.train(progress=False)
    history = trainer.history
    assert history["games"].dtype == np.int64 and history["score_mean"].dtype == np.float64
    assert last.games == 400 and last.moves > 1000 and last.score_max >= last.score_mean > 100
    assert last.rate(0) == 1 and last.rate(129) == last.rate(256)
    assert 0 <= last.rate(512) <= last.rate(128) <= 1 and "games=400" in str(last)
    assert "games=400" in trainer._repr_html_()
    assert history["outcomes"].shape == (len(history["games"]), 28) and history["outcomes"].dtype == np.int64
    assert history["outcomes"].sum() == 400 and tuple(history["outcomes"][-1]) == last.outcomes


def test_two_runs_that_are_made_before_they_are_used_train_one_after_the_other():
    trainer = tupelo.Trainer(SMALL)
    group = trainer.facts["group_games"]
    first, second = trainer.run(5 * group), trainer.run(5 * group)
    reports = list(first)
    assert reports[-1].games == trainer.games == 5 * group
    reports = list(second)
    assert reports[-1].games == trainer.games == 10 * group
    assert list(trainer.run(0)) == [] and trainer.train(0, progress=False) is None


def test_evaluations_during_training_change_nothing():
    trainer, seen = tupelo.Trainer(SMALL), []
    last = trainer.train(
        progress=False, callback=lambda own, progress: seen.append((own is trainer, progress)), evaluate_every=100,
        evaluation_games=5, evaluation_seed=3,
    )  # fmt: skip
    assert [games for games, _ in trainer.evaluations] == [100, 200, 300] and last.report is trainer.evaluations[-1][1]
    assert all(own for own, _ in seen) and [p.games for _, p in seen if p.report] == [100, 200, 300]
    assert trainer.model().identity == trained().model().identity
    for games, report in trainer.evaluations:
        assert np.array_equal(report.scores, trained(games).model().evaluate(5, seed=3).scores)
    assert "evaluation=" in str(last)
    # The games that choose a model do not measure it: the default seed is another one than that of `Model.evaluate`.
    usual = tupelo.Trainer(SMALL).train(progress=False, evaluate_every=100, evaluation_games=5).report
    model = trained(300).model()
    assert np.array_equal(usual.scores, model.evaluate(5, seed=1_001_000_003).scores)
    assert not np.array_equal(usual.scores, model.evaluate(5).scores)


def test_a_callback_ends_a_training():
    trainer = tupelo.Trainer({**SMALL, "training.games": 10**9})
    trainer.train(progress=False, callback=lambda own, progress: progress.games < 100, evaluate_every=20)
    assert trainer.games == 100


def test_evaluations_in_the_middle_of_a_group_are_refused():
    trainer = tupelo.Trainer({**SMALL, "training.games_at_once": 4})
    group = trainer.facts["group_games"]
    assert group > 1
    with pytest.raises(ValueError, match=f"^evaluate_every is {group + 1}: give a multiple of {group},"):
        trainer.run(evaluate_every=group + 1)


def test_names_of_configurations(repository):
    named = tupelo.Trainer("quickstart", games=5)
    assert named.config_yaml == tupelo.Trainer(repository / "configs/quickstart.yaml", games=5).config_yaml
    with pytest.raises(tupelo.ConfigurationError, match="^quickstrt: .*: did you mean quickstart[?] give .*4x6-tc,"):
        tupelo.Trainer("quickstrt")


def test_configurations(repository, tmp_path):
    quick = tupelo.Trainer(repository / "configs/quickstart.yaml", games=5)
    assert "4x5" in quick.facts["structure"] + quick.config_yaml or quick.facts["target"] == 5
    text = tupelo.Trainer("network: {layout: 4x5}\nlearner: {alpha: 0.5}", learner__alpha=0.25)
    nested = tupelo.Trainer({"network": {"layout": "4x5"}, "learner": {"alpha": 0.25}})
    flat = tupelo.Trainer({"network.layout": "4x5"}, overrides={"learner.alpha": 0.25})
    assert text.config_yaml == nested.config_yaml == flat.config_yaml
    assert "alpha: 0.25" in text.config_yaml
    plain = tupelo.Trainer({"network.patterns": "0123 4567"}).facts["structure"]
    assert tupelo.Trainer({"network.patterns": ["0123", "4567"]}).facts["structure"] == plain
    assert tupelo.Trainer(network__patterns=["0123", "4567"]).facts["structure"] == plain
    numbers = {"network.dense.hidden": [8], "training.games": "1k", "network.patterns": "0123"}
    for dense in (tupelo.Trainer(numbers), tupelo.Trainer(overrides=numbers)):
        assert "hidden: [8]" in dense.config_yaml and dense.facts["target"] == 1000


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ({"learner.alfa": 1}, "learner.alpha"),
        ("learner: {alfa: 1}", "learner.alpha"),
        ({"learner": {"alpha": "much"}}, "learner.alpha"),
        ({"network.layout": "9x9"}, "network.layout"),
        ("a: [1", "config"),
        ({"training.threads": 0}, "training.threads"),
    ],
)
def test_faults_of_a_configuration(config, text):
    with pytest.raises(tupelo.ConfigurationError, match=text):
        tupelo.Trainer(config)


def test_arguments_that_are_no_configuration(tmp_path):
    with pytest.raises(tupelo.ModelError, match="missing.yaml"):
        tupelo.Trainer(tmp_path / "missing.yaml")
    for config in (5, {3: 4}, {"seed": object()}, "a\0b"):
        with pytest.raises((TypeError, ValueError), match="give|zero character"):
            tupelo.Trainer(config)
    for arguments in ({"games": -1}, {"games": 1.5}, {"seconds_per_report": 0}, {"evaluate_every": -1}):
        with pytest.raises((TypeError, ValueError), match=f"^{next(iter(arguments))} is .*: give"):
            tupelo.Trainer(SMALL).run(**arguments)
    with pytest.raises(TypeError, match="checkpoint"):
        pickle.dumps(tupelo.Trainer(SMALL))


@linux
def test_a_run_that_does_not_fit_into_memory():
    code = """
import resource, tupelo
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    tupelo.Trainer({"network.layout": "8x6"})
except tupelo.OutOfMemoryError as error:
    assert isinstance(error, MemoryError)
    print("refused:", error)
"""
    assert python(code).startswith("refused:")


def test_a_diverging_run_is_an_error():
    trainer = tupelo.Trainer({**SMALL, "network.patterns": "0123", "learner.step_size": "constant", "learner.alpha": 1})
    with pytest.raises(tupelo.TrainingError, match="learner.alpha"):
        trainer.train(3000, progress=False)


def test_two_threads_on_one_trainer():
    """The later of the two calls gets BusyError; nothing crashes, and the trainer stays usable."""
    trainer = tupelo.Trainer({**SMALL, "training.games": 10**9})
    busy, finished = [], []
    stop = threading.Event()

    def use(call):
        while not stop.is_set():
            try:
                call()
                finished.append(call)
            except tupelo.BusyError as error:
                busy.append(error)

    calls = [lambda: next(trainer.run(seconds_per_report=0.05)), trainer.model]
    threads = [threading.Thread(target=use, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    while not (busy and set(finished) == set(calls)) and all(thread.is_alive() for thread in threads):
        threads[0].join(0.01)
    stop.set()
    for thread in threads:
        thread.join()
    assert busy and set(finished) == set(calls)
    assert isinstance(busy[0], RuntimeError) and "another thread" in str(busy[0])
    assert trainer.games > 0 and trainer.model().values(np.zeros((4, 4), int)).shape == ()


def test_progress_is_readable_while_another_thread_trains():
    """`games`, `moves` and `warnings` never raise BusyError and never go back. In the end they are exact."""
    trainer = tupelo.Trainer({**SMALL, "network.patterns": "0123", "training.games": 10**9})
    stop, seen, warnings = threading.Event(), [], trainer.facts["warnings"]

    def train():
        for _ in trainer.run(seconds_per_report=0.5):
            if stop.is_set():
                return

    thread = threading.Thread(target=train, daemon=True)
    thread.start()
    try:
        while thread.is_alive() and len(set(seen)) < 5:
            seen.append(trainer.games)
            assert trainer.moves >= 0 and trainer.warnings == warnings and "0123" in trainer.config_yaml
            thread.join(0.01)
    finally:
        stop.set()
        thread.join()
    assert len(set(seen)) >= 5 and seen == sorted(seen)
    assert (trainer.games, trainer.moves) == (trainer.facts["games"], trainer.facts["moves"])


def test_facts_that_do_not_change_are_read_once(monkeypatch):
    trainer = tupelo.Trainer({**SMALL, "training.games": 20})
    monkeypatch.setattr(tupelo.trainer.json, "loads", None)
    trainer.train(progress=False)
    assert trainer.games == 20 and trainer.moves > 0
    assert isinstance(trainer.warnings, list) and repr(trainer) and trainer.config_yaml
