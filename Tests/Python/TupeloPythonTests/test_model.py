"""Models: values compared with numpy tables that the article's code reads, search, and evaluation as in the program."""

import copy
import json
import os
import pickle
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import reference
import tupelo
from conftest import linux, python, random_boards


@pytest.fixture(scope="module")
def model():
    trainer = tupelo.Trainer(
        {
            "network.patterns": "0123 4567 0145",
            "training.games": 200,
            "training.threads": 1,
        }
    )
    trainer.train(progress=False)
    return trainer.model()


@pytest.fixture(scope="module")
def boards():
    rng = np.random.default_rng(5)
    return random_boards(rng, 300, largest=10)


def article(repository, path):
    """`value` of the article "Reading a model in Python": it reads model files without the package."""
    text = (repository / "Sources/Core/TupeloNetwork/TupeloNetwork.docc/ReadingInPython.md").read_text()
    names = {}
    code = text.split("```python\n")[1].split("```")[0]
    exec(code.replace('"model.safetensors"', repr(str(path))), names)
    return names["value"]


@pytest.mark.parametrize("format", ["f32", "f16", "compact"])
def test_values_are_those_of_the_file(model, boards, repository, tmp_path, format):
    pytest.importorskip("safetensors")
    path = tmp_path / "model.safetensors"
    model.save(path, format)
    loaded = tupelo.Model(path)
    value = article(repository, path)
    expected = np.array([value(board) for board in boards[:100]])
    found = loaded.values(boards[:100])
    assert found.dtype == np.float32 and np.ptp(expected) > 100
    assert np.allclose(found, expected, rtol=1e-5, atol=1e-2)
    assert (loaded.identity == model.identity) == (format == "f32")


def test_values_of_moves(model, boards):
    found = model.move_values(boards)
    after = tupelo.successors(boards)
    values = model.values(after.afterstates) + after.rewards
    assert np.array_equal(np.isneginf(found), ~after.legal)
    assert np.allclose(found[after.legal], values[after.legal], rtol=1e-6, atol=1e-3)
    best = model.best_moves(boards)
    playable = after.legal.any(axis=1)
    assert best.dtype == np.int8 and (best[~playable] == -1).all()
    assert np.array_equal(best[playable], found[playable].argmax(axis=1))
    searched = model.search(boards, plies=2)
    assert np.array_equal(np.isneginf(searched.values), ~after.legal) and not np.isnan(searched.values).any()
    assert np.array_equal(searched.moves[playable], searched.values[playable].argmax(axis=1))
    assert model.search(boards[playable][0], plies=2).values.argmax() == searched.moves[playable][0]


def test_arrays_are_checked(model):
    for bad in (np.zeros(3), np.zeros((3, 3), int), np.zeros(3, np.int64), "12", None):
        for function in (model.values, model.move_values, model.best_moves, model.search):
            with pytest.raises((TypeError, ValueError), match="^(afterstates|boards|board) (is|has) .*give"):
                function(bad)
    assert model.values(np.zeros(0, np.uint64)).shape == (0,)
    assert model.move_values(np.zeros(0, np.uint64)).shape == (0, 4)


def test_strided_and_read_only_arrays(model, boards):
    bits = boards
    assert np.array_equal(model.values(bits[::3]), model.values(bits)[::3])
    frozen = bits.copy()
    frozen.flags.writeable = False
    assert np.array_equal(model.values(frozen), model.values(bits))


def test_facts(model):
    assert model.shape == (4, 4) and model.weights == 3 * 65_536
    assert model.facts["game"] == "2048" and "identity" not in model.facts
    assert len(int(model.identity, 16).to_bytes(8, "big")) == 8 and len(model.identity) == 16
    assert repr(model).startswith("<tupelo.Model ") and repr(model).endswith(": tuples, 196,608 weights>")


def test_one_ply_is_greedy(model, boards):
    for board in boards[:20]:
        analysis = model.search(board, plies=1)
        values = model.move_values(board)
        assert analysis.move == model.best_moves(board)
        assert np.allclose(analysis.values, values, rtol=1e-5, equal_nan=True)


def expected_value(model, board, plies):
    """Plain expectimax over the values of the model: the values of the four moves."""
    result = []
    for action in range(4):
        moved = reference.move(board, action)
        if moved is None:
            result.append(-float("inf"))
            continue
        after, reward = moved
        if plies == 1:
            result.append(reward + float(model.values(after)))
            continue
        empty = [(r, c) for r in range(4) for c in range(4) if not after[r][c]]
        total = 0.0
        for r, c in empty:
            for exponent, probability in ((1, 0.9), (2, 0.1)):
                after[r][c] = exponent
                best = max(expected_value(model, after, plies - 1))
                total += probability / len(empty) * (best if any(reference.legal(after)) else 0.0)
            after[r][c] = 0
        result.append(reward + total)
    return result


def test_two_plies_are_plain_expectimax(model):
    board = [[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [5, 0, 2, 1]]
    found = model.search(np.array(board), plies=2)
    assert np.allclose(found.values, expected_value(model, board, 2), rtol=1e-4)
    assert found.plies == 2 and found.nodes > 4


def test_searches_with_limits(model):
    board = "0123012301230111"
    by_nodes = model.search(board, nodes=5000)
    again = model.search(board, nodes=5000)
    assert by_nodes.move == again.move and by_nodes.nodes == again.nodes and by_nodes.plies >= 1
    assert np.array_equal(by_nodes.values, again.values, equal_nan=True)
    together = model.search(board, nodes=5000, threads=2)
    assert together.nodes == by_nodes.nodes >= 5000 and together.plies == by_nodes.plies
    assert model.search(board, plies=1, threads=2).nodes == model.search(board, plies=1).nodes > 0
    assert model.search(board, seconds=0.05).plies >= 1
    assert model.search("1212212112122121").move == -1
    assert np.array_equal(model.search(board, plies=3).values, model.search(board, plies=3, threads=2).values,
                          equal_nan=True)  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [{"plies": 0}, {"plies": 16}, {"seconds": 0}, {"seconds": -1}, {"seconds": float("nan")}, {"nodes": 0},
     {"threads": 5}, {"four_probability": 2}, {"board": "00"}, {"board": -1}, {"board": None}, {"board": [[1, 2]]}],
    ids=str,
)  # fmt: skip
def test_bad_arguments_of_a_search(model, arguments):
    board = arguments.pop("board", "1234000000000000")
    with pytest.raises((TypeError, ValueError), match="give|not supported"):
        model.search(board, **arguments)


def test_evaluations_are_those_of_the_program(model, program, tmp_path):
    path = tmp_path / "model.safetensors"
    model.save(path)
    told = subprocess.run(
        [program, "evaluate", path, "--games", "50", "--json", "--seed", "7"],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = json.loads(told.stdout)
    for threads in (1, 2):
        report = tupelo.Model(path).evaluate(50, seed=7, threads=threads)
        for key in (
            "score_mean",
            "score_max",
            "score_median",
            "moves_mean",
            "reach_rates",
            "games",
            "seed",
            "agent",
        ):
            assert report[key] == expected[key], key
        assert report["model"] == expected["model"] == model.identity
    assert report.score_mean == report.scores.mean() and report.scores.max() == expected["score_max"]
    assert report.rate(256) == expected["reach_rates"]["256"]
    assert "average score" in repr(report) and "<table>" in report._repr_html_()


def test_keys_of_a_report_are_in_order(model):
    """Numbers are sorted by size: a library without ICU's data sorts as the program does."""
    report = model.evaluate(200, threads=1)
    rates = list(report["reach_rates"])
    assert len(rates) > 3 and rates == sorted(rates, key=int)
    assert list(report) == sorted(report) and len(report) > 10


def test_an_evaluation_tells_how_far_it_is(model):
    told = []
    model.evaluate(300, threads=1, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (300, 300) and told == sorted(told)


def test_bad_arguments_of_an_evaluation(model):
    for arguments in (
        {"games": 0},
        {"plies": 0},
        {"agent": "chess"},
        {"seed": -1},
        {"threads": 0},
        {"start_tiles": 16},
    ):
        with pytest.raises(ValueError):
            model.evaluate(**{"games": 1, **arguments})


def test_shipped_models_play(repository):
    model = tupelo.Model(repository / "models/small")
    report = model.evaluate(20, threads=2)
    assert report.score_mean > 80_000


def test_a_model_of_set_has_no_boards(repository):
    model = tupelo.Model(repository / "models/set")
    assert model.facts["game"] == "set"
    with pytest.raises(tupelo.ModelError):
        model.values(np.zeros((4, 4), int))
    with pytest.raises(tupelo.ModelError):
        model.shape  # noqa: B018
    assert 0 <= model.evaluate(20).rate(0) <= 1


def test_files_that_are_no_models(tmp_path):
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(b"\x10" + bytes(200))
    for path in (tmp_path / "missing", damaged, tmp_path, "/dev/null"):
        with pytest.raises(tupelo.ModelError) as caught:
            tupelo.Model(path)
        assert "\n" not in str(caught.value) and len(str(caught.value)) > 10
    for path, error in ((None, TypeError), (5, TypeError), ("a\0b", ValueError)):
        with pytest.raises(error, match="^path is "):
            tupelo.Model(path)


def test_files_that_cannot_be_written(model):
    with pytest.raises(tupelo.ModelError, match="nowhere"):
        model.save("/nowhere/model.safetensors")
    with pytest.raises(ValueError, match="format"):
        model.save("/tmp/model", "f64")
    with pytest.raises(ValueError, match="compact"):
        model.save("/tmp/model", step=3.0)


def test_a_pickle_is_its_model_whatever_happens_to_files(tmp_path, boards):
    models = [tupelo.Model.from_tables("0123", [np.arange(16.0**4) % number]) for number in (5, 7)]
    path = tmp_path / "m.safetensors"
    models[0].save(path)
    loaded = tupelo.Model(path)
    pickles = [pickle.dumps(model) for model in (models[0], loaded)]
    models[1].save(path)
    pickles += [pickle.dumps(loaded), pickle.dumps(models[0])]
    path.unlink()
    for data in pickles:
        again = pickle.loads(data)
        assert again.identity == models[0].identity != models[1].identity and again.path is None
        assert np.array_equal(again.values(boards), models[0].values(boards))
    assert loaded.path == path and models[0].path is None and copy.deepcopy(loaded) is loaded


@pytest.mark.parametrize("format", ["f32", "f16", "compact"])
def test_models_in_memory_are_those_of_files(model, tmp_path, format):
    path = tmp_path / "m.safetensors"
    model.save(path, format)
    data = model.to_bytes(format)
    assert data == path.read_bytes()
    for given in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        assert tupelo.Model.from_bytes(given).identity == tupelo.Model(path).identity
    with pytest.raises(tupelo.ModelError, match="^data: ") as found:
        tupelo.Model.from_bytes(data[:-1])
    assert "tmp" not in str(found.value)
    for wrong, error in ((5, TypeError), ("abc", TypeError), (b"", tupelo.ModelError), (bytes(9), tupelo.ModelError)):
        with pytest.raises(error, match="^data"):
            tupelo.Model.from_bytes(wrong)


def test_pickles_of_the_kinds_of_models(repository):
    for name in ("set", "17x4"):
        model = tupelo.Model(repository / "models" / name)
        assert pickle.loads(pickle.dumps(model)).identity == model.identity


def test_threads_share_a_model(model, boards):
    expected, results = model.values(boards), []

    def work():
        results.append(all(np.array_equal(model.values(boards), expected) for _ in range(50)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_searches_from_a_pool_of_threads(model, boards):
    """Each call has a searcher of its own, so no thread is refused, and the results are those of one thread."""
    bits = list(boards[:60])
    expected = [model.search(board, plies=2) for board in bits]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda board: model.search(board, plies=2), bits))
        limited = list(pool.map(lambda board: model.search(board, seconds=0.01), bits[:16]))
    for one, other in zip(found, expected, strict=True):
        assert one.move == other.move and one.plies == 2
        assert np.array_equal(one.values, other.values, equal_nan=True)
    assert all(one.plies >= 1 for one in limited if one.move >= 0)


def test_searchers_are_few(model):
    """Each has a table of 4 MiB."""
    for number in range(60):
        model.search("0123012301230111", plies=1, four_probability=number / 100)
    assert 1 <= len(model._searchers._free) <= 8
    board = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [5, 0, 2, 1]])
    model.search(np.stack([board] * 30), plies=1, threads=20)
    assert len(model._searchers._free) <= 8
    before, settings = model._searchers._free[-1], {"plies": 1, "four_probability": 0.9}
    model.search(board, **settings), model.search(board, **settings)
    assert model._searchers._free[-1] != before and len(model._searchers._free) <= 8


def test_a_short_search_starts_no_thread(model, monkeypatch):
    """Starting a thread takes many times as long as a search of three plies, which is the default. A long search has a
    thread, so that Ctrl-C ends it."""
    started = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda thread: (started.append(thread), start(thread)))
    board = np.array([[1, 2, 3, 4], [5, 6, 7, 8], [1, 2, 3, 4], [5, 0, 2, 1]], np.uint8)
    for each in (board, board.tolist(), tupelo.pack(board), "0123012301230111"):
        for limits in ({}, {"plies": 1}, {"plies": 3}, {"nodes": 1000}, {"seconds": 0.001}):
            model.search(each, **limits)
    assert not started
    model.search(board, plies=4)
    model.search(board, nodes=20_000)
    assert len(started) == 2


def test_one_board_costs_what_it_costs_in_an_array(model):
    """Within 2 times, at three plies. Both are measured in processor time, in turn, and the best of many passes counts,
    so that other work on the machine does not matter."""
    envs = tupelo.Game2048VectorEnv(200)
    envs.reset(seed=1)
    envs.random_steps(60, 1)
    boards = envs.boards

    def seconds(search):
        begin = time.process_time()
        search()
        return time.process_time() - begin

    passes = [
        (seconds(lambda: [model.search(board) for board in boards]), seconds(lambda: model.search(boards)))
        for _ in range(40)
    ]
    one, in_an_array = map(min, zip(*passes, strict=True))
    assert one < 2 * in_an_array, (one, in_an_array)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_of_many_boards_is_one_of_each(model, threads):
    rng = np.random.default_rng(3)
    exponents = random_boards(rng, 40)
    for limits in ({"plies": 2}, {"nodes": 200}):
        found = model.search(exponents, threads=threads, **limits)
        assert [array.dtype for array in found] == [np.int8, np.float64, np.int32, np.int64]
        assert found.values.shape == (40, 4)
        for place, board in enumerate(exponents):
            one = model.search(board, **limits)
            assert np.array_equal(found.values[place], one.values, equal_nan=True)
            assert (found.moves[place], found.plies[place]) == (one.move, one.plies)
            if "nodes" in limits:
                assert found.nodes[place] == one.nodes
    assert model.search(exponents[:0]).moves.shape == (0,)


def test_errors_name_the_board_in_the_whole_array():
    """Long arrays go to the library in parts."""
    model = tupelo.Model.from_tables("01", [np.zeros(256)], shape=(3, 3))
    boards = np.ones(((1 << 20) + 2, 1), np.uint64)
    boards[-1] = 1 << 60
    for function, name in ((model.values, "afterstates"), (model.best_moves, "boards")):
        with pytest.raises(ValueError, match=rf"^{name}\[1048577, 0\] is not a board"):
            function(boards)
    with pytest.raises(ValueError, match=r"^board\[2, 0\] is not a board"):
        model.search(boards[-3:])
    with pytest.raises(ValueError, match=r"^board is not a board"):
        model.search(boards[-1, 0])


@linux
def test_a_model_that_does_not_fit_into_memory(repository):
    code = f"""
import resource, numpy, tupelo
tupelo.legal_moves("1" * 16)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20),) * 2)
try:
    tupelo.Model({str(repository / "models/medium")!r})
except tupelo.OutOfMemoryError as error:
    assert isinstance(error, MemoryError)
    print("refused:", error)
"""
    told = python(code)
    assert told.startswith("refused:") and told.count("\n") == 1


def test_records_of_games(model):
    record = tupelo.play(model, seed=3)
    board, score = record.boards[0], 0
    for n, action in enumerate(record.actions):
        after, reward = reference.move(board.tolist(), int(action))
        board = record.boards[n + 1]
        score += reward
        assert reward == record.rewards[n] and np.count_nonzero(board != np.array(after)) == 1
    assert not any(reference.legal(board.tolist())) and record.score == score
    assert record.actions[0] == model.best_moves(record.boards[0])
    assert len(tupelo.play(lambda boards, masks: masks.argmax(axis=1), seed=1)) == 330
    assert len(tupelo.play("random", seed=1, moves=5, shape=(3, 3))) == 5
    with pytest.raises(tupelo.IllegalMoveError, match="give a move where the mask"):
        tupelo.play(lambda boards, masks: masks.argmin(axis=1), seed=1)
    with pytest.raises(ValueError, match=r"give whole numbers of shape \(1,\)"):
        tupelo.play(lambda boards, masks: int(masks.argmax()), seed=1)


def test_one_policy_plays_and_is_evaluated():
    """`play` gives arrays of one board to the function that `evaluate` takes."""
    shapes = set()

    def policy(exponents, masks):
        shapes.add((exponents.shape[1:], masks.shape[1:], exponents.dtype, masks.dtype))
        return masks.argmax(axis=1)

    assert tupelo.play(policy, seed=1).score == 4040 and tupelo.evaluate(policy, 3).score_mean > 0
    assert shapes == {((4, 4), (4,), np.dtype(np.uint8), np.dtype(np.bool_))}


def test_models_with_equal_weights_are_equal(tmp_path):
    model = tupelo.Model.from_tables("01", [np.arange(256)])
    model.save(tmp_path / "model.safetensors")
    copies = [
        pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model),
        tupelo.Model.from_bytes(model.to_bytes()), tupelo.Model(tmp_path / "model.safetensors"),
        tupelo.Model.from_tables("01", model.tables()),
    ]  # fmt: skip
    assert all(each == model and not each != model for each in copies) and len({model, *copies}) == 1
    for other in (
        tupelo.Model.from_tables("01", [np.arange(256)[::-1]]), tupelo.Model.from_tables("04", [np.arange(256)]),
        tupelo.Model.from_tables("01", [np.arange(256)], shape=(3, 3)), model.identity, None,
    ):  # fmt: skip
        assert model != other and not model == other


def test_plies_and_agent_exclude_each_other():
    model = tupelo.Trainer({"network.patterns": "0123"}).model()
    for plies in (1, 2):
        with pytest.raises(ValueError, match=f"^plies is {plies} and agent is 'greedy': give one of them$"):
            model.evaluate(1, agent="greedy", plies=plies)


def test_an_evaluation_uses_the_processors_of_this_process(monkeypatch):
    from tupelo import _library

    model, threads = tupelo.Trainer({"network.patterns": "0123"}).model(), []
    status = _library.status

    def watched(name, *arguments):
        if name == "evaluate":
            threads.append(arguments[1]._obj.threads)
        return status(name, *arguments)

    monkeypatch.setattr(_library, "status", watched)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    allowed = {"process_cpu_count": lambda: 3, "sched_getaffinity": lambda process: {0, 1, 2}}
    for name, function in allowed.items():
        monkeypatch.setattr(os, name, function, raising=False)
    model.evaluate(3)
    assert threads == [3]
