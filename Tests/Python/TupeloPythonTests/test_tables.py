"""Weights as arrays: indices and values compared with a plain reference, and models made from arrays."""

import json
import warnings

import numpy as np
import pytest
import tupelo
from conftest import SHAPES, random_boards

PATTERNS = {(2, 2): "0123", (2, 3): "012 0134", (3, 2): "012 0134", (3, 3): "0134 4578", (4, 4): "0123 4567 01245"}


def views(board, shape, shared):
    """The symmetric boards of a board, as lists of rows."""
    flips = [board, [row[::-1] for row in board], board[::-1], [row[::-1] for row in board[::-1]]]
    if shape[0] == shape[1]:
        flips += [[list(row) for row in zip(*flip)] for flip in flips]
    return flips if shared else flips[:1]


def lowered(board):
    """A board as networks look it up: a late board has its highest holes closed."""
    board = [list(row) for row in board]
    while max(map(max, board)) > 14:
        holes = [tile for tile in range(2, max(map(max, board))) if not any(tile in row for row in board)]
        if not holes:
            break
        board = [[tile - (tile > holes[-1]) for tile in row] for row in board]
    return board


def index(board, pattern, columns):
    cells = [int(digit, 16) for digit in pattern]
    return sum(min(board[cell // columns][cell % columns], 15) << 4 * place for place, cell in enumerate(cells))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shared", [True, False])
def test_indices_and_values_are_the_references(rng, shape, shared):
    """The value of a board is the sum of a table's entry for each pattern and each symmetric board: as numpy adds the
    arrays, as plain Python does, and as a model from the arrays says."""
    patterns = PATTERNS.get(shape, "0123 01").split()
    boards = random_boards(rng, 50, shape)
    found = tupelo.tuple_indices(patterns, boards, shared=shared)
    for pattern, indices in zip(patterns, found, strict=True):
        for board, own in zip(boards.tolist(), indices, strict=True):
            expected = [index(view, pattern, shape[1]) for view in views(lowered(board), shape, shared)]
            assert sorted(own.tolist()) == sorted(expected)
    tables = [rng.normal(size=16 ** len(pattern)).astype(np.float32) for pattern in patterns]
    values = sum(table[own].sum(axis=1) for table, own in zip(tables, found, strict=True))
    model = tupelo.Model.from_tables(patterns, tables, shape=shape, shared=shared)
    assert model.shape == shape and model.patterns == patterns and model.shared == shared and model.stages is None
    assert np.allclose(model.values(boards), values, rtol=1e-5, atol=1e-4)


def test_tables_come_back(rng, tmp_path):
    trainer = tupelo.Trainer({"network.patterns": "0123 01245", "training.games": 300, "training.threads": 1})
    trainer.train(progress=False)
    model = trainer.model()
    tables = model.tables()
    assert [table.shape for table in tables] == [(16**4,), (16**5,)]
    assert all(table.dtype == np.float32 and table.flags.writeable and np.ptp(table) > 100 for table in tables)
    by_cells = tables[0].reshape([16] * 4, order="F")
    again = tupelo.Model.from_tables([[0, 1, 2, 3], "01245"], [by_cells, tables[1].astype(float)])
    assert again.identity == model.identity and again.path is None
    headers = []
    for one in (model, again):
        one.save(tmp_path / "model.safetensors")
        data = (tmp_path / "model.safetensors").read_bytes()
        headers.append(json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")]))
    assert headers[0] == headers[1]
    assert tupelo.Model(tmp_path / "model.safetensors").identity == model.identity
    tables[0][:] = 0
    assert model.identity == again.identity == tupelo.Model.from_tables(model.patterns, model.tables()).identity


def test_an_array_with_an_axis_for_each_cell_is_read_at_the_exponents_of_the_cells(rng):
    """In the order of the pattern, whichever way the array lies in memory. No axis of the table is like another one."""
    table = rng.normal(size=(16, 16, 16)).astype(np.float32)
    boards = random_boards(rng, 100, largest=13)
    for pattern in ([1, 4, 11], (11, 1, 4), np.array([4, 1, 11])):
        expected = table[tuple(boards.reshape(-1, 16)[:, cell] for cell in pattern)]
        for array in (table, np.asfortranarray(table), table.ravel(order="F")):
            model = tupelo.Model.from_tables([pattern], [array], shared=False)
            assert np.array_equal(model.values(boards), expected)
            assert model.patterns == ["".join(f"{cell:x}" for cell in pattern)]
            assert np.array_equal(model.tables()[0].reshape([16] * 3, order="F"), table)
        cells = tupelo.tuple_indices([pattern], boards, shared=False)[0, :, 0]
        assert np.array_equal(table.ravel(order="F")[cells], expected)


def test_a_model_from_arrays_plays_searches_and_is_evaluated(rng):
    model = tupelo.Model.from_tables(["0123", "4567"], [np.zeros(16**4), np.zeros(16**4)])
    boards = tupelo.pack(random_boards(rng, 20, largest=8))
    after = tupelo.successors(boards)
    assert np.array_equal(model.move_values(boards)[after.legal], after.rewards[after.legal])
    assert model.search(boards[0], plies=2).plies == 2
    assert model.evaluate(5).score_mean > 0 and len(tupelo.play(model)) > 50


def test_stages_have_tables_of_their_own(rng):
    tables = [rng.normal(size=16**4) for _ in range(2)]
    model = tupelo.Model.from_tables("0123", tables, stages="largest=64")
    assert model.stages == "largest=64" and model.patterns == ["0123"]
    boards = tupelo.pack(random_boards(rng, 200, largest=7))
    own = tupelo.tuple_indices("0123", boards)[0]
    late = tupelo.unpack(boards).max(axis=(1, 2)) >= 6
    expected = np.where(late, tables[1][own].sum(axis=1), tables[0][own].sum(axis=1))
    assert late.any() and not late.all() and np.allclose(model.values(boards), expected, atol=1e-4)
    for table, other in zip(model.tables(), tables, strict=True):
        assert np.array_equal(table, other.astype(np.float32))


def test_tables_of_a_model_of_the_repository(repository, rng):
    """A file in half precision, whose tables symmetric boards do not share."""
    model = tupelo.Model(repository / "models/17x4")
    boards = random_boards(rng, 100)
    own = tupelo.tuple_indices(model.patterns, boards, shared=model.shared)
    values = sum(table[indices].sum(axis=1) for table, indices in zip(model.tables(), own, strict=True))
    assert not model.shared and np.ptp(values) > 1000
    assert np.allclose(model.values(boards), values, rtol=1e-5, atol=0.1)


def test_wrong_stages_are_named():
    for stages, count in (("largest=3x", 2), ("largest=64,128", 2)):
        with pytest.raises(ValueError, match=rf"^stages is '{stages}' and arrays has {count} tables: "):
            tupelo.Model.from_tables("01", [np.zeros(256)] * count, stages=stages)


def test_stages_that_play_fills(rng, tmp_path):
    """Play replaces zero weights of a later stage, if the file says so. The tables are those of play."""
    first, second = rng.normal(size=256).astype("<f4"), rng.normal(size=256).astype("<f4")
    second[::3] = 0
    model = tupelo.Model.from_tables("01", [first, second], stages="largest=8")
    model.save(tmp_path / "plain.safetensors")
    data = (tmp_path / "plain.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header["__metadata__"]["tupelo.filled_stages"] = "1"
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (tmp_path / "filled.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])
    filled = tupelo.Model(tmp_path / "filled.safetensors")
    tables = filled.tables()
    assert np.array_equal(tables[0], first) and np.array_equal(tables[1], np.where(second == 0, first, second))
    boards = tupelo.pack(random_boards(rng, 50, largest=5))
    again = tupelo.Model.from_tables("01", tables, stages="largest=8")
    assert np.array_equal(again.values(boards), filled.values(boards))
    assert not np.array_equal(model.values(boards), filled.values(boards))


@pytest.mark.parametrize(
    ("patterns", "arrays", "settings", "text"),
    [
        ("", [], {}, "patterns has 0"),
        ("012g", [], {}, "patterns has '012g'"),
        ("0120", [], {}, "patterns has '0120'"),
        ("012345678", [], {}, "patterns has '012345678'"),
        ("0124", [], {"shape": (2, 2)}, "from 0 to 3"),
        (5, [], {}, "patterns is 5"),
        ([5], [], {}, r"patterns has 5: give a text such as '0124', or a list such as \[0, 1, 2, 4\]"),
        ([[0, 16]], [], {}, r"patterns has \[0, 16\]: give 1 to 8 different cells, .* or as a list"),
        ([[0, -1]], [], {}, r"patterns has \[0, -1\]"),
        ([[0, 1.5]], [], {}, r"patterns has \[0, 1.5\]"),
        ([[]], [], {}, r"patterns has \[\]"),
        ("01", [np.zeros((4, 64))], {}, r"shape \(4, 64\): give 256 numbers in one axis, or of shape \(16, 16\)"),
        ("01", [], {}, "arrays has 0 tables for 1 patterns: give 1"),
        ("01", 5, {}, "arrays is 5"),
        ("01", [np.zeros(255)], {}, r"arrays\[0\] has shape \(255,\): give 256 numbers"),
        ("01", [["a"] * 256], {}, r"arrays\[0\] is an array of <U1: give numbers"),
        ("01", [np.full(256, np.nan)], {}, r"arrays\[0\] has a weight that is not finite"),
        ("01", [np.full(256, np.inf, np.float16)], {}, r"arrays\[0\] has a weight that is not finite"),
        ("01", [np.full(256, 1e300)], {}, r"arrays\[0\] has a weight that is not finite or beyond 1e\+09"),
        ("01", [np.zeros(256)], {"stages": "largest=16384"}, "a multiple of 1"),
        ("01", [np.zeros(256)] * 2, {"stages": "largest"}, "stages is 'largest'"),
        ("01", [np.zeros(256)] * 2, {"stages": "height=5"}, "height"),
        ("01", [np.zeros(256)], {"shape": (5, 4)}, "shape"),
    ],
)
def test_what_is_no_network_is_refused(patterns, arrays, settings, text):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((TypeError, ValueError), match=text):
            tupelo.Model.from_tables(patterns, arrays, **settings)


def test_models_without_tables_say_so(repository):
    model = tupelo.Model(repository / "models/set")
    for use in (model.tables, lambda: model.patterns, lambda: model.shared, lambda: model.stages):
        with pytest.raises(tupelo.ModelError, match="not an n-tuple network"):
            use()
