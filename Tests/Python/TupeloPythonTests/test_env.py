"""The single environment: Gymnasium's checker, the reference game, states and bad input."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import reference
import tupelo
from conftest import SHAPES

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402

SETTINGS = [
    {},
    {"observation": "onehot"},
    {"observation": "planes"},
    {"reward": "log2"},
    {"illegal": "terminate", "illegal_reward": -1.0},
    {"shape": (2, 3), "start_tiles": 1, "four_probability": 0.5},
    {"shape": (3, 3), "observation": "onehot"},
    {"render_mode": "ansi"},
    {"render_mode": "rgb_array"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_gymnasiums_checker_has_no_warning(settings):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("tupelo/Game2048-v0", **settings).unwrapped)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("four", "start"), [(0.1, 2), (0.0, 1), (1.0, 3), (0.4, 2)])
def test_games_are_the_references(shape, four, start, rng):
    """Boards, rewards, masks and ends of whole games, moved at random and sometimes illegally."""
    env = tupelo.Game2048Env(shape=shape, four_probability=four, start_tiles=start)
    for seed in (1, 2, 2**63 + 5):
        game = reference.Game(seed, shape, four, start)
        observation, info = env.reset(seed=seed)
        assert observation.tolist() == game.board and info["score"] == 0
        for _ in range(400):
            legal = reference.mask(game.board)
            assert info["action_mask"].tolist() == [int(x) for x in legal]
            assert info["action_mask"].dtype == np.int8 and env.action_masks().tolist() == legal
            action = int(rng.integers(4))
            expected = reference.move(game.board, action)
            reward = game.play(action)
            observation, found, terminated, truncated, info = env.step(action)
            assert observation.tolist() == game.board and found == float(reward or 0)
            assert info["illegal"] == (reward is None) and info["score"] == game.score
            if expected is not None:
                assert info["afterstate"].dtype == np.uint8 and info["afterstate"].tolist() == expected[0]
            assert info["largest_tile"] == 1 << max(map(max, game.board))
            over = not any(reference.legal(game.board))
            assert terminated == over and not truncated
            if over:
                assert info["action_mask"].tolist() == [1, 1, 1, 1]
                break


def test_the_golden_game():
    """Play of the first legal move with seed 1 gives the figures in the engine's README."""
    env = tupelo.Game2048Env()
    _, info = env.reset(seed=1)
    plies, terminated = 0, False
    while not terminated:
        _, _, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        plies += 1
    assert (info["score"], plies, info["largest_tile"]) == (4040, 330, 256)


def test_a_reset_without_a_seed_continues_the_stream():
    env = tupelo.Game2048Env()
    game = reference.Game(9)
    env.reset(seed=9)
    for _ in range(3):
        game.reset()
        assert env.reset()[0].tolist() == game.board


def test_first_games_without_a_seed_differ():
    boards = {tupelo.Game2048Env().reset()[0].tobytes() for _ in range(20)}
    assert len(boards) > 5


@pytest.mark.parametrize("observation", ["onehot", "planes"])
def test_one_hot_observations(observation, rng):
    plain, other = tupelo.Game2048Env(), tupelo.Game2048Env(observation=observation)
    board, found = plain.reset(seed=3)[0], other.reset(seed=3)[0]
    for _ in range(200):
        expected = np.eye(18, dtype=np.uint8)[board]
        assert np.array_equal(found, expected if observation == "onehot" else expected.transpose(2, 0, 1))
        assert other.observation_space.contains(found)
        action = int(rng.integers(4))
        (board, _, terminated, *_), (found, *_) = plain.step(action), other.step(action)
        if terminated:
            board, found = plain.reset()[0], other.reset()[0]


def test_log2_rewards(rng):
    env, game = tupelo.Game2048Env(reward="log2"), reference.Game(5)
    env.reset(seed=5)
    for _ in range(300):
        action = int(rng.integers(4))
        expected = sum(reference.merges(game.board, action)) if reference.move(game.board, action) else 0
        game.play(action)
        _, found, terminated, _, _ = env.step(action)
        assert found == float(expected)
        if terminated:
            break


BLOCKED = [[1, 2, 0, 0], [0] * 4, [0] * 4, [0] * 4]  # Up and left are illegal.


def test_illegal_moves_are_ignored_ended_or_raised():
    env = tupelo.Game2048Env(illegal_reward=-2.5)
    env.reset(seed=1), env.set_board(BLOCKED)
    board, reward, terminated, _, info = env.step(0)
    assert board.tolist() == BLOCKED and (reward, terminated, info["illegal"]) == (
        -2.5,
        False,
        True,
    )
    env = tupelo.Game2048Env(illegal="terminate", illegal_reward=-1.0)
    env.reset(seed=1), env.set_board(BLOCKED)
    assert env.step(3)[1:3] == (-1.0, True)
    env = tupelo.Game2048Env(illegal="raise")
    env.reset(seed=1), env.set_board(BLOCKED)
    with pytest.raises(tupelo.IllegalMoveError, match="changes nothing"):
        env.step(0)
    assert env.step(1)[4]["illegal"] is False


def test_episodes_end_after_a_number_of_steps():
    env = tupelo.Game2048Env(max_episode_steps=7)
    env.reset(seed=1)
    for step in range(1, 8):
        _, _, terminated, truncated, info = env.step(step % 4)
        assert truncated == (step == 7) and not terminated
    made = gymnasium.make("tupelo/Game2048-v0", max_episode_steps=5)
    made.reset(seed=1)
    assert [made.step(n % 4)[3] for n in range(5)] == [False] * 4 + [True]


def test_a_policy_that_repeats_an_illegal_move_is_cut_off():
    """As a deterministic policy without masks does in the evaluation of any library."""
    for env in (gymnasium.make("tupelo/Game2048-v0"), gymnasium.make("tupelo/Game2048-v0", max_illegal_moves=5)):
        limit = env.unwrapped.spec.kwargs.get("max_illegal_moves", 100)
        env.reset(seed=1, options={"board": BLOCKED})
        assert not any(env.step(0)[3] for _ in range(limit - 1))
        assert env.step(0)[2:4] == (False, True)
    env = gymnasium.make("tupelo/Game2048-v0", max_illegal_moves=None)
    env.reset(seed=1, options={"board": BLOCKED})
    assert not any(env.step(0)[3] for _ in range(3000))


def futures(env, count=60):
    """The next `count` steps of an environment."""
    result = []
    for n in range(count):
        observation, reward, terminated, _, info = env.step(n * 7 % 4)
        result.append((observation.tolist(), reward, terminated, info["score"]))
        if terminated:
            result.append(env.reset()[0].tolist())
    return result


def test_states_pickles_and_copies_have_equal_futures():
    env = tupelo.Game2048Env(shape=(3, 3))
    env.reset(seed=11)
    futures(env, 25)
    state = env.get_state()
    copied, pickled = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    other = tupelo.Game2048Env(shape=(3, 3))
    other.set_state(state)
    expected = futures(env)
    assert futures(copied) == expected and futures(pickled) == expected and futures(other) == expected
    env.set_state(state)
    assert futures(env) == expected
    assert futures_of_state(pickle.loads(pickle.dumps(state))) == expected


def futures_of_state(state):
    env = tupelo.Game2048Env(shape=(3, 3))
    env.set_state(state)
    return futures(env)


def test_states_from_outside_are_checked():
    env = tupelo.Game2048Env(shape=(3, 3))
    env.reset(seed=1)
    before = env.get_state()
    other = tupelo.Game2048Env()
    other.reset(seed=1)
    for fault in (other.get_state(), None, 5, {"board": 3}):
        with pytest.raises((TypeError, ValueError), match="state"):
            env.set_state(fault)
    for field, value in [
        ("board", np.uint64(1 << 60)), ("board", ((1, 2), (3, 4))), ("board", ((18, 0, 0),) * 3),
        ("score", -1), ("random", (0, 0, 0, 0)), ("random", (1, 2)), ("plies", -4),
        ("board", None), ("board", -1), ("board", 1), ("score", "1"), ("score", 1 << 63), ("plies", 1.0),
        ("plies", 2), ("steps", None), ("random", None), ("random", 5), ("random", (1, 2, 3, "4")),
        ("random", (1, 2, 3, 1 << 64)),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError), match="state|random|boards"):
            env.set_state(before._replace(**{field: value}))
    assert env.get_state() == before


def test_boards_from_outside():
    env = tupelo.Game2048Env()
    env.reset(seed=1)
    env.set_board("00000000000000gg")
    board, reward, *_, info = env.step(1)
    assert board[3].tolist().count(17) == 1 and reward == 131072 and info["largest_tile"] == 131072
    for fault in ("0", "z" * 16, [[1, 2], [3, 4]], np.full((4, 4), 18), 1 << 65, None, np.zeros((2, 4, 4), int)):
        with pytest.raises((TypeError, ValueError), match="^board "):
            env.set_board(fault)
    env.set_board(np.array([[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2], [2, 1, 2, 1]]))
    with pytest.raises(tupelo.Error, match="over|ended|reset"):
        env.step(0)


@pytest.mark.parametrize("action", [4, -1, 1.5, "up", None, 2**70, np.array([1, 2]), np.nan])
def test_actions_out_of_range(action):
    env = tupelo.Game2048Env()
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises((TypeError, ValueError), match="^action is .*: give 0 "):
        env.step(action)
    assert env.get_state() == before


@pytest.mark.parametrize("action", [np.int64(1), np.int32(1), np.uint8(1), np.array(1)])
def test_actions_of_numpy(action):
    env = tupelo.Game2048Env()
    env.reset(seed=1)
    env.step(action)


@pytest.mark.parametrize(
    "settings",
    [
        {"shape": (5, 4)}, {"shape": (1, 4)}, {"shape": 4}, {"shape": "44x"}, {"four_probability": 1.5},
        {"four_probability": float("nan")}, {"four_probability": "0.1x"}, {"start_tiles": 0}, {"start_tiles": 16},
        {"observation": "rgb"}, {"reward": "points"}, {"illegal": "punish"}, {"illegal_reward": float("inf")},
        {"illegal_reward": "-1x"}, {"max_episode_steps": 0}, {"max_episode_steps": 2.5}, {"render_mode": "human"},
    ],
    ids=str,
)  # fmt: skip
def test_settings_out_of_range(settings):
    with pytest.raises((TypeError, ValueError), match=next(iter(settings)).split("_")[0]):
        tupelo.Game2048Env(**settings)


def test_a_setting_that_does_not_exist_is_named():
    for make in (tupelo.Game2048Env, lambda **settings: gymnasium.make("tupelo/Game2048-v0", **settings)):
        with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
            make(size=4)


def test_games_that_begin_on_a_board():
    env = tupelo.Game2048Env(shape=(3, 3))
    for board in (BLOCKED_3X3, np.array(BLOCKED_3X3), "120000000", tupelo.pack(BLOCKED_3X3)):
        observation, info = env.reset(seed=3, options={"board": board})
        assert observation.tolist() == BLOCKED_3X3 and info["score"] == 0 and info["afterstate"].tolist() == BLOCKED_3X3
        assert info["action_mask"].tolist() == [0, 1, 1, 0]
    expected = tupelo.Game2048Env(shape=(3, 3))
    expected.reset(seed=3), expected.set_board(BLOCKED_3X3)
    assert np.array_equal(env.step(1)[0], expected.step(1)[0])
    before = env.get_state()
    for options, error, text in (
        ({"bord": 1}, ValueError, r"^options has 'bord': give 'board'$"), (5, TypeError, "^options is 5: give a dict"),
        ({"board": [BLOCKED_3X3]}, ValueError, r"^options\['board'\] has boards of shape \(1,\): give one board$"),
        ({"board": BLOCKED}, ValueError, r"^options\['board'\] has boards of shape \(4, 4\): give boards of shape"),
    ):  # fmt: skip
        with pytest.raises(error, match=text):
            env.reset(options=options)
    assert env.get_state() == before


BLOCKED_3X3 = [[1, 2, 0], [0, 0, 0], [0, 0, 0]]


def test_seeds_out_of_range():
    env = tupelo.Game2048Env()
    for seed in (-1, 1.5, "1"):
        with pytest.raises((TypeError, ValueError, gymnasium.error.Error), match="^seed is"):
            env.reset(seed=seed)


def test_a_step_before_the_first_reset_is_refused():
    with pytest.raises(tupelo.Error, match="reset"):
        tupelo.Game2048Env().step(0)


def test_pictures():
    text = tupelo.Game2048Env(render_mode="ansi")
    text.reset(seed=1), text.set_board("123456789abcdefg")
    assert text.render().splitlines()[1] == "|     2|     4|     8|    16|"
    assert "65536" in text.render()
    pixels = tupelo.Game2048Env(render_mode="rgb_array", shape=(2, 3))
    pixels.reset(seed=1)
    picture = pixels.render()
    assert picture.dtype == np.uint8 and picture.shape == (144, 212, 3)
    assert "<svg" in pixels._repr_html_() and "score 0" in pixels._repr_html_()


def test_unknown_ids_are_gymnasiums_error():
    with pytest.raises(gymnasium.error.UnregisteredEnv):
        gymnasium.make("tupelo/Game2049-v0")


def test_episode_statistics():
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make("tupelo/Game2048-v0"))
    _, info = env.reset(seed=1)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(int(info["action_mask"].argmax()))
        total += reward
    assert info["episode"]["r"] == total == 4040 and info["episode"]["l"] == 330
