"""Search with any network, beside `Model.search` and a plain reference."""

import numpy as np
import pytest
import reference
import tupelo
from conftest import random_boards


@pytest.fixture(scope="module")
def model():
    trainer = tupelo.Trainer({"network.patterns": "0123 4567", "training.games": 200, "training.threads": 1})
    trainer.train(progress=False)
    return trainer.model()


@pytest.fixture(scope="module")
def boards():
    return random_boards(np.random.default_rng(64), 64, largest=10)


def worth(after):
    """A value of an afterstate that no symmetry keeps."""
    return float(sum((number % 7 + 1) * tile for number, tile in enumerate(cell for row in after for cell in row)))


def values(afterstates):
    return np.array([worth(after) for after in afterstates.tolist()])


def expected(board, plies, four):
    """Plain expectimax on lists: the values of the four moves."""
    result = []
    for action in range(4):
        moved = reference.move(board, action)
        if moved is None:
            result.append(-np.inf)
            continue
        after, reward = moved
        if plies == 1:
            result.append(reward + worth(after))
            continue
        empty = [(r, c) for r, row in enumerate(after) for c, tile in enumerate(row) if not tile]
        total = 0.0
        for r, c in empty:
            for exponent, probability in ((1, 1 - four), (2, four)):
                after[r][c] = exponent
                if any(reference.legal(after)):
                    total += probability / len(empty) * max(expected(after, plies - 1, four))
            after[r][c] = 0
        result.append(reward + total)
    return result


@pytest.mark.parametrize("plies", [1, 2])
def test_a_search_with_the_values_of_a_model_is_its_search(model, boards, plies):
    found, own = tupelo.search(boards, model.values, plies), model.search(boards, plies=plies)
    assert np.allclose(found.values, own.values, rtol=1e-5, atol=1e-2) and np.array_equal(found.moves, own.moves)
    assert np.array_equal(found.plies, own.plies) and [a.dtype for a in found] == [a.dtype for a in own]
    given = tupelo.search(boards, model, plies)
    assert np.array_equal(given.values, own.values) and np.array_equal(given.moves, own.moves)


@pytest.mark.parametrize(
    ("plies", "shape", "four"), [(1, (4, 4), 0.1), (2, (4, 4), 0.3), (3, (3, 3), 0.1), (2, (2, 3), 0)]
)
def test_a_search_is_plain_expectimax(plies, shape, four, monkeypatch):
    """Also where the boards of a ply do not fit into one batch."""
    boards = random_boards(np.random.default_rng(plies), 12, shape, largest=5, empty=0.25)
    wanted = np.array([expected(board.tolist(), plies, four) for board in boards])
    for batch in (4096, 5):
        monkeypatch.setattr(tupelo.expectimax, "_BATCH", batch)
        found = tupelo.search(boards, values, plies, four_probability=four)
        assert np.allclose(found.values, wanted, rtol=1e-9)
        over = np.isneginf(wanted).all(axis=1)
        assert np.array_equal(found.moves, np.where(over, -1, wanted.argmax(axis=1)))


def test_the_forms_of_boards_and_the_nodes(model, boards):
    seen = []

    def counted(afterstates):
        assert afterstates.dtype == np.uint8 and afterstates.shape[1:] == (4, 4)
        seen.append(len(afterstates))
        return model.values(afterstates)[:, None]  # As a network with one output gives them.

    found = tupelo.search(boards[:6].reshape(2, 3, 4, 4), counted)
    assert found.moves.shape == (2, 3) and found.values.shape == (2, 3, 4) and found.nodes.sum() == sum(seen)
    for form in (tupelo.pack(boards[:6]), boards[:6].astype(np.int64)):
        assert np.array_equal(tupelo.search(form, model.values).values, found.values.reshape(6, 4))
    board = boards[0]
    for one in (board, board.tolist(), tupelo.pack(board), "".join("0123456789a"[tile] for tile in board.ravel())):
        for value in (model.values, model):
            analysis = tupelo.search(one, value)
            assert isinstance(analysis, tupelo.Analysis) and analysis.move == found.moves[0, 0]
            assert np.allclose(analysis.values, found.values[0, 0]) and analysis.plies == 2
    assert tupelo.search("1212212112122121", model.values)[:1] == (-1,)
    assert tupelo.search(boards[:0], model.values).values.shape == (0, 4)
    large = np.full((4, 4), 17)
    large[0, 0] = 0
    assert np.isfinite(tupelo.search(large, values).values).any()


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"value": 5}, TypeError, "^value is 5: give a function of afterstates"),
        ({"value": lambda after: None}, TypeError, "^value returns object"),
        ({"value": lambda after: 1.0}, ValueError, r"of shape \(\): give a number for each of \d+ afterstates"),
        ({"value": lambda after: np.zeros((len(after), 2))}, ValueError, "give a number for each of"),
        ({"value": lambda after: np.full(len(after), np.nan)}, ValueError, "not finite: give score points"),
        ({"plies": 0}, ValueError, "^plies is 0: give 1 to 8"),
        ({"plies": 1.5}, TypeError, "^plies is 1.5"),
        ({"four_probability": 2}, ValueError, "^four_probability is 2"),
        ({"boards": np.zeros(3)}, TypeError, "^boards is an array of float64"),
    ],
)
def test_wrong_arguments(arguments, error, text, boards):
    with pytest.raises(error, match=text):
        tupelo.search(**{"boards": boards[:2], "value": values, **arguments})
