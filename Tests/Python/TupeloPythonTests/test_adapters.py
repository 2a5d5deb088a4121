"""Adapters of other libraries. Where a library is missing, a stand-in with the same interface takes its place, so that
our side of the adapter is tested; a test with the real one says that it was skipped."""

import subprocess
import sys
import types

import numpy as np
import pytest
import tupelo
from conftest import PATIENCE

gymnasium = pytest.importorskip("gymnasium")


class StandInVecEnv:
    """The part of stable_baselines3.common.vec_env.VecEnv that a subclass relies on."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = (
            num_envs,
            observation_space,
            action_space,
        )
        self.render_mode = self.get_attr("render_mode")[0]

    def _get_indices(self, indices):
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


class StandInPufferEnv:
    """The part of pufferlib.PufferEnv that a subclass relies on."""

    def __init__(self, buf=None):
        count, space = self.num_agents, self.single_observation_space
        buf = buf or {
            "observations": np.zeros((count, *space.shape), space.dtype),
            "rewards": np.zeros(count, np.float32),
            "terminals": np.zeros(count, bool),
            "truncations": np.zeros(count, bool),
            "masks": np.ones(count, bool),
            "actions": np.zeros(count, np.int32),
        }
        for name, array in buf.items():
            setattr(self, name, array)


@pytest.fixture
def sb3(monkeypatch):
    if "stable_baselines3" not in sys.modules:
        names = (
            "stable_baselines3",
            "stable_baselines3.common",
            "stable_baselines3.common.vec_env",
        )
        for name in names:
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        sys.modules[names[-1]].VecEnv = StandInVecEnv
    monkeypatch.delitem(sys.modules, "tupelo.sb3", raising=False)
    import tupelo.sb3

    return tupelo.sb3


@pytest.fixture
def puffer(monkeypatch):
    module = types.ModuleType("pufferlib")
    module.PufferEnv = StandInPufferEnv
    monkeypatch.setitem(sys.modules, "pufferlib", module)
    monkeypatch.delitem(sys.modules, "tupelo.puffer", raising=False)
    import tupelo.puffer

    return tupelo.puffer


def test_stable_baselines_protocol(sb3):
    envs = sb3.VecEnv(5, shape=(2, 2), max_episode_steps=12)
    plain = tupelo.Game2048VectorEnv(5, shape=(2, 2), max_episode_steps=12, autoreset_mode="SameStep")
    envs.seed(3)
    assert np.array_equal(envs.reset(), plain.reset(seed=3)[0])
    masks = np.stack(envs.env_method("action_masks"))
    assert masks.dtype == np.bool_ and np.array_equal(masks, plain.action_masks())
    assert envs.get_attr("action_masks")[2]().tolist() == masks[2].tolist()
    assert np.stack(envs.env_method("action_masks", indices=[1, 3])).shape == (2, 4)
    cut = ended = 0
    for step in range(200):
        actions = np.full(5, step % 4)
        observations, rewards, dones, infos = envs.step(actions)
        expected = plain.step(actions)
        assert np.array_equal(observations, expected[0]) and np.array_equal(rewards, expected[1])
        assert np.array_equal(dones, expected[2] | expected[3]) and len(infos) == 5
        for game, info in enumerate(infos):
            assert ("terminal_observation" in info) == dones[game]
            if dones[game]:
                assert np.array_equal(info["terminal_observation"], expected[4]["final_obs"][game])
                assert info["TimeLimit.truncated"] == (expected[3][game] and not expected[2][game])
                cut += info["TimeLimit.truncated"]
                ended += 1
    assert ended > cut > 0
    assert envs.env_is_wrapped(object) == [False] * 5
    with pytest.raises(AttributeError):
        envs.env_method("fly")


def test_puffer_protocol(puffer):
    env = puffer.G2048(6, shape=(2, 2), log_interval=10)
    plain = tupelo.Game2048VectorEnv(6, shape=(2, 2), autoreset_mode="SameStep")
    observations, infos = env.reset(seed=2)
    assert infos == [] and np.array_equal(observations, plain.reset(seed=12)[0])  # 2 x 6: seeds do not overlap.
    told = []
    for step in range(60):
        actions = np.full(6, step % 4, np.int32)
        found, expected = env.step(actions), plain.step(actions)
        for one, other in zip(found[:4], expected[:4], strict=True):
            assert np.array_equal(one, other)
        assert found[0] is env.observations
        told += found[4]
    assert told and set(told[0]) == {"score", "largest_tile", "episodes"} and told[0]["score"] > 0
    assert "|" in env.render()


def test_puffer_buffers_are_written_to(puffer):
    buf = {
        "observations": np.zeros((3, 18, 4, 4), np.uint8), "rewards": np.zeros(3, np.float32),
        "terminals": np.zeros(3, bool), "truncations": np.zeros(3, bool), "masks": np.ones(3, bool),
        "actions": np.zeros(3, np.int32),
    }  # fmt: skip
    env = puffer.G2048(3, observation="planes", buf=buf)
    env.reset(seed=1)
    assert (buf["observations"].sum(axis=1) == 1).all() and buf["masks"].all()


def test_puffer_takes_the_list_of_one_seed(puffer):
    """`Multiprocessing` of PufferLib 2.0.2 gives each worker a list of one seed."""
    env = puffer.G2048(4)
    assert np.array_equal(env.reset(seed=[7])[0].copy(), env.reset(seed=7)[0])
    for seed in ([1, 2], [], 1.5, [None], "x", -1):
        with pytest.raises((TypeError, ValueError), match="^seed "):
            env.reset(seed=seed)


def test_masks_before_the_first_reset_allow_every_move(sb3, puffer):
    for mask in (
        tupelo.Game2048Env().action_masks(), tupelo.Game2048VectorEnv(2).action_mask, sb3.VecEnv(2).action_masks(),
        puffer.G2048(2).action_mask,
    ):  # fmt: skip
        assert mask.all()


def forget(package, monkeypatch):
    """Removes a package from the loaded modules, so that the next import loads it again."""
    for module in [module for module in sys.modules if module.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)


def test_libraries_that_do_not_load_are_not_reported_as_missing(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(tmp_path)
    for name, package in (("sb3", "stable_baselines3"), ("puffer", "pufferlib")):
        forget(package, monkeypatch)
        (tmp_path / f"{package}.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')\n")
        monkeypatch.delitem(sys.modules, f"tupelo.{name}", raising=False)
        with pytest.raises(ImportError, match=f"{package}, which is installed but does not load: libGL.so.1"):
            __import__(f"tupelo.{name}")


def test_missing_libraries_are_named(monkeypatch):
    for name, package in (("sb3", "stable_baselines3"), ("puffer", "pufferlib")):
        forget(package, monkeypatch)
        monkeypatch.setitem(sys.modules, package, None)
        monkeypatch.delitem(sys.modules, f"tupelo.{name}", raising=False)
        with pytest.raises(ImportError, match="pip install"):
            __import__(f"tupelo.{name}")


def test_a_game_of_illegal_moves_ends(sb3):
    """As a policy without masks plays, which repeats a move that changes nothing."""
    envs = sb3.VecEnv(3)
    envs.seed(1)
    envs.reset()
    ends = []
    for _ in range(1000):
        _, rewards, dones, infos = envs.step(np.zeros(3, int))
        ends += [info for info in infos if info]
        if len(ends) >= 3:
            break
    assert len(ends) >= 3 and all(info["TimeLimit.truncated"] for info in ends)


@pytest.mark.parametrize("name", ["PPO", "DQN", "MaskablePPO"])
def test_evaluations_by_stable_baselines_end(monkeypatch, name):
    """A deterministic policy without masks repeats an illegal move: without a limit, its evaluation never ended."""
    package = "sb3_contrib" if name == "MaskablePPO" else "stable_baselines3"
    agents = pytest.importorskip(package, reason=f"{package} is not installed: it needs torch")
    monkeypatch.delitem(sys.modules, "tupelo.sb3", raising=False)  # It may stand on the stand-in.
    import torch
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecMonitor
    from tupelo.sb3 import VecEnv

    if name == "MaskablePPO":
        from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback as EvalCallback
    else:
        from stable_baselines3.common.callbacks import EvalCallback
    settings = {"learning_starts": 50} if name == "DQN" else {"n_steps": 32, "batch_size": 64}
    agent = getattr(agents, name)("MlpPolicy", VecEnv(4, observation="onehot"), seed=1, **settings)
    torch.set_num_threads(1)  # Its threads wait for each other where other work has the processors.
    # An environment of Gymnasium is what most people give.
    single = gymnasium.make("tupelo:tupelo/Game2048-v0", observation="onehot")
    for envs in (VecMonitor(VecEnv(2, observation="onehot")), Monitor(single)):
        evaluation = EvalCallback(envs, n_eval_episodes=4, eval_freq=50, verbose=0)
        agent.learn(300, callback=evaluation)
        assert evaluation.n_calls > 50 and evaluation.last_mean_reward > 0


def test_maskable_ppo_learns(monkeypatch):
    contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: it needs torch")
    monkeypatch.delitem(sys.modules, "tupelo.sb3", raising=False)  # It may stand on the stand-in.
    from tupelo.sb3 import VecEnv

    agent = contrib.MaskablePPO("MlpPolicy", VecEnv(16, reward="log2", observation="onehot"), n_steps=32, seed=1)
    agent.learn(2 * 16 * 32)


def test_pufferlibs_own_base_class(monkeypatch):
    pufferlib = pytest.importorskip("pufferlib", reason="pufferlib is not installed")
    monkeypatch.delitem(sys.modules, "tupelo.puffer", raising=False)  # It may stand on the stand-in.
    from tupelo.puffer import G2048

    assert issubclass(G2048, pufferlib.PufferEnv)
    env = G2048(8)
    env.reset(seed=1)
    env.step(np.zeros(8, np.int32))


def test_pufferlibs_multiprocessing(tmp_path):
    vector = pytest.importorskip("pufferlib.vector", reason="pufferlib is not installed")
    code = """
import sys
import numpy as np
import pufferlib.vector as vector
from tupelo.puffer import G2048

envs = vector.make(
    G2048, env_kwargs={"num_envs": 4}, backend=vector.Multiprocessing, num_envs=2, num_workers=2, overwork=True)
found = envs.reset(seed=3)[0].copy()
for worker in range(2):
    assert np.array_equal(found[4 * worker : 4 * worker + 4], G2048(4).reset(seed=3 + worker)[0])
told = []
for step in range(300):
    told += envs.step(np.full(8, step % 4))[4]
assert told and told[0]["episodes"] > 0, told
envs.close()
"""
    assert vector.Multiprocessing
    script = tmp_path / "multiprocessing_of_pufferlib.py"
    script.write_text(code)
    subprocess.run([sys.executable, script], check=True, timeout=PATIENCE)
