"""Functions on arrays of boards, compared with a plain reference and brute force."""


import numpy as np
import pytest
import reference
import tupelo
from conftest import SHAPES, random_boards


@pytest.mark.parametrize("shape", SHAPES)
def test_packing_is_the_references_and_comes_back(rng, shape):
    boards = random_boards(rng, 200, shape, largest=15)
    bits = tupelo.pack(boards)
    assert bits.dtype == np.uint64
    assert [(low, 0) for low in bits.tolist()] == [reference.pack(board) for board in boards.tolist()]
    assert np.array_equal(tupelo.unpack(bits, shape), boards)


def test_packing_keeps_leading_axes(rng):
    boards = random_boards(rng, 24, largest=15).reshape(2, 3, 4, 4, 4)
    bits = tupelo.pack(boards)
    assert bits.shape == (2, 3, 4) and np.array_equal(tupelo.unpack(bits), boards)
    assert tupelo.pack(boards[0, 0, 0]).shape == () and tupelo.unpack(bits[0, 0, 0]).shape == (4, 4)


def test_a_packed_board_that_cannot_hold_its_tile_is_refused(rng):
    boards = random_boards(rng, 6, largest=9).reshape(2, 3, 4, 4)
    boards[1, 2, 0, 0] = 16
    with pytest.raises(ValueError, match=r"^boards\[1, 2\] has a tile above 32768"):
        tupelo.pack(boards)
    merging = tupelo.pack(np.array([[15, 15, 0, 0]] + [[0] * 4] * 3))
    with pytest.raises(ValueError, match=r"cannot hold 65536: give exponents, such as tupelo.unpack\(boards\)$"):
        tupelo.successors(merging)
    after = tupelo.successors(tupelo.unpack(merging)).afterstates
    assert after[3, 0].tolist() == [16, 0, 0, 0] and tupelo.legal_moves(merging)[3]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, ">i4", ">i8"])
def test_exponents_of_any_type_of_integers(rng, kind):
    boards = random_boards(rng, 20)
    assert np.array_equal(tupelo.legal_moves(boards.astype(kind)), tupelo.legal_moves(boards))
    assert np.array_equal(tupelo.legal_moves(boards.tolist()), tupelo.legal_moves(boards))


def forms(boards):
    """Boards in each form in which they can be given."""
    digits = "0123456789abcdefgh"
    texts = ["".join(digits[tile] for tile in board.ravel()) for board in boards]
    packed = tupelo.pack(boards)
    return [boards, boards.astype(">i8"), packed, packed.astype(">u8"), texts, np.array(texts)]


def test_every_function_takes_every_form_and_answers_in_it(rng):
    boards = random_boards(rng, 12, largest=10)
    boards[:, 0, 0] = 0
    model = tupelo.Model.from_tables("0123", [np.arange(16.0**4)])
    plain = [
        tupelo.legal_moves, model.values, model.move_values, model.best_moves,
        lambda b: tupelo.tuple_indices("0123 45", b), lambda b: model.search(b, plies=2).values,
        lambda b: tupelo.successors(b).rewards, lambda b: tupelo.outcomes(b).probabilities,
    ]  # fmt: skip
    moved = [
        tupelo.symmetries, lambda b: tupelo.spawn(b, 5), lambda b: tupelo.successors(b).afterstates,
        lambda b: tupelo.outcomes(b).boards,
    ]  # fmt: skip
    for given in forms(boards):
        for function in plain:
            assert np.array_equal(function(given), function(boards), equal_nan=True)
        for function in moved:
            found, expected = function(given), function(boards)
            is_packed = isinstance(given, np.ndarray) and given.dtype.str[1:] == "u8"
            assert found.dtype == (np.uint64 if is_packed else np.uint8) and found.dtype.isnative
            assert np.array_equal(tupelo.unpack(found) if is_packed else found, expected)


def test_leading_axes_and_single_boards(rng):
    boards = random_boards(rng, 12, largest=17).reshape(3, 4, 4, 4)
    boards[..., 0, 0] = 0
    model = tupelo.Model.from_tables("0123", [np.arange(16.0**4)])
    for function, extra in (
        (tupelo.legal_moves, (4,)), (model.values, ()), (model.move_values, (4,)), (model.best_moves, ()),
        (lambda b: tupelo.successors(b).afterstates, (4, 4, 4)), (tupelo.symmetries, (8, 4, 4)),
        (lambda b: model.search(b, plies=1).values, (4,)),
    ):  # fmt: skip
        whole = function(boards)
        assert whole.shape == (3, 4, *extra)
        assert np.array_equal(whole[1, 2], function(boards[1, 2]), equal_nan=True)
    assert tupelo.spawn(boards, 1).shape == boards.shape
    indices = tupelo.tuple_indices("0123 45", boards)
    assert indices.shape == (2, 3, 4, 8)
    assert np.array_equal(indices[:, 1, 2], tupelo.tuple_indices("0123 45", boards[1, 2]))


@pytest.mark.parametrize(
    ("boards", "text"),
    [
        (np.full((4, 4), 18), "exponent of 18: give 0 to 17, such as 11 for a 2048"),
        (np.zeros((4, 4, 18), np.uint8), r"uint8 of shape \(4, 4, 18\): give .* 2 to 4 each, such as those of env.unw"),
        (np.full((4, 4), 18, np.uint8), "exponent of 18: give 0 to 17"),
        (np.full((4, 4), -1), "exponent of -1"),
        (np.zeros((4, 5), int), r"int64 of shape \(4, 5\): give exponents .* 2 to 4 each"),
        (np.zeros(16, int), r"int64 of shape \(16,\): give exponents .* or packed boards as uint64"),
        (5, r"int64 of shape \(\): give exponents"),
        ("012", "text of 3 digits: give 16"),
        ("z" * 16, "'z' at position 1: give 0 to 9 and a to h"),
        ([[1, 2], [3]], "rows of different lengths"),
    ],
)
def test_wrong_boards_are_refused(boards, text):
    with pytest.raises(ValueError, match=f"^boards (has|is) .*{text}"):
        tupelo.legal_moves(boards)


@pytest.mark.parametrize("boards", [np.zeros((4, 4)), None, 1.5, [None], np.zeros((4, 4), bool), b"0" * 16, 1 << 70])
def test_boards_of_other_types_are_refused(boards):
    with pytest.raises(TypeError, match="^boards is an array of .*: give exponents as integers, packed boards as"):
        tupelo.legal_moves(boards)


def test_bits_that_are_no_board_are_refused():
    with pytest.raises(ValueError, match="tiles outside of 3x3"):
        tupelo.unpack(np.uint64(1 << 12), (3, 3))
    with pytest.raises(ValueError, match=r"^boards has boards of shape \(4, 4\): give boards of shape \(3, 3\)$"):
        tupelo.legal_moves(np.zeros((4, 4), int), shape=(3, 3))


@pytest.mark.parametrize("shape", SHAPES)
def test_successors_are_the_references(rng, shape):
    boards = np.concatenate([random_boards(rng, 150, shape, largest) for largest in (3, 17)])
    found = tupelo.successors(boards)
    assert (found.rewards.dtype, found.legal.dtype) == (np.int32, np.bool_)
    after = found.afterstates
    for n, board in enumerate(boards.tolist()):
        for action in range(4):
            expected = reference.move(board, action)
            assert found.legal[n, action] == (expected is not None)
            tiles, reward = expected or (board, 0)
            assert after[n, action].tolist() == tiles and found.rewards[n, action] == reward
    assert np.array_equal(tupelo.legal_moves(boards), found.legal)
    small = boards[:150]
    packed = tupelo.successors(tupelo.pack(small), shape=shape)
    assert np.array_equal(tupelo.unpack(packed.afterstates, shape), after[:150])


def test_merges_beyond_32768():
    found = tupelo.successors(np.array([[15, 15, 0, 0], [16, 16, 0, 0], [17, 17, 0, 0], [0, 0, 0, 0]]))
    left = found.afterstates[3]
    assert left.tolist() == [[16, 0, 0, 0], [17, 0, 0, 0], [17, 17, 0, 0], [0, 0, 0, 0]]
    assert found.rewards[3] == 65536 + 131072


@pytest.mark.parametrize("shape", SHAPES)
def test_symmetries_are_rotations_and_reflections(rng, shape):
    boards = random_boards(rng, 50, shape)
    found = tupelo.symmetries(boards)
    square = shape[0] == shape[1]
    assert found.shape == (50, 8 if square else 4, *shape)
    assert np.array_equal(found[:, 0], boards) and np.array_equal(found[:, 1], boards[:, :, ::-1])
    for n, board in enumerate(boards):
        group = (
            {np.rot90(b, k).tobytes() for b in (board, board[::-1]) for k in range(4)}
            if square
            else {b.tobytes() for b in (board, board[::-1], board[:, ::-1], board[::-1, ::-1])}
        )
        assert {view.tobytes() for view in found[n]} == group


def test_moves_commute_with_symmetries(rng):
    bits = tupelo.pack(random_boards(rng, 100, largest=10))
    mirrored = tupelo.symmetries(bits)[:, 1]
    straight, turned = tupelo.successors(bits), tupelo.successors(mirrored)
    assert np.array_equal(straight.rewards[:, [0, 3, 2, 1]], turned.rewards)


def spawned(exponents, count, four=0.1, seed=1):
    boards = np.repeat(np.asarray(exponents)[None], count, axis=0)
    return tupelo.spawn(boards, seed, four_probability=four)


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
        tupelo.spawn(np.full((1, 4, 4), 3), 1)


@pytest.mark.parametrize("arguments", [
    {"four_probability": "0.1"}, {"four_probability": None}, {"four_probability": 1.5}, {"four_probability": np.nan},
    {"random": None}, {"random": -1}, {"random": 1 << 64}, {"random": 0.5}, {"shape": (4, 5)}, {"shape": 4},
], ids=str)  # fmt: skip
def test_bad_arguments_of_spawn(arguments):
    with pytest.raises((TypeError, ValueError), match=f"^{next(iter(arguments))} is .*(give|not supported)"):
        tupelo.spawn(np.zeros(1, np.uint64), **{"random": 1, **arguments})


def test_no_boards_at_all():
    none = np.zeros(0, np.uint64)
    assert tupelo.successors(none).afterstates.shape == (0, 4)
    assert tupelo.legal_moves(none).shape == (0, 4) and tupelo.spawn(none, 1).shape == (0,)


def test_strided_boards_are_read_right(rng):
    bits = tupelo.pack(random_boards(rng, 20, largest=9))
    assert np.array_equal(tupelo.legal_moves(bits[::2]), tupelo.legal_moves(bits)[::2])


def test_arrays_of_the_caller_are_read_and_never_changed(rng):
    """Read-only arrays are accepted."""
    for boards in (random_boards(rng, 20), tupelo.pack(random_boards(rng, 20, largest=9))):
        expected, before = tupelo.successors(boards), boards.copy()
        boards.flags.writeable = False
        found = tupelo.successors(boards)
        assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
        assert all(array.flags.writeable and not np.shares_memory(array, boards) for array in found)
        assert np.array_equal(boards, before)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("four", [0.1, 0.0, 1.0, 0.4])
def test_outcomes_are_all_tiles_on_all_empty_cells(rng, shape, four):
    boards = random_boards(rng, 40, shape)
    boards[0], boards[1] = 3, 0
    found = tupelo.outcomes(boards, four_probability=four)
    assert [array.dtype for array in found] == [np.uint8, np.float64, np.int64]
    expected = []
    for parent, board in enumerate(boards.tolist()):
        empty = [(r, c) for r in range(shape[0]) for c in range(shape[1]) if not board[r][c]]
        for r, c in empty:
            for exponent, probability in ((1, 1 - four), (2, four)):
                if probability > 0:
                    board[r][c] = exponent
                    expected.append(([list(row) for row in board], parent, probability / len(empty)))
            board[r][c] = 0
    rows = zip(found.boards.tolist(), found.parents.tolist(), found.probabilities.tolist())
    for own, other in zip(rows, expected, strict=True):
        assert own[:2] == other[:2] and own[2] == pytest.approx(other[2])
    sums = np.bincount(found.parents, found.probabilities, 40)
    assert sums[0] == 0 and np.allclose(sums[(boards == 0).any(axis=(1, 2))], 1)
    assert tupelo.outcomes(boards[:0]).boards.shape == (0, *shape)
