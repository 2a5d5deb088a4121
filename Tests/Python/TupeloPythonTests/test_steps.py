"""Every array of every step, for all shapes and settings of a batch of games, as hashes that an earlier library made.

Run as a program, this file prints `Tests/Fixtures/golden-steps.txt`."""

import hashlib
import itertools

import numpy as np
import pytest
from conftest import SHAPES
from tupelo._games import Games
from tupelo._settings import Settings
from tupelo.boards import Given

#: More games than a block of the library has, and not a multiple of it.
COUNT, STEPS = 150, 1500
MODES = ("next_step", "same_step", "disabled")
#: Settings that go with each mode, so that each setting meets each shape and each mode.
SETTINGS = (
    {"observation": "exponents", "reward": "score", "illegal": "ignore", "max_episode_steps": 300},
    {"observation": "onehot", "reward": "log2", "illegal": "terminate", "illegal_reward": -1.5},
    {"observation": "planes", "reward": "score", "illegal": "raise", "four_probability": 0.3, "start_tiles": 3},
)
#: The arrays that the earlier library had.
HASHED = {
    "boards", "overflow", "random", "scores", "plies", "steps", "ended", "rewards", "terminated", "truncated",
    "action_masks", "largest_tiles", "afterstates", "afterstate_overflow", "illegal_actions", "observations",
    "final_boards", "final_scores", "final_largest_tiles", "final_action_masks", "final_observations",
}  # fmt: skip
CASES = list(itertools.product(SHAPES, MODES, SETTINGS))


def name(case):
    shape, mode, settings = case
    return f"{shape[0]}x{shape[1]} {mode} {settings['observation']}"


def mixed(*words):
    """Random words of 64 bits, which depend on whole numbers and arrays alone (SplitMix64)."""
    value = np.zeros(1, np.uint64)
    for word in words:
        value = (value + np.asarray(word, np.uint64)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
        value = (value ^ value >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ value >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        value = value ^ value >> np.uint64(31)
    return value


def digest(case):
    """The hash of all arrays after each step. A third of the games starts on boards with tiles up to 131072."""
    shape, mode, settings = case
    games, hash = Games(COUNT, Settings(shape, **settings), autoreset=mode), hashlib.blake2b(digest_size=8)
    games.reset(np.arange(COUNT, dtype=np.uint64))
    state, cells = games.save(), np.arange(COUNT * shape[0] * shape[1]).reshape(COUNT, *shape)
    tiles = np.where(mixed(1, cells) % np.uint64(4) == 0, 0, mixed(2, cells) % np.uint64(18)).astype(np.uint8)
    large, given = np.arange(COUNT) % 3 == 0, Given(tiles, shape, "tiles")
    state["boards"][large], state["overflow"][large] = given.bits[large], given.high[large]
    games.load(state)
    names = sorted({field for field, _, _ in games._fields()} & HASHED)
    number = np.arange(COUNT)
    for step in range(STEPS):
        if mode == "disabled" and games.ended.any():
            games.reset(None, games.ended != 0)
        actions = (mixed(step, number) >> np.uint64(62)).astype(np.int64)
        if settings["illegal"] == "raise":  # The first legal action from this one on.
            turned = np.stack([games.action_masks[number, (actions + k) % 4] for k in range(4)], axis=1)
            actions = (actions + turned.argmax(axis=1)) % 4
            actions[games.ended != 0] = 0
        if step == STEPS // 2 and mode != "disabled":
            hash.update(repr(games.random_steps(20, step)).encode())
        else:
            games.step(actions)
        for field in names:
            hash.update(np.ascontiguousarray(getattr(games, field)))
    return hash.hexdigest()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_array_of_every_step_is_that_of_an_earlier_library(case, repository):
    lines = (repository / "Tests/Fixtures/golden-steps.txt").read_text().splitlines()
    assert f"{name(case)} {digest(case)}" in lines and len(lines) == len(CASES)


if __name__ == "__main__":
    print(*(f"{name(case)} {digest(case)}" for case in CASES), sep="\n")
