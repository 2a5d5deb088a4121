"""The files of version 1.0.0 in Tests/Fixtures, against values that Python works out with nothing of Tupelo."""

import importlib.util

import numpy as np
import pytest
import tupelo


@pytest.fixture(scope="module")
def fixtures(repository):
    return repository / "Tests/Fixtures/1.0.0"


@pytest.fixture(scope="module")
def game(fixtures):
    """The boards after each move of the recorded game, with their values and the score."""
    spec = importlib.util.spec_from_file_location("values", fixtures / "values.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.game())


def test_the_golden_values_are_those_of_plain_python(fixtures, game):
    lines = [f"{''.join(f'{tile:x}' for tile in board)} {value:.3f} {score}" for board, value, score in game]
    assert lines == (fixtures / "values.txt").read_text().splitlines()


def test_models_have_their_values(fixtures, game):
    boards = np.array([board for board, _, _ in game], np.uint8).reshape(-1, 3, 3)
    values = tupelo.Model.load(fixtures / "model.safetensors").values(boards)
    np.testing.assert_allclose(values, [value for _, value, _ in game], atol=0.01)


def test_a_checkpoint_goes_on_to_the_model(fixtures):
    trainer = tupelo.Trainer.resume(fixtures / "checkpoint.safetensors")
    assert trainer.games == 200
    trainer.train(games=200, progress=False)
    assert trainer.games == 400
    model = tupelo.Model.load(fixtures / "model.safetensors")
    for own, stored in zip(trainer.model().tables(), model.tables(), strict=True):
        np.testing.assert_array_equal(own, stored)
