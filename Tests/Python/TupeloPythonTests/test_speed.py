"""Floors of speed, so low that a busy machine passes them: they catch steps that began to copy or to loop in Python."""

import time

import numpy as np
import pytest
import tupelo

gymnasium = pytest.importorskip("gymnasium")


def rate(step, steps, repeats=7):
    """Steps per second of the fastest of several runs."""
    best = 0.0
    for _ in range(repeats):
        begin = time.perf_counter()
        step()
        best = max(best, steps / (time.perf_counter() - begin))
    return best


def play(env, actions):
    for action in actions:
        if env.step(action)[2]:
            env.reset()


def test_a_thousand_games():
    envs = gymnasium.make_vec("tupelo/Game2048-v0", num_envs=1024)
    envs.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, (200, 1024))

    def run():
        for row in actions:
            envs.step(row)

    assert rate(run, actions.size) > 5e6


def test_one_game():
    """Ten times the peer in plain Python; on a quiet machine it is more than twenty times."""
    pytest.importorskip("gymnasium_2048")
    ours = tupelo.Game2048Env()
    other = gymnasium.make("gymnasium_2048/TwentyFortyEight-v0").unwrapped
    actions = np.random.default_rng(1).integers(0, 4, 2000).tolist()
    ours.reset(seed=1), other.reset(seed=1)
    assert rate(lambda: play(ours, actions), 2000) > 10 * rate(lambda: play(other, actions[:200]), 200)


def test_training_is_not_slower_than_the_program_by_its_reports():
    """Slices and reports cost less than a fifth of the time of an undivided slice."""
    settings = {"network.layout": "17x4", "learner.step_size": "constant", "learner.alpha": 0.0425}
    trainer = tupelo.Trainer({**settings, "averaging.every_games": 0, "training.threads": 1})
    trainer.train(200, progress=False)
    rates = {0.05: 0.0, 5.0: 0.0}
    for _ in range(4):
        for seconds in rates:
            before, begin = trainer.moves, time.perf_counter()
            for _ in trainer.run(800, seconds_per_report=seconds):
                pass
            rates[seconds] = max(rates[seconds], (trainer.moves - before) / (time.perf_counter() - begin))
    assert rates[0.05] > 0.8 * rates[5.0]
