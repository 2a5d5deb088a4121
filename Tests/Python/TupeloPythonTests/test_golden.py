"""The golden games that the engine in Swift repeats in GoldenGamesTests, on all shapes and with all settings."""

from itertools import groupby

import numpy as np
import pytest
import tupelo
from reference import PLAYERS

pytest.importorskip("gymnasium")

SETTINGS = [
    {"autoreset_mode": "NextStep"},
    {"autoreset_mode": "SameStep"},
    {"autoreset_mode": "Disabled"},
    {"observation": "onehot", "reward": "log2", "autoreset_mode": "SameStep"},
    {"observation": "planes", "illegal": "terminate", "illegal_reward": -1.0},
    {"observation": "onehot", "illegal": "raise", "max_episode_steps": 1000},
    {"observation": "planes", "reward": "log2", "autoreset_mode": "Disabled", "threads": 2},
]


@pytest.fixture(scope="module")
def games(repository):
    """Shape, probability of a 4 and start tiles, each with its games: seed, player, score, moves, exponents, board."""
    lines = (repository / "Tests/Fixtures/golden-games.txt").read_text().splitlines()
    assert len(lines) == 324
    words = [line.split() for line in lines]
    return [
        (((int(rows), int(columns)), float(four), int(start)), [tuple(line[4:]) for line in group])
        for (rows, columns, four, start), group in groupby(words, key=lambda line: tuple(line[:4]))
    ]


def exponents(observation, form):
    if form == "exponents":
        return observation
    return observation.argmax(axis=-1 if form == "onehot" else 0)


def text(board):
    return "".join("0123456789abcdefgh"[tile] for tile in board.ravel())


def end(seed, player, score, plies, made, board):
    return seed, player, str(score), str(plies), str(made), board


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_vector_environments_play_the_golden_games(games, settings):
    form, is_log = settings.get("observation", "exponents"), settings.get("reward") == "log2"
    mode = settings.get("autoreset_mode", "NextStep")
    for (shape, four, start), lines in games:
        envs = tupelo.Game2048VectorEnv(len(lines), shape=shape, four_probability=four, start_tiles=start, **settings)
        envs.reset(seed=[int(line[0]) for line in lines])
        found, sums, steps = {}, np.zeros(len(lines)), 0
        while len(found) < len(lines):
            if mode == "Disabled" and envs.ended.any():
                envs.reset(options={"reset_mask": envs.ended.copy()})
            actions = [PLAYERS[line[1]](steps, np.flatnonzero(m)) for line, m in zip(lines, envs.action_mask)]
            observations, rewards, terminated, _, info = envs.step(np.array(actions))
            sums += rewards
            steps += 1
            for n in np.flatnonzero(terminated):
                if n in found:
                    continue
                last = info["final_obs"][n] if mode == "SameStep" else observations[n]
                score = (info["final_info"] if mode == "SameStep" else info)["score"][n]
                made = int(sums[n]) if is_log else lines[n][4]
                assert is_log or score == sums[n]
                found[n] = end(*lines[n][:2], score, steps, made, text(exponents(last, form)))
        assert [found[n] for n in range(len(lines))] == lines


def test_single_environments_play_the_golden_games(games):
    for (shape, four, start), lines in games:
        env = tupelo.Game2048Env(shape=shape, four_probability=four, start_tiles=start, reward="log2")
        for line in lines:
            _, info = env.reset(seed=int(line[0]))
            made, plies, over = 0.0, 0, False
            while not over:
                action = PLAYERS[line[1]](plies, np.flatnonzero(info["action_mask"]))
                board, reward, over, _, info = env.step(int(action))
                made, plies = made + reward, plies + 1
            assert end(*line[:2], info["score"], plies, int(made), text(board)) == line
