"""Speeds on this machine: `python -m tupelo.bench`.

Figures are million steps, moves or boards per second, medians of five runs. Actions are uniformly random, and finished
games begin again.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import Model, Trainer, __version__, _library

#: Games of a training run that is measured: about 20 million moves.
TRAINING_GAMES = 20_000
TRAINING = {
    "network.layout": "17x4", "learner.step_size": "constant", "learner.alpha": 0.0425, "averaging.every_games": 0,
    "training.threads": 1,
}  # fmt: skip


#: The clock of the figures: wall time, or with `--cpu` the processor time of all threads of the process.
now = time.perf_counter


def rate(run: Callable[[], int], seconds: float, repeats: int = 5) -> float:
    """Steps per second, the median of several runs. `run` plays some steps and returns how many."""
    rates = []
    for _ in range(repeats):
        steps, begin = 0, now()
        while (spent := now() - begin) < seconds / repeats:
            steps += run()
        rates.append(steps / spent)
    return statistics.median(rates)


def stepping(step: Callable[[Any], Any], count: int, seconds: float) -> float:
    """`step` with random actions for `count` environments, legal or not."""
    actions = np.random.default_rng(1).integers(0, 4, (64, count))

    def run() -> int:
        for row in actions:
            step(row)
        return actions.size

    return rate(run, seconds)


def vector(count: int, seconds: float, **settings: Any) -> float:
    """`Game2048VectorEnv.step`, with masks in `info`."""
    import gymnasium

    envs = gymnasium.make_vec("tupelo/Game2048-v0", num_envs=count, **settings)
    envs.reset(seed=1)
    return stepping(envs.step, count, seconds)


def buffers(count: int, seconds: float) -> float:
    """`step_into`, which has only results in the buffers."""
    from .vector import Game2048VectorEnv

    envs = Game2048VectorEnv(count)
    envs.reset(seed=1)
    return stepping(envs.step_into, count, seconds)


def inside(count: int, seconds: float) -> float:
    """Random legal moves without Python between them."""
    from .vector import Game2048VectorEnv

    envs = Game2048VectorEnv(count)
    envs.reset(seed=1)
    seeds = iter(range(1 << 60))
    steps = max(65_536 // count, 1)
    return rate(lambda: (envs.random_steps(steps, next(seeds)), steps * count)[1], seconds)


def single(env: Any, seconds: float) -> float:
    """`step` of one environment, with a reset when a game ends."""
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 4, 1000).tolist()

    def run() -> int:
        for action in actions:
            if env.step(action)[2]:
                env.reset()
        return len(actions)

    return rate(run, seconds)


def training() -> float:
    """Moves per second of training like `configs/17x4-td.yaml`: 17 four-tuples, TD(0), one thread."""
    trainer = Trainer(TRAINING, games=TRAINING_GAMES)
    begin = now()
    for _ in trainer.run():
        pass
    return trainer.moves / (now() - begin)


def import_time() -> float:
    """Seconds that `import tupelo` takes after numpy in a fresh interpreter, without Gymnasium."""
    code = f"""
import time, sys, numpy
sys.modules["gymnasium"] = None
begin = time.{now.__name__}()
import tupelo
print(time.{now.__name__}() - begin)
"""
    command = [sys.executable, "-c", code]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def network(count: int, seconds: float) -> tuple[float, float]:
    """Values, and values of moves, of a small network: boards per second."""
    trainer = Trainer({"network.layout": "4x5", "training.games": 100})
    trainer.train(progress=False)
    model: Model = trainer.model()
    from ._games import Games
    from ._settings import Settings

    games = Games(count, Settings(), autoreset="next_step")
    games.reset(np.arange(count, dtype=np.uint64))
    games.random_steps(100, 1)
    boards = games.boards.copy()

    def values() -> int:
        model.values(boards)
        return count

    def moves() -> int:
        model.move_values(boards)
        return count

    return rate(values, seconds), rate(moves, seconds)


def show_vectors(seconds: float) -> None:
    print("million steps/s of N games, one core")
    print("".join(f"{name:>11}" for name in ("N", "inside", "step_into", "step", "no copies", "same step", "one-hot")))
    for count in (1, 64, 1024, 16_384):
        figures = [
            inside(count, seconds),
            buffers(count, seconds),
            vector(count, seconds),
            vector(count, seconds, copy=False),
            vector(count, seconds, autoreset_mode="SameStep"),
            vector(count, seconds, observation="onehot"),
        ]
        print(f"{count:>11,}" + "".join(f"{figure / 1e6:>11.3f}" for figure in figures), flush=True)
    print()


def show_single(seconds: float) -> None:
    from .env import Game2048Env

    show("Game2048Env.step", single(Game2048Env(), seconds) / 1e6, "million steps/s")


def show_training(seconds: float) -> None:
    show("training, 17x4, TD(0)", statistics.median(training() for _ in range(5)) / 1e6, "million moves/s")


def show_model(seconds: float) -> None:
    values, moves = network(1024, seconds)
    show("4x5, values of 1,024 boards", values / 1e6, "million boards/s")
    show("4x5, their moves", moves / 1e6, "million boards/s")


def show_import(seconds: float) -> None:
    show("import tupelo", 1000 * statistics.median(import_time() for _ in range(5)), "ms")


def show(name: str, figure: float, unit: str) -> None:
    print(f"{name:<28}{figure:.3f} {unit}", flush=True)


PARTS = {
    "vector": show_vectors, "single": show_single, "training": show_training, "model": show_model,
    "import": show_import,
}  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tupelo.bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="the time of each figure (default: 2)")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="the parts to measure (default: all)")
    parser.add_argument(
        "--cpu", action="store_true", help="count processor time, which work of other programs changes less"
    )
    options = parser.parse_args(arguments)
    global now
    now = time.process_time if options.cpu else time.perf_counter
    seconds: float = options.seconds
    if not 0 < seconds <= 3600:
        parser.error(f"--seconds is {seconds:g}: give a number from 0 to 3600")
    print(f"tupelo {__version__}, {_library.path}")
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}, {platform.machine()}")
    print("processor time\n" if options.cpu else "wall time\n")
    if importlib.util.find_spec("gymnasium") is None:
        sys.exit("tupelo.bench: the environments need Gymnasium: pip install gymnasium")
    for name in options.only or PARTS:
        PARTS[name](seconds)


if __name__ == "__main__":
    main()
