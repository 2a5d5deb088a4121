"""The vector environment alone, and compared with Gymnasium's SyncVectorEnv of single environments."""

import copy
import pickle
import sys

import numpy as np
import pytest
import reference
import tupelo
from conftest import SHAPES

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]
ID = "tupelo/Game2048-v0"


def same(found, expected, path="info"):
    """Equal values, also in nested infos and in arrays of objects."""
    if isinstance(expected, dict):
        assert set(found) == set(expected), path
        for key in expected:
            same(found[key], expected[key], f"{path}.{key}")
    elif np.asarray(expected).dtype.kind == "O":
        for one, other in zip(found, expected, strict=True):
            assert (one is None) == (other is None) and (one is None or np.array_equal(one, other)), path
    else:
        assert np.array_equal(found, expected), (path, found, expected)
        # Gymnasium's rewards are float64.
        assert path == "reward" or np.asarray(found).dtype == np.asarray(expected).dtype, path


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"shape": (2, 2)},
        {"shape": (3, 2), "observation": "onehot", "reward": "log2"},
        {
            "shape": (3, 3),
            "illegal": "terminate",
            "illegal_reward": -3.0,
            "observation": "planes",
        },
        {
            "shape": (2, 4),
            "max_episode_steps": 9,
            "max_illegal_moves": 3,
            "four_probability": 0.5,
            "start_tiles": 3,
        },
    ],
    ids=str,
)
def test_equal_to_a_sync_vector_env(mode, settings, rng):
    count, steps = 7, 400
    ours = gymnasium.make_vec(ID, num_envs=count, autoreset_mode=mode, **settings)
    makers = [lambda: tupelo.Game2048Env(**settings) for _ in range(count)]
    sync = SyncVectorEnv(makers, autoreset_mode=mode)
    assert ours.metadata["autoreset_mode"] is mode
    assert ours.single_observation_space == sync.single_observation_space
    assert ours.observation_space == sync.observation_space and ours.action_space == sync.action_space
    found, expected = ours.reset(seed=5), sync.reset(seed=5)
    same(found[0], expected[0]), same(found[1], expected[1])
    ended = 0
    for _ in range(steps):
        actions = rng.integers(0, 4, count)
        found, expected = ours.step(actions), sync.step(actions)
        for one, other, name in zip(
            found,
            expected,
            ("obs", "reward", "terminated", "truncated", "info"),
            strict=True,
        ):
            same(one, other, name)
        ended += int((found[2] | found[3]).sum())
    assert ended > (0 if settings else -1)


def test_types():
    envs = gymnasium.make_vec(ID, num_envs=3)
    observations, _ = envs.reset(seed=1)
    assert observations.dtype == np.uint8 and observations.shape == (3, 4, 4)
    observations, rewards, terminated, truncated, info = envs.step(np.zeros(3, np.int64))
    assert (rewards.dtype, terminated.dtype, truncated.dtype) == (
        np.float32,
        np.bool_,
        np.bool_,
    )
    assert info["action_mask"].dtype == np.int8 and info["_action_mask"].all()
    assert envs.observation_space.contains(observations)


@pytest.mark.parametrize("threads", [2, 3])
def test_results_do_not_depend_on_threads(threads):
    one = tupelo.Game2048VectorEnv(5000, autoreset_mode="SameStep")
    more = tupelo.Game2048VectorEnv(5000, autoreset_mode="SameStep", threads=threads)
    one.reset(seed=3), more.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(30):
        actions = rng.integers(0, 4, 5000)
        for found, expected in zip(more.step(actions), one.step(actions), strict=True):
            same(found, expected)
    assert one.random_steps(50, 7) == more.random_steps(50, 7)
    assert np.array_equal(one.boards, more.boards) and one.get_states() == more.get_states()


def test_without_autoreset_games_wait_for_a_mask():
    envs = tupelo.Game2048VectorEnv(4, shape=(2, 2), autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    over = np.zeros(4, bool)
    while not over.any():
        _, _, over, _, info = envs.step(envs.action_mask.argmax(axis=1))
    before = envs.boards.copy()
    with pytest.raises(tupelo.GameOverError):
        envs.step(np.zeros(4, np.int64))
    assert np.array_equal(envs.boards, before)
    options = {"reset_mask": over.copy()}
    observations, info = envs.reset(options=options)
    assert list(options) == ["reset_mask"] and np.array_equal(options["reset_mask"], over)
    assert np.array_equal(info["_score"], over) and not envs.ended.any()
    assert np.array_equal(envs.boards[~over], before[~over]) and (envs.scores[over] == 0).all()
    assert observations.shape == (4, 2, 2)


def test_resets_with_seeds_for_some_games():
    envs = tupelo.Game2048VectorEnv(3)
    first, _ = envs.reset(seed=[4, 9, 4])
    assert np.array_equal(first[0], first[2]) and not np.array_equal(first[0], first[1])
    for seed, board in zip((4, 9), first, strict=False):
        assert board.tolist() == reference.Game(seed).board
    again, _ = envs.reset(seed=[4, None, 9])
    game = reference.Game(9)
    game.reset()
    assert np.array_equal(again[0], first[0]) and again[1].tolist() == game.board
    assert np.array_equal(again[2], first[1])


@pytest.mark.parametrize("mask", [np.ones(3, int), np.ones(2, bool), [True] * 3, np.zeros(3, bool), None])
def test_bad_reset_masks_are_refused(mask):
    envs = tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1)
    error = ValueError if isinstance(mask, np.ndarray) and mask.dtype == bool else TypeError
    with pytest.raises(error, match="^reset_mask .*: give a bool array of shape"):
        envs.reset(options={"reset_mask": mask})


def test_bad_seeds_are_refused():
    envs = tupelo.Game2048VectorEnv(3)
    for seed in (-1, [1, 2], [1, 2, -3], [1, 2, 2**64], 2**64, "abc"):
        with pytest.raises((TypeError, ValueError, gymnasium.error.Error), match="^seed"):
            envs.reset(seed=seed)


def test_a_mask_before_the_first_reset_is_refused():
    with pytest.raises(tupelo.GameOverError, match="reset_mask"):
        tupelo.Game2048VectorEnv(2).reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(tupelo.GameOverError, match="reset"):
        tupelo.Game2048VectorEnv(2).step(np.zeros(2, np.int64))


@pytest.mark.parametrize(
    "actions",
    [np.zeros(2, np.int64), np.zeros((3, 1), np.int64), np.zeros(3), np.array([0, 4, 0]), np.array([0, -1, 0]),
     np.array([0, 2**63, 0], np.uint64), None, "abc", [0, 1], [0, 1, None]],
    ids=str,
)  # fmt: skip
def test_bad_actions_are_refused_and_move_nothing(actions):
    envs = tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1)
    before = envs.get_states()
    error = ValueError if np.asarray(actions).dtype.kind in "iu" else TypeError
    with pytest.raises(error, match="^actions"):
        envs.step(actions)
    assert envs.get_states() == before


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint8, np.uint64])
def test_actions_of_any_integer_type(kind):
    envs, other = tupelo.Game2048VectorEnv(3), tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1), other.reset(seed=1)
    actions = np.array([3, 1, 2])
    assert np.array_equal(envs.step(actions.astype(kind))[0], other.step(np.repeat(actions, 2)[::2])[0])


def test_actions_that_are_read_only():
    envs, other = tupelo.Game2048VectorEnv(3), tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1), other.reset(seed=1)
    actions = np.array([3, 1, 2])
    actions.flags.writeable = False
    assert np.array_equal(envs.step(actions)[0], other.step(actions.copy())[0])


def test_illegal_moves_raise_and_move_nothing():
    envs = tupelo.Game2048VectorEnv(2, illegal="raise")
    envs.reset(seed=1)
    envs.set_boards(["1200000000000000", "1111000000000000"])
    before = envs.get_states()
    with pytest.raises(tupelo.IllegalMoveError):
        envs.step(np.array([0, 3]))
    assert envs.get_states() == before
    envs.step(np.array([1, 3]))


def test_results_are_copies_unless_it_is_asked_otherwise():
    envs = tupelo.Game2048VectorEnv(2)
    first, _ = envs.reset(seed=1)
    kept = first.copy()
    second = envs.step(np.array([1, 1]))[0]
    assert np.array_equal(first, kept) and not np.shares_memory(first, second)
    envs = tupelo.Game2048VectorEnv(2, copy=False)
    first, _ = envs.reset(seed=1)
    assert np.shares_memory(first, envs.step(np.array([1, 1]))[0])


def test_a_step_is_as_much_python_for_any_number_of_games():
    """No part of a step is a loop of Python over the games, not even a loop without calls."""

    def instructions(count):
        envs = gymnasium.make_vec(ID, num_envs=count)
        envs.reset(seed=1)
        actions = np.ones(count, int)
        envs.step(actions)
        seen = 0

        def trace(frame, event, argument):
            nonlocal seen
            frame.f_trace_opcodes = True
            seen += event == "opcode"
            return trace

        sys.settrace(trace)
        try:
            envs.step(actions)
        finally:
            sys.settrace(None)
        return seen

    assert 0 < instructions(2) == instructions(1000)


@pytest.mark.parametrize("mode", MODES)
def test_results_are_equal_with_and_without_copies(mode):
    """Also the ends of games, and copies that the caller keeps do not change in later steps."""
    settings = {"num_envs": 9, "shape": (2, 3), "max_episode_steps": 30, "autoreset_mode": mode}
    copies, views = tupelo.Game2048VectorEnv(**settings), tupelo.Game2048VectorEnv(copy=False, **settings)
    copies.reset(seed=4), views.reset(seed=4)
    kept, ends = [], 0
    for step in range(200):
        actions = np.arange(9) * step % 4
        found, expected = copies.step(actions), views.step(actions)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
        ends += int((found[2] | found[3]).sum())
        kept.append((found, copy.deepcopy(found)))
        assert np.array_equal(views.afterstates, copies.afterstates)
    assert ends > 20
    for found, expected in kept:
        for one, other in zip(found, expected, strict=True):
            same(one, other)


def test_results_in_the_callers_buffers():
    buffers = {
        "observations": np.zeros((4, 4, 4), np.uint8),
        "rewards": np.zeros(4, np.float32),
        "terminated": np.zeros(4, bool),
        "truncated": np.zeros(4, bool),
        "action_masks": np.zeros((4, 4), np.int8),
    }
    ours, plain = (
        tupelo.Game2048VectorEnv(4, buffers=buffers),
        tupelo.Game2048VectorEnv(4),
    )
    ours.reset(seed=2), plain.reset(seed=2)
    for step in range(50):
        actions = np.full(4, step % 4)
        ours.step_into(actions)
        expected = plain.step(actions)
        for name, array in zip(
            ("observations", "rewards", "terminated", "truncated"),
            expected,
            strict=False,
        ):
            assert np.array_equal(buffers[name], array)
        assert np.array_equal(buffers["action_masks"], expected[4]["action_mask"])


@pytest.mark.parametrize(
    "buffers",
    [
        {"observations": np.zeros((4, 4, 4), np.int8)},
        {"observations": np.zeros((3, 4, 4), np.uint8)},
        {"rewards": np.zeros(8, np.float32)[::2]},
        {"rewards": np.zeros(4)},
        {"rewards": [0.0] * 4},
        {"terminated": np.zeros(4, np.uint8)},
        {"boards": np.zeros(4, np.uint64)},
    ],
    ids=str,
)
def test_bad_buffers_are_refused(buffers):
    with pytest.raises((TypeError, ValueError), match="^buffers"):
        tupelo.Game2048VectorEnv(4, buffers=buffers)
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        tupelo.Game2048VectorEnv(4, buffers={"rewards": array})


def test_state_is_read_only():
    envs = tupelo.Game2048VectorEnv(2)
    envs.reset(seed=1)
    for name in ("scores", "plies", "ended", "action_mask"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(envs, name)[:] = 1
    before = envs.boards
    for name in ("boards", "afterstates"):  # Copies.
        getattr(envs, name)[:] = 1
    assert np.array_equal(envs.boards, before) and np.array_equal(envs.afterstates, before)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_states_pickles_and_copies_have_equal_futures(mode, rng):
    envs = tupelo.Game2048VectorEnv(6, shape=(3, 3), autoreset_mode=mode, max_episode_steps=60)
    envs.reset(seed=8)
    plan = rng.integers(0, 4, (25, 6))
    for actions in plan:
        envs.step(np.where(envs.ended, envs.action_mask.argmax(axis=1), actions) if envs.ended.any() else actions)
        if mode is AutoresetMode.DISABLED and envs.ended.any():
            envs.reset(options={"reset_mask": envs.ended.copy()})
    others = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
    fresh = tupelo.Game2048VectorEnv(6, shape=(3, 3), autoreset_mode=mode, max_episode_steps=60)
    fresh.set_states(envs.get_states())
    for actions in plan[:10]:
        if mode is AutoresetMode.DISABLED and envs.ended.any():
            break
        expected = envs.step(actions)
        for other in [*others, fresh]:
            for found, one in zip(other.step(actions), expected, strict=True):
                same(found, one)


def test_states_of_single_environments_move_over():
    env = tupelo.Game2048Env()
    env.reset(seed=3)
    for action in (0, 1, 2, 3, 1):
        env.step(action)
    envs = tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1)
    kept = envs.get_states()
    envs.set_states([env.get_state()], games=[1])
    assert envs.get_states() == [kept[0], env.get_state(), kept[2]]
    expected = env.step(1)
    assert np.array_equal(envs.step(np.array([1, 1, 1]))[0][1], expected[0])


def test_curricula_begin_on_given_boards():
    envs = tupelo.Game2048VectorEnv(3)
    envs.reset(seed=1)
    envs.set_boards(["00000000000000bb"], games=[2], score=500)
    assert envs.scores.tolist() == [0, 0, 500]
    observations, rewards, *_ = envs.step(np.array([1, 1, 1]))
    assert rewards[2] == 4096 and observations[2].max() == 12
    for games, boards in (
        ([3], ["0" * 16]),
        ([0, 1], ["0" * 16]),
        ([-1], ["0" * 16]),
        ([0], ["0" * 15]),
    ):
        with pytest.raises(ValueError):
            envs.set_boards(boards, games=games)


def test_tiles_above_32768_are_whole_in_every_result():
    """In another notation, the afterstate of this move had two tiles of 32768."""
    envs = tupelo.Game2048VectorEnv(2, autoreset_mode="SameStep")
    envs.reset(seed=1)
    envs.set_boards([[[15, 15, 1, 0]] + [[0] * 4] * 3] * 2)
    observations, rewards, _, _, info = envs.step(np.array([3, 3]))
    assert info["afterstate"][0].tolist()[0] == [16, 1, 0, 0] and rewards.tolist() == [65536] * 2
    assert np.array_equal(envs.afterstates, info["afterstate"]) and np.array_equal(envs.boards, observations)
    assert (envs.boards.max(axis=(1, 2)) == 16).all() and info["largest_tile"].tolist() == [65536] * 2
    state = envs.get_states()[0]
    assert state.board[0][0] == 16
    model = tupelo.Model.from_tables("0123", [np.zeros(16**4)])
    assert np.array_equal(model.best_moves(observations), model.move_values(envs.boards).argmax(axis=1))


def test_all_games_or_some_begin_on_boards():
    boards = np.zeros((3, 4, 4), np.uint8)
    boards[:, 0, 0], boards[:, 0, 1] = [1, 2, 3], 5
    envs = tupelo.Game2048VectorEnv(3)
    assert np.array_equal(envs.reset(seed=1, options={"board": boards})[0], boards)
    assert np.array_equal(envs.reset(options={"board": boards[2]})[0], boards[[2, 2, 2]])
    envs.step(np.array([2, 2, 2]))
    before, mask = envs.boards, np.array([True, False, True])
    found, info = envs.reset(options={"board": boards, "reset_mask": mask})
    assert np.array_equal(found, np.where(mask[:, None, None], boards, before))
    assert info["_score"].tolist() == mask.tolist() and envs.plies.tolist() == [0, 1, 0]
    sync = SyncVectorEnv([tupelo.Game2048Env] * 3)
    assert np.array_equal(sync.reset(options={"board": boards[1]})[0], boards[[1, 1, 1]])
    for board, text in ((boards[:2], r"boards of shape \(2,\): give one board, or one for each of 3 games"),
                        (boards[0][:3], r"boards of shape \(3, 4\): give boards of shape \(4, 4\)")):  # fmt: skip
        with pytest.raises(ValueError, match=text):
            envs.reset(options={"board": board})


@pytest.mark.parametrize("shape", SHAPES)
def test_random_steps_count_moves_and_games(shape):
    envs = tupelo.Game2048VectorEnv(20, shape=shape)
    envs.reset(seed=1)
    moves, episodes = envs.random_steps(300, 5)
    assert 0 < moves <= 6000 and episodes > 0
    # In NEXT_STEP, each end is followed by a step that begins the next game.
    assert moves + episodes - int(envs.ended.sum()) == 6000


@pytest.mark.parametrize("mode", [*MODES, AutoresetMode.DISABLED])
@pytest.mark.parametrize("count", [2, 70])
def test_illegal_moves_in_a_row_truncate(mode, count):
    """Counted by this test from the infos. Random actions on small boards are often illegal."""
    settings = {"shape": (2, 3), "max_illegal_moves": 2, "illegal_reward": -1.0}
    envs = tupelo.Game2048VectorEnv(count, autoreset_mode=mode, **settings)
    envs.reset(seed=1)
    rng, streaks, cut, fresh = np.random.default_rng(3), np.zeros(count, int), 0, np.zeros(count, bool)
    for _ in range(300):
        before = envs.ended.copy()
        _, rewards, terminated, truncated, info = envs.step(rng.integers(0, 4, count))
        played = ~before
        streaks = np.where(played & (rewards == -1.0), streaks + 1, 0)
        assert np.array_equal(truncated, played & ~terminated & (streaks == 2))
        cut += int(truncated.sum())
        over = terminated | truncated
        streaks[over] = 0
        if mode is AutoresetMode.DISABLED and over.any():
            assert np.array_equal(envs.ended, over)
            envs.reset(options={"reset_mask": over})
        found = [state.illegal_streak for state in envs.get_states()]
        assert found == np.where(envs.ended, 2 * truncated, streaks).tolist()
    assert cut > count
    for wrong, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match="^max_illegal_moves is"):
            tupelo.Game2048VectorEnv(2, max_illegal_moves=wrong)


def test_the_law_of_new_tiles_in_the_environment():
    """Boards with one empty cell after the move, where other implementations placed new tiles wrongly."""
    board = np.array([[1, 1, 2, 3], [4, 5, 6, 7], [3, 4, 5, 6], [7, 8, 9, 10]])
    envs = tupelo.Game2048VectorEnv(20_000)
    envs.reset(seed=1)
    envs.set_boards([board] * 20_000)
    after = envs.step(np.full(20_000, 3))[0]
    assert (np.count_nonzero(after, axis=(1, 2)) == 16).all()
    fours = np.count_nonzero(after[:, 0, 3] == 2)
    assert set(np.unique(after[:, 0, 3])) == {1, 2} and abs(fours - 2000) < 3.5 * (20_000 * 0.09) ** 0.5


def test_an_infinite_mask_is_never_empty():
    """A masked softmax has no NaN: where no move is legal, all four are in the mask."""
    envs = tupelo.Game2048VectorEnv(64, shape=(2, 2))
    envs.reset(seed=1)
    ended = 0
    for _ in range(100):
        info = envs.step(envs.action_mask.argmax(axis=1))[4]
        assert info["action_mask"].any(axis=1).all()
        ended += int(envs.ended.sum())
    assert ended > 50


def test_modes_and_counts_out_of_range():
    for settings in (
        {"num_envs": 0},
        {"num_envs": 1.5},
        {"autoreset_mode": "Never"},
        {"threads": 0},
        {"threads": 65},
    ):
        with pytest.raises((TypeError, ValueError), match=next(iter(settings))):
            tupelo.Game2048VectorEnv(**settings)
    with pytest.raises(TypeError):
        tupelo.Game2048VectorEnv(2, boards=3)
    envs = tupelo.Game2048VectorEnv(2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    with pytest.raises(ValueError):
        envs.random_steps(1, 1)


def test_pictures():
    envs = tupelo.Game2048VectorEnv(3, render_mode="rgb_array")
    envs.reset(seed=1)
    assert [picture.shape for picture in envs.render()] == [(280, 280, 3)] * 3
    assert envs._repr_html_().count("<svg") == 3


def test_gymnasiums_wrappers_take_it():
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec(ID, num_envs=4, shape=(2, 2), autoreset_mode=AutoresetMode.NEXT_STEP)
    )
    envs.reset(seed=1)
    envs.action_space.seed(1)
    seen = 0
    for _ in range(200):
        info = envs.step(envs.action_space.sample())[4]
        seen += int(info.get("_episode", np.zeros(4)).sum())
    assert seen > 5


def test_episode_statistics_without_autoreset_are_those_of_the_games():
    """A wrapper reads the mask after the environment. Each episode has the rewards and steps since its own reset."""
    envs = tupelo.Game2048VectorEnv(3, shape=(2, 2), autoreset_mode=AutoresetMode.DISABLED)
    recorder = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, info = recorder.reset(seed=1)
    returns, lengths, episodes = np.zeros(3), np.zeros(3, int), 0
    while episodes < 30:
        _, rewards, over, _, info = recorder.step(info["action_mask"].argmax(axis=1))
        returns, lengths = returns + rewards, lengths + 1
        if over.any():
            assert np.array_equal(info["episode"]["r"][over], returns[over])
            assert np.array_equal(info["episode"]["l"][over], lengths[over])
            assert np.array_equal(info["score"][over], returns[over])
            episodes += int(over.sum())
            returns[over], lengths[over] = 0, 0
            _, info = recorder.reset(options={"reset_mask": over.copy()})
