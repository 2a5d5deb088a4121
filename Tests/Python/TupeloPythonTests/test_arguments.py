"""Wrong arguments of every public function raise a TypeError or a ValueError that says what to give."""

import inspect
import re
import threading
import warnings

import numpy as np
import pytest
import tupelo
from tupelo import notebook

pytest.importorskip("gymnasium")

#: Values of types and ranges that no argument of the package has.
WRONG = [
    5, -1, 1.5, 1 << 70, -(1 << 70), float("nan"), 1j, "x", b"x", "\ud800", "a\0b", object(), type, (), [], {}, [1, 2],
    [1.5], [None], {"a": 1}, {1: 1}, {1, 2}, np.float64(1.5), np.zeros((2, 2)), np.zeros(3, object), np.array(1),
    np.zeros((0, 4), np.int64), slice(3), lambda: 1, ((4,), (4,)), True,
]  # fmt: skip
ALLOWED = (TypeError, ValueError, tupelo.Error)
#: The form of errors of the package, not of Python or numpy.
SAYS = re.compile(": (give|use|keep|name|add|there are) |: rows and columns go from 2 to 4$|: they ")
#: Arguments that may be large, so that a valid number would take long.
LARGE = {"count", "num_envs", "plies", "games", "moves", "steps", "nodes", "seconds"}


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """Each public function with arguments that it accepts."""
    folder = tmp_path_factory.mktemp("arguments")
    trainer = tupelo.Trainer({"network.patterns": "0123", "training.games": 5, "training.threads": 1})
    trainer.train(progress=False)
    model, checkpoint = trainer.model(), folder / "checkpoint.safetensors"
    trainer.save(checkpoint)
    env, envs = tupelo.Game2048Env(), tupelo.Game2048VectorEnv(3)
    env.reset(seed=1)
    envs.reset(seed=1)
    record, report = tupelo.play(seed=1, moves=20), model.evaluate(games=2, threads=1)
    boards, state = np.zeros(2, np.uint64), env.get_state()
    grids, search = np.ones((2, 4, 4), np.uint8), {"board": "1" * 16, "plies": 1, "threads": 1, "four_probability": 0.1}
    rules = {"shape": (4, 4), "four_probability": 0.1, "start_tiles": 2}
    words = {"observation": "planes", "reward": "log2", "illegal": "ignore", "illegal_reward": 0.0, "render_mode": None}
    evaluation = {"evaluate_every": 5, "evaluation_games": 1, "evaluation_plies": 1, "evaluation_seed": 1}
    games = {**rules, **words, "max_episode_steps": 9}
    many = {"num_envs": 2, "autoreset_mode": "SameStep", "copy": True, "threads": 1, "buffers": {}}
    return [
        (tupelo.pack, {"boards": grids}),
        (tupelo.unpack, {"boards": boards, "shape": (4, 4)}),
        (tupelo.symmetries, {"boards": boards, "shape": (4, 4)}),
        (tupelo.successors, {"boards": boards, "shape": (4, 4)}),
        (tupelo.legal_moves, {"boards": boards, "shape": (4, 4)}),
        (tupelo.spawn, {"afterstates": boards, "random": 1, "shape": (4, 4), "four_probability": 0}),
        (tupelo.outcomes, {"afterstates": boards, "shape": (4, 4), "four_probability": 0.1}),
        (tupelo.search, {"boards": boards, "value": model, "plies": 1, "shape": (4, 4), "four_probability": 0.1}),
        (tupelo.search, {"boards": boards, "value": model.values, "plies": 1, "shape": (4, 4)}),
        (tupelo.tuple_indices, {"patterns": "01", "boards": boards, "shape": (4, 4)}),
        (tupelo.evaluate, {"player": model, "games": 1, "plies": 1, "seed": 1}),
        (tupelo.evaluate, {"player": "random", "games": 1, "seed": 1, "threads": 1, **rules}),
        (tupelo.evaluate, {"player": lambda board, masks: masks.argmax(axis=1), "games": 1, "seed": 1, **rules}),
        (tupelo.Model.from_tables, {"patterns": "01", "arrays": [np.zeros(256)], "shape": (4, 4), "stages": None}),
        (tupelo.play, {"player": "random", "seed": 1, "moves": 2, **rules}),
        (tupelo.Game2048Env, games),
        (tupelo.Game2048VectorEnv, {**games, **many}),
        (env.reset, {"seed": 1, "options": None}),
        (env.step, {"action": 1}),
        (env.set_state, {"state": state}),
        (env.set_board, {"board": "1" * 16, "score": 0}),
        (envs.reset, {"seed": 1, "options": None}),
        (envs.step, {"actions": [1, 2, 3]}),
        (envs.step_into, {"actions": [1, 2, 3]}),
        (envs.random_steps, {"steps": 1, "seed": 1}),
        (envs.set_states, {"states": [state], "games": [0]}),
        (envs.set_boards, {"boards": ["1" * 16], "games": [0], "score": 0}),
        (record.animate, {"first": 0, "moves": 2, "seconds_per_move": 0.1}),
        (report.rate, {"tile": 2048}),
        (tupelo.Progress(1, 1, 1.0, 1, 1.0, 1.0, 1.0, (1,) * 28).rate, {"tile": 2048}),
        (notebook.board, {"position": "1" * 16, "shape": (4, 4)}),
        (tupelo.Model, {"path": checkpoint}),
        (model.values, {"afterstates": boards}),
        (model.move_values, {"boards": boards}),
        (model.best_moves, {"boards": boards}),
        (model.search, {**search, "seconds": None, "nodes": None}),
        (model.search, {**search, "board": boards}),
        (model.evaluate, {"games": 1, "plies": 1, "seed": 1, "threads": 1, "start_tiles": 2, "progress": False}),
        (model.evaluate, {"games": 1, "agent": "greedy", "threads": 1}),
        (model.save, {"path": folder / "model.safetensors", "format": "compact", "step": 1.0, "drop": 0.0}),
        (tupelo.Trainer, {"config": {"network.patterns": "0123"}, "overrides": None}),
        (tupelo.Trainer.resume, {"path": checkpoint, "overrides": None, "allow_changes": False}),
        (trainer.run, {"games": 0, "seconds_per_report": 1.0, **evaluation}),
        (trainer.train, {"games": 0, "progress": False, "callback": None, **evaluation}),
        (tupelo.Model.from_bytes, {"data": model.to_bytes()}),
        (model.to_bytes, {"format": "compact", "step": 1.0, "drop": 0.0}),
        (trainer.save, {"path": folder / "copy.safetensors"}),
    ]


def test_every_wrong_argument_is_an_error_that_says_what_to_give(calls, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # Some values are the names of files.
    found = []
    for function, right in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(**right)
        for name in right:
            for value in WRONG:
                if name in ("player", "progress", "callback", "value") and callable(value):
                    continue  # A function of the caller: its errors are the caller's.
                if name in LARGE and isinstance(value, (int, np.integer)) and value > 2:
                    continue
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        # numpy before 1.25 warns where an array is compared with a text.
                        warnings.filterwarnings("ignore", "elementwise comparison|The truth value of an empty array")
                        result = function(**{**right, name: value})
                        if inspect.isgenerator(result):
                            result.close()
                except ALLOWED as error:
                    if type(error) in (TypeError, ValueError) and not SAYS.search(str(error)):
                        found.append(f"{function.__qualname__}({name}={value!r}): {error}")
                    elif not str(error):
                        found.append(f"{function.__qualname__}({name}={value!r}): no text")
                except Exception as error:
                    found.append(f"{function.__qualname__}({name}={value!r}): {type(error).__name__}: {error}")
    assert not found, "\n".join(found)


def test_a_refused_argument_is_named(calls):
    for function, name, value in (
        (tupelo.Game2048Env().reset, "seed", 1.5), (tupelo.Game2048VectorEnv(2).reset, "options", 5),
        (tupelo.Game2048VectorEnv(2).set_boards, "boards", 5), (tupelo.Game2048VectorEnv(2).set_states, "states", 5),
        (tupelo.play, "player", 5), (tupelo.Game2048VectorEnv(2).step, "actions", 5),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError), match=f"^{name} (is|has) .*: give "):
            function(**{name: value})


def test_a_search_refuses_boards_of_another_shape():
    trainer = tupelo.Trainer({"network.patterns": "0123"})
    model = trainer.model()
    for board in (np.ones((3, 3), int), np.zeros((4, 3), np.uint8), "1" * 9):
        with pytest.raises(ValueError, match="board"):
            model.search(board, plies=1)


def test_errors_have_the_words_of_python(tmp_path):
    trainer = tupelo.Trainer({"network.patterns": "0123", "training.games": 5, "training.threads": 1})
    trainer.save(tmp_path / "run.safetensors")
    with pytest.raises(tupelo.ConfigurationError, match="pass allow_changes=True$"):
        tupelo.Trainer.resume(tmp_path / "run.safetensors", seed=5)
    with pytest.raises(tupelo.ConfigurationError, match="^learner.alfa: "):
        tupelo.Trainer(learner__alfa=1)
    for use in (tupelo.Model, tupelo.Trainer.resume, trainer.save, trainer.model().save):
        with pytest.raises(ValueError, match="^path is '': give a path$"):
            use("")
    with pytest.raises(tupelo.ModelError, match="^configs/quickstart: not the path of a YAML file: give a path that"):
        tupelo.Trainer("configs/quickstart")


def test_a_busy_object_is_not_named_by_its_number():
    trainer = tupelo.Trainer({"network.patterns": "0123", "training.threads": 1})
    found = []

    def use():
        while not found:
            try:
                next(trainer.run(seconds_per_report=0.01))
            except tupelo.BusyError as error:
                found.append(str(error))

    threads = [threading.Thread(target=use) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0].startswith("this object is in use by another thread: ")
