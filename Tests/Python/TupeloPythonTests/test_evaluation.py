"""Evaluations of models, agents and functions."""

import numpy as np
import pytest
import tupelo
from conftest import SHAPES
from reference import Game, Stream, legal


@pytest.fixture(scope="module")
def model():
    trainer = tupelo.Trainer({"network.patterns": "0123 4567", "training.games": 100, "training.threads": 1})
    trainer.train(progress=False)
    return trainer.model()


def same(found, expected):
    for name in ("scores", "moves", "outcomes"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    own = ("agent", "model", "network_fingerprint", "seconds", "moves_per_second")
    facts = [{key: value for key, value in report.items() if key not in own} for report in (found, expected)]
    assert facts[0] == facts[1]


def greedy(model):
    def play(exponents, masks):
        assert exponents.dtype == np.uint8 and masks.dtype == np.bool_ and exponents.shape == (len(masks), 4, 4)
        moves = model.best_moves(exponents)
        assert masks[np.arange(len(masks)), moves].all()
        return moves

    return play


@pytest.mark.parametrize("games", [1, 7, 40])
def test_a_function_plays_the_games_of_a_model(model, games, monkeypatch):
    """Game k has the random numbers of (seed, k): a function with the moves of a model gets its results, one by one,
    for any number of games at once."""
    expected = model.evaluate(games, seed=9)
    for batch in (1, 6, 1024):
        monkeypatch.setattr(tupelo.evaluation, "_BATCH", batch)
        found = tupelo.evaluate(greedy(model), games, seed=9)
        same(found, expected)
    assert found["agent"] == "play" and found["games"] == games and found["seed"] == 9
    same(tupelo.evaluate(model, games, seed=9), expected)


@pytest.mark.parametrize("shape", SHAPES)
def test_other_rules(shape):
    """The first legal move, with the random stream (3, k) for game k of the reference."""
    rules = {"shape": shape, "four_probability": 0.4, "start_tiles": 1}
    found = tupelo.evaluate(lambda exponents, masks: masks.argmax(axis=1), 5, seed=3, **rules)
    assert found["board"] == f"{shape[0]}x{shape[1]}" and found["four_probability"] == 0.4
    for number in range(5):
        game = Game(0, shape, 0.4, 1)
        game.random = Stream(3, number)
        game.reset()
        while any(legal(game.board)):
            game.play(legal(game.board).index(True))
        assert (found.scores[number], found.moves[number]) == (game.score, game.plies)
        assert found.outcomes[number] == 1 << max(map(max, game.board))


def test_agents_by_name():
    reports = {name: tupelo.evaluate(name, 30, threads=1) for name in ("random", "greedy", "heuristic")}
    assert reports["random"].score_mean + reports["random"].score_margin < reports["greedy"].score_mean
    same(reports["greedy"], reports["heuristic"])
    assert tupelo.evaluate("random", 10, shape=(3, 3))["board"] == "3x3"
    with pytest.raises(ValueError, match="clever"):
        tupelo.evaluate("clever", 5)


def test_intervals_are_those_of_the_results(model):
    report = tupelo.evaluate(greedy(model), 50)
    scores = report.scores.astype(float)
    assert report.score_mean == pytest.approx(scores.mean())
    assert report.score_margin == pytest.approx(2.0096 * scores.std(ddof=1) / np.sqrt(50), rel=1e-4)  # Student, 49.


def test_a_difference_is_one_of_pairs(model):
    reports = [tupelo.evaluate(player, 50, seed=4) for player in (greedy(model), "random")]
    mean, margin = reports[0].difference(reports[1])
    pairs = (reports[0].scores - reports[1].scores).astype(float)
    assert mean == pytest.approx(pairs.mean()) and mean == -reports[1].difference(reports[0])[0]
    assert margin == pytest.approx(2.0096 * pairs.std(ddof=1) / np.sqrt(50), rel=1e-4)  # Student, 49.
    assert reports[0].difference(reports[0]) == (0, 0)
    for other, error, text in (
        (5, TypeError, "^other is 5: give a Report$"),
        (tupelo.evaluate("random", 50, seed=5), ValueError, "^other has seed 5, and this report 4: give a report"),
        (tupelo.evaluate("random", 49, seed=4), ValueError, "^other has games 49"),
    ):
        with pytest.raises(error, match=text):
            reports[0].difference(other)


def test_progress_of_a_function():
    told = []
    tupelo.evaluate(lambda exponents, masks: masks.argmax(axis=1), 20, progress=lambda *numbers: told.append(numbers))
    assert told[-1] == (20, 20) and told == sorted(told)


@pytest.mark.parametrize(
    ("function", "error", "text"),
    [
        (lambda exponents, masks: masks.argmin(axis=1), tupelo.IllegalMoveError, "give a move where the mask, the sec"),
        (lambda exponents, masks: np.zeros(3), TypeError, r"float64 of shape \(3,\): give whole numbers of shape"),
        (lambda exponents, masks: np.zeros(3, int), ValueError, r"of shape \(3,\): give whole numbers of shape \(5,\)"),
        (lambda exponents, masks: np.full(len(masks), 4), ValueError, r"is 4: give 0 \(up\)"),
        (lambda exponents, masks: np.full(len(masks), -1), ValueError, r"is -1: give 0 \(up\)"),
        (lambda exponents, masks: None, TypeError, r"give whole numbers of shape \(5,\)"),
        (lambda exponents, masks: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_functions_that_do_not_play(function, error, text):
    with pytest.raises(error, match=text):
        tupelo.evaluate(function, 5)


def test_a_model_searches_in_its_games(model):
    same(tupelo.evaluate(model, 3, plies=2), model.evaluate(3, plies=2))
    same(tupelo.evaluate(model, 3, plies=1), tupelo.evaluate(model, 3))
    remedies = {"greedy": r"the agent 'expectimax\(plies: 2\)'", greedy(model): "a function that searches"}
    for player, remedy in remedies.items():
        with pytest.raises(ValueError, match=f"^plies is 2, .* not a Model: give plies=None, and {remedy}$"):
            tupelo.evaluate(player, 3, plies=2)


@pytest.mark.parametrize(
    "arguments", [{"player": 5}, {"games": 0}, {"seed": -1}, {"threads": 0}, {"shape": (5, 5)}, {"start_tiles": 0},
                  {"four_probability": 2}, {"games": 1.5}], ids=str,
)  # fmt: skip
def test_bad_arguments(arguments):
    with pytest.raises((TypeError, ValueError), match=next(iter(arguments)).split("_")[0]):
        tupelo.evaluate(**{"player": lambda exponents, masks: masks.argmax(axis=1), **arguments})


def test_the_shape_of_a_model_stands(model):
    with pytest.raises(ValueError, match=r"^shape is \(3, 3\): give \(4, 4\)"):
        tupelo.evaluate(model, games=1, shape=(3, 3))
    assert tupelo.evaluate(model, games=1, shape=(4, 4))["games"] == 1
