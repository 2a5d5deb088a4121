"""Functions on arrays of boards, compared with a plain reference and brute force."""


import numpy as np
import pytest
import reference
import tupelo
from conftest import SHAPES, random_boards


@pytest.mark.parametrize("shape", SHAPES)
def test_packing_is_the_references_and_comes_back(rng, shape):
    boards = random_boards(rng, 200, shape)
    bits, overflow = tupelo.pack(boards)
    assert bits.dtype == np.uint64 and overflow.dtype == np.uint32
    for board, low, high in zip(boards.tolist(), bits.tolist(), overflow.tolist(), strict=True):
        assert reference.pack(board) == (low, high)
    assert np.array_equal(tupelo.unpack(bits, overflow, shape), boards)


def test_packing_keeps_leading_axes(rng):
    boards = random_boards(rng, 24, largest=15).reshape(2, 3, 4, 4, 4)
    bits, overflow = tupelo.pack(boards)
    assert bits.shape == (2, 3, 4) and not overflow.any()
    assert np.array_equal(tupelo.unpack(bits), boards)


@pytest.mark.parametrize(
    ("exponents", "text"),
    [
        (np.full((4, 4), 18), "exponent 18"),
        (np.full((4, 4), -1), "exponent -1"),
        (np.zeros((4, 5), int), "2 to 4"),
        (np.zeros((4, 4)), "float64"),
        (np.zeros(16, int), "shape"),
    ],
)
def test_exponents_that_are_no_board_are_refused(exponents, text):
    with pytest.raises(ValueError, match=text):
        tupelo.pack(exponents)


def test_bits_that_are_no_board_are_refused():
    with pytest.raises(ValueError, match="tiles outside of 3x3"):
        tupelo.unpack(np.uint64(1 << 12), None, (3, 3))
    with pytest.raises(ValueError, match="overflow"):
        tupelo.unpack(np.uint64(1), np.uint32(1))
    with pytest.raises(ValueError, match="astype"):
        tupelo.unpack(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="agree"):
        tupelo.unpack(np.zeros(3, np.uint64), np.zeros(2, np.uint32))


@pytest.mark.parametrize("shape", SHAPES)
def test_successors_are_the_references(rng, shape):
    boards = np.concatenate([random_boards(rng, 150, shape, largest) for largest in (3, 17)])
    bits, overflow = tupelo.pack(boards)
    found = tupelo.successors(bits, overflow, shape=shape)
    assert (found.rewards.dtype, found.legal.dtype) == (np.int32, np.bool_)
    after = tupelo.unpack(found.afterstates, found.overflow, shape)
    for n, board in enumerate(boards.tolist()):
        for action in range(4):
            expected = reference.move(board, action)
            assert found.legal[n, action] == (expected is not None)
            tiles, reward = expected or (board, 0)
            assert after[n, action].tolist() == tiles and found.rewards[n, action] == reward
    assert np.array_equal(tupelo.legal_moves(bits, overflow, shape=shape), found.legal)


def test_merges_beyond_32768():
    bits, overflow = tupelo.pack(np.array([[15, 15, 0, 0], [16, 16, 0, 0], [17, 17, 0, 0], [0, 0, 0, 0]])[None])
    found = tupelo.successors(bits, overflow)
    left = tupelo.unpack(found.afterstates[:, 3], found.overflow[:, 3])[0]
    assert left.tolist() == [[16, 0, 0, 0], [17, 0, 0, 0], [17, 17, 0, 0], [0, 0, 0, 0]]
    assert found.rewards[0, 3] == 65536 + 131072


@pytest.mark.parametrize("shape", SHAPES)
def test_symmetries_are_rotations_and_reflections(rng, shape):
    boards = random_boards(rng, 50, shape)
    bits, overflow = tupelo.symmetries(*tupelo.pack(boards), shape=shape)
    square = shape[0] == shape[1]
    assert bits.shape == (50, 8 if square else 4)
    found = tupelo.unpack(bits, overflow, shape)
    assert np.array_equal(found[:, 0], boards) and np.array_equal(found[:, 1], boards[:, :, ::-1])
    for n, board in enumerate(boards):
        group = (
            {np.rot90(b, k).tobytes() for b in (board, board[::-1]) for k in range(4)}
            if square
            else {b.tobytes() for b in (board, board[::-1], board[:, ::-1], board[::-1, ::-1])}
        )
        assert {view.tobytes() for view in found[n]} == group


def test_moves_commute_with_symmetries(rng):
    bits, _ = tupelo.pack(random_boards(rng, 100, largest=10))
    mirrored = tupelo.symmetries(bits)[:, 1]
    straight, turned = tupelo.successors(bits), tupelo.successors(mirrored)
    assert np.array_equal(straight.rewards[:, [0, 3, 2, 1]], turned.rewards)


def spawned(exponents, count, four=0.1, seed=1, shape=(4, 4)):
    bits, _ = tupelo.pack(np.repeat(np.asarray(exponents)[None], count, axis=0))
    return tupelo.unpack(tupelo.spawn(bits, seed, shape=shape, four_probability=four), None, shape)


@pytest.mark.parametrize("empty", [[(0, 0)], [(1, 2), (3, 3)], [(0, 1), (2, 0), (2, 3)]])
def test_the_law_of_new_tiles(empty):
    """Every empty cell is equally likely, and a tile is a 4 once in ten: also when only one or two cells are empty."""
    board = np.full((4, 4), 5)
    for cell in empty:
        board[cell] = 0
    count = 60_000
    found = spawned(board, count)
    assert np.array_equal(np.count_nonzero(found != board, axis=(1, 2)), np.ones(count))
    chi_square = 0.0
    for row, column in empty:
        for exponent, probability in ((1, 0.9), (2, 0.1)):
            expected = count * probability / len(empty)
            chi_square += (np.count_nonzero(found[:, row, column] == exponent) - expected) ** 2 / expected
    assert chi_square < {1: 10.8, 3: 16.3, 5: 20.5}[2 * len(empty) - 1]  # 0.1% of correct programs exceed it.


def test_spawn_takes_a_seed_or_a_generator():
    board = np.zeros((4, 4), int)
    assert np.array_equal(spawned(board, 100, seed=3), spawned(board, 100, seed=3))
    assert not np.array_equal(spawned(board, 100, seed=3), spawned(board, 100, seed=4))
    first, second = (spawned(board, 100, seed=np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(first, second)
    assert np.all(spawned(board, 100, four=1.0).max(axis=(1, 2)) == 2)


def test_spawn_on_a_full_board_is_refused():
    with pytest.raises(ValueError, match="full|empty"):
        tupelo.spawn(tupelo.pack(np.full((1, 4, 4), 3))[0], 1)


@pytest.mark.parametrize("arguments", [
    {"four_probability": "0.1"}, {"four_probability": None}, {"four_probability": 1.5}, {"four_probability": np.nan},
    {"random": None}, {"random": -1}, {"random": 1 << 64}, {"random": 0.5}, {"shape": (4, 5)}, {"shape": None},
    {"overflow": np.zeros(2, np.uint32)}, {"overflow": np.zeros(1, np.int64)},
], ids=str)  # fmt: skip
def test_bad_arguments_of_spawn(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        tupelo.spawn(np.zeros(1, np.uint64), **{"random": 1, **arguments})


def test_no_boards_at_all():
    none = np.zeros(0, np.uint64)
    assert tupelo.successors(none).afterstates.shape == (0, 4)
    assert tupelo.legal_moves(none).shape == (0, 4) and tupelo.spawn(none, 1).shape == (0,)


def test_strided_boards_are_read_right(rng):
    bits, _ = tupelo.pack(random_boards(rng, 20, largest=9))
    assert np.array_equal(tupelo.legal_moves(bits[::2]), tupelo.legal_moves(bits)[::2])


def test_arrays_of_the_caller_are_read_and_never_changed(rng):
    """Read-only arrays are accepted, and boards in another byte order are refused."""
    bits, overflow = tupelo.pack(random_boards(rng, 20))
    expected = tupelo.successors(bits, overflow)
    bits.flags.writeable = overflow.flags.writeable = False
    found = tupelo.successors(bits, overflow)
    assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
    assert all(array.flags.writeable and not np.shares_memory(array, bits) for array in found)
    with pytest.raises(ValueError, match="astype"):
        tupelo.successors(bits.astype(bits.dtype.newbyteorder()))


@pytest.mark.parametrize("function", [tupelo.successors, tupelo.legal_moves, lambda b: tupelo.spawn(b, 1)])
@pytest.mark.parametrize(
    "bad",
    [
        np.zeros(3),
        np.zeros(3, np.int32),
        np.zeros((2, 2), np.uint64),
        "0123",
        None,
        [-1],
    ],
)
def test_arrays_of_other_kinds_are_refused(function, bad):
    with pytest.raises(ValueError):
        function(bad)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("four", [0.1, 0.0, 1.0, 0.4])
def test_outcomes_are_all_tiles_on_all_empty_cells(rng, shape, four):
    boards = random_boards(rng, 40, shape)
    boards[0], boards[1] = 3, 0
    bits, overflow = tupelo.pack(boards)
    found = tupelo.outcomes(bits, overflow, shape=shape, four_probability=four)
    assert [array.dtype for array in found] == [np.uint64, np.float64, np.int64, np.uint32]
    expected = []
    for parent, board in enumerate(boards.tolist()):
        empty = [(r, c) for r in range(shape[0]) for c in range(shape[1]) if not board[r][c]]
        for r, c in empty:
            for exponent, probability in ((1, 1 - four), (2, four)):
                if probability > 0:
                    board[r][c] = exponent
                    expected.append((*reference.pack(board), parent, probability / len(empty)))
            board[r][c] = 0
    rows = zip(found.boards.tolist(), found.overflow.tolist(), found.parents.tolist(), found.probabilities.tolist())
    for own, other in zip(rows, expected, strict=True):
        assert own[:3] == other[:3] and own[3] == pytest.approx(other[3])
    sums = np.bincount(found.parents, found.probabilities, 40)
    assert sums[0] == 0 and np.allclose(sums[(boards == 0).any(axis=(1, 2))], 1)
    assert tupelo.outcomes(bits[:0]).boards.shape == (0,)


def test_outcomes_give_the_values_of_expectimax():
    """Two plies by arrays alone, as in `Model.search`."""
    model = tupelo.Model.from_tables("0123", [np.arange(16.0**4) % 97])
    bits, _ = tupelo.pack(random_boards(np.random.default_rng(1), 20, largest=6))
    first = tupelo.successors(bits)
    after = first.afterstates.ravel()
    chance = tupelo.outcomes(after)
    second = np.nan_to_num(model.move_values(chance.boards), nan=-np.inf).max(axis=1)
    second[np.isinf(second)] = 0
    values = np.bincount(chance.parents, chance.probabilities * second, len(after)).reshape(-1, 4) + first.rewards
    found = model.search(bits, plies=2).values
    assert np.array_equal(np.isnan(found), ~first.legal) and np.allclose(found[first.legal], values[first.legal])


def test_results_in_arrays_of_the_caller(rng):
    boards = random_boards(rng, 12)
    model = tupelo.Model.from_tables("0123", [np.arange(16.0**4)])
    bits, high = tupelo.pack(boards)
    low = bits & np.uint64(0x0777_7777_7777_7777)
    uses = [
        (tupelo.pack, (boards,), (np.empty(12, np.uint64), np.empty(12, np.uint32))),
        (tupelo.unpack, (bits, high), np.empty((12, 4, 4), np.uint8)),
        (tupelo.symmetries, (bits, high), (np.empty((12, 8), np.uint64), np.empty((12, 8), np.uint32))),
        (tupelo.symmetries, (bits,), np.empty((12, 8), np.uint64)),
        (tupelo.successors, (bits, high), tupelo.Successors.empty(12)),
        (tupelo.legal_moves, (bits, high), np.empty((12, 4), bool)),
        (tupelo.spawn, (low, 1), np.empty(12, np.uint64)),
        (model.values, (bits, high), np.empty(12, np.float32)),
        (model.move_values, (bits, high), np.empty((12, 4), np.float32)),
        (model.best_moves, (bits, high), np.empty(12, np.int8)),
    ]
    for function, arguments, out in uses:
        expected, found = function(*arguments), function(*arguments, out=out)
        pairs = zip(found, out, expected, strict=True) if isinstance(out, tuple) else [(found, out, expected)]
        for own, given, other in pairs:
            assert own is given and np.array_equal(own, other, equal_nan=own.dtype.kind == "f"), function
        for bad in (5, np.zeros(3), (1, 2), np.zeros((12, 16), np.uint64)[:, ::2], np.empty(0, np.uint8)):
            with pytest.raises(ValueError, match="^out"):
                function(*arguments, out=bad)
    spawned = tupelo.spawn(low, 1)
    assert tupelo.spawn(low, 1, out=low) is low and np.array_equal(low, spawned)
