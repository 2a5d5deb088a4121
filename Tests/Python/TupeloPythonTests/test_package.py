"""The package around the code: import, version, types, a missing Gymnasium and the wheel."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tupelo
from conftest import PATIENCE, python
from tupelo._configuration import key_of
from tupelo._keys import TrainerSettings


def test_one_version(repository):
    project = (repository / "Sources/Python/pyproject.toml").read_text()
    assert re.search(r'^version = "(.*?)"', project, re.M).group(1) == tupelo.__version__


def test_every_name_has_a_text():
    for name in tupelo.__all__:
        assert (getattr(tupelo, name).__doc__ or "").strip(), name


def test_modules_are_loaded_at_their_first_use():
    code = """
import sys
import tupelo
assert "gymnasium" not in sys.modules
loaded = lambda: {name for name in sys.modules if name.startswith("tupelo.")}
assert loaded() == {"tupelo._errors", "tupelo._library", "tupelo._structs"}, loaded()
assert set(tupelo.__all__) <= set(dir(tupelo))
assert tupelo.boards.pack is tupelo.pack
assert "tupelo.model" not in loaded()
"""
    python(code)


def test_the_plain_id_is_known_whichever_import_is_first():
    for imports in ("import tupelo, gymnasium", "import gymnasium, tupelo", "import tupelo, gymnasium.vector as v",
                    "from tupelo import Game2048Env; import gymnasium",
                    "import tupelo, importlib.util; importlib.util.find_spec('gymnasium')"):  # fmt: skip
        code = f"""
import sys
before = list(sys.meta_path)
{imports}
import gymnasium
print(gymnasium.make("tupelo/Game2048-v0").reset(seed=1)[0].sum(), sys.meta_path == before)
"""
        assert python(code) == "2 True\n", imports


def test_gymnasium_makes_it_without_an_import_of_ours():
    code = """
import gymnasium
print(gymnasium.make("tupelo:tupelo/Game2048-v0").reset(seed=1)[0].sum())
print(gymnasium.make_vec("tupelo:tupelo/Game2048-v0", num_envs=3).reset(seed=1)[0].shape)
"""
    assert python(code) == "2\n(3, 4, 4)\n"


def test_an_import_is_short():
    """With Gymnasium absent or loaded, a third of numpy's import at most, which is 20 ms of 60. Processor time, the
    best of several processes, as a share of numpy's, so that other work on the machine does not matter."""
    for first in ("sys.modules['gymnasium'] = None", "import gymnasium"):
        code = f"""
import sys, time
times = [time.process_time()]
import numpy
times.append(time.process_time())
{first}
times.append(time.process_time())
import tupelo
times.append(time.process_time())
print((times[3] - times[2]) / (times[1] - times[0]))
"""
        assert min(float(python(code)) for _ in range(5)) < 1 / 3


def test_without_gymnasium():
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "gymnasium":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *a: None if name == "gymnasium" else find(name, *a)
import tupelo
assert tupelo.legal_moves("1" + 15 * "0").any()
try:
    tupelo.Game2048Env
except ImportError as error:
    print(error)
"""
    assert "pip install gymnasium" in python(code)


def test_a_library_that_is_not_there_or_not_ours(tmp_path):
    fake = tmp_path / "libfake.so"
    fake.write_bytes(b"\x7fELF")
    libc = next(Path("/lib/x86_64-linux-gnu").glob("libm.so.6"), None)
    for path, text in (
        (tmp_path / "none.so", "no such file"),
        (fake, "libfake"),
        (libc, "tupelo_abi"),
    ):
        if path is None:
            continue
        result = subprocess.run(
            [sys.executable, "-c", "import tupelo"],
            env={**os.environ, "TUPELO_LIBRARY": str(path)}, capture_output=True, text=True,
        )  # fmt: skip
        assert result.returncode == 1 and text in result.stderr.splitlines()[-1]


def test_a_second_import_from_another_path(tmp_path):
    """Two copies of the package in one process, with a library each: both work, and neither takes a state of the
    other."""
    package = Path(tupelo.__file__).parent
    shutil.copytree(package, tmp_path / "tupelo", ignore=shutil.ignore_patterns("__pycache__"))
    if (package.parent / "tupelo.libs").is_dir():
        shutil.copytree(package.parent / "tupelo.libs", tmp_path / "tupelo.libs")
    code = f"""
import sys, numpy
import tupelo as first
settings = {{"network.patterns": "0123", "training.games": 50, "training.threads": 1}}
trainers, makers = [first.Trainer(settings)], [first.Game2048VectorEnv]
for name in [name for name in sys.modules if name.split(".")[0] == "tupelo"]:
    del sys.modules[name]
sys.path.insert(0, {str(tmp_path)!r})
import tupelo as second
assert first.__file__ != second.__file__ and first.Trainer is not second.Trainer
trainers.append(second.Trainer(settings))
makers.append(second.Game2048VectorEnv)
for trainer in trainers:
    trainer.train(progress=False)
models = [trainer.model() for trainer in trainers]
assert models[0].identity == models[1].identity
envs = [make(100) for make in makers]
for env in envs:
    env.reset(seed=1)
    env.step(numpy.ones(100, int))
assert numpy.array_equal(envs[0].boards, envs[1].boards)
state = envs[0].get_states()[:1]
try:
    envs[1].set_states(state, games=[0])
except TypeError as error:
    print(error)
"""
    assert "is not a state" in python(code)


def test_an_import_builds_no_table_for_moves():
    """The first move on 4x4 builds a table of 512 KiB in new pages of memory. Later moves use no new pages."""
    code = """
import numpy, resource, tupelo
def new_pages(shape):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    tupelo.legal_moves(numpy.ones(1, numpy.uint64), shape=shape)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
new_pages((2, 2))
first, second = new_pages((4, 4)), new_pages((4, 4))
table = 512 * 1024 // resource.getpagesize()
assert first >= table // 2 and second < table // 8, (first, second)
"""
    python(code)


def test_the_benchmark_prints_figures():
    pytest.importorskip("gymnasium")
    command = [sys.executable, "-m", "tupelo.bench", "--seconds", "0.02"]
    parts = ["--only", "vector", "single", "model", "import"]
    result = subprocess.run([*command, *parts], capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0, result.stderr
    assert re.search(r"^ +16,384( +[0-9.]+){6}$", result.stdout, re.M)
    for name in ("Game2048Env.step", "4x5, their moves", "import tupelo"):
        assert re.search(rf"^{name} +[0-9.]+ ", result.stdout, re.M), result.stdout
    busy = subprocess.run([*command, "--cpu", "--only", "model"], capture_output=True, text=True, timeout=PATIENCE)
    assert "\nprocessor time\n" in busy.stdout and "4x5, their moves" in busy.stdout, busy.stderr
    wrong = subprocess.run([*command[:3], "--seconds", "0"], capture_output=True, text=True, timeout=PATIENCE)
    assert wrong.returncode == 2 and "--seconds is 0" in wrong.stderr


def test_environments_by_id_in_a_fresh_process():
    code = """
import gymnasium, tupelo
print(type(gymnasium.make("tupelo/Game2048-v0").unwrapped).__name__)
print(type(gymnasium.make_vec("tupelo/Game2048-v0", num_envs=2)).__name__)
print(type(gymnasium.make("tupelo:tupelo/Game2048-v0").unwrapped).__name__)
"""
    assert python(code).split() == ["Game2048Env", "Game2048VectorEnv", "Game2048Env"]


def test_typed():
    assert (Path(tupelo.__file__).parent / "py.typed").is_file()


def test_types_do_not_depend_on_optional_libraries(repository, tmp_path):
    """The types of the package are sound where Stable-Baselines3, which has types, is installed."""
    pytest.importorskip("mypy")
    base = tmp_path / "stubs/stable_baselines3/common/vec_env"
    base.mkdir(parents=True)
    for folder in (base, base.parent, base.parent.parent):
        (folder / "__init__.py").write_text("")
        (folder / "py.typed").write_text("")
    (base / "__init__.py").write_text("class VecEnv:\n    def __init__(self, *arguments: object) -> None: ...\n")
    command = [
        sys.executable, "-m", "mypy", "--config-file", repository / "Sources/Python/pyproject.toml",
        "--cache-dir", tmp_path / "cache", "-p", "tupelo",
    ]  # fmt: skip
    # mypy finds an installed package by itself, and refuses its folder here.
    package = Path(tupelo.__file__).parents[1]
    paths = os.pathsep.join(str(path) for path in (tmp_path / "stubs", package) if path.name != "site-packages")
    result = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "MYPYPATH": paths}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert result.returncode == 0, result.stdout + result.stderr


USER = """
import numpy as np
import tupelo
from numpy.typing import NDArray

envs = tupelo.Game2048VectorEnv(8, autoreset_mode="SameStep", observation="planes")
observations, info = envs.reset(seed=1)
seen: NDArray[np.uint8] = observations
boards: NDArray[np.uint8] = envs.boards
packed: NDArray[np.uint64] = tupelo.pack(boards)
after = tupelo.successors(packed)
rewards: NDArray[np.int32] = after.rewards
model = tupelo.Model.from_tables("0123", [np.zeros(16**4)])
values: NDArray[np.float32] = model.values(after.afterstates.ravel())
move: int = model.search("0123012301230000").move
grid = np.zeros((4, 4), np.uint8)
best: tupelo.Analysis = model.search(grid)
all_best: tupelo.Analyses = model.search(np.zeros((2, 4, 4), np.int64), plies=2)
images: NDArray[np.uint64] = tupelo.symmetries(packed)
grids: NDArray[np.uint8] = tupelo.symmetries(boards)
spawned: NDArray[np.uint64] = tupelo.spawn(packed, 1)
index: NDArray[np.int64] = tupelo.tuple_indices(["0123"], boards)
chances: NDArray[np.float64] = tupelo.outcomes(images.ravel()).probabilities
loaded: tupelo.Model = tupelo.Model.load("models/medium")
trainer = tupelo.Trainer("quickstart", games=100, seed=1, learner__alpha=0.5, overrides={"learner.lambda": 0.5})
resumed: tupelo.Trainer = tupelo.Trainer.resume("run", allow_changes=True, games=200)
with tupelo.Run("runs/mine", {"own.learner": "mine"}, seed=3, resume=True) as run:
    run.log(100, 12_000, {"rollout/score_mean": 800.5, "loss": np.float32(0.25)}, seconds=5.0)
    run.save(model)
    measured: tupelo.Report = run.evaluate(model, interim=True)
for progress in trainer.run(evaluate_every=50):
    average: float = progress.score_mean
record: tupelo.Record = tupelo.play(model, seed=1)
env = tupelo.Game2048Env(shape=(3, 3), reward="log2")
board, reward, terminated, truncated, info = env.step(1)
copied: tupelo.Model = tupelo.Model.from_bytes(model.to_bytes())
by_cells: tupelo.Model = tupelo.Model.from_tables([[0, 1, 2, 3], "4567"], [np.zeros((16, 16, 16, 16)), np.zeros(16**4)])
own_best: tupelo.Analysis = tupelo.search(grid, lambda exponents: exponents.sum(axis=(1, 2)), plies=2)
own_all: tupelo.Analyses = tupelo.search(packed.ravel(), model)
compared: tupelo.Comparison = tupelo.compare("runs/a", "runs/b", baseline="runs/a")
of_scores: tupelo.Comparison = tupelo.compare({"a": [1.0, 2.0], "b": "runs/b"})


def policy(exponents: NDArray[np.uint8], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = masks.argmax(axis=1)
    return chosen


mean: float = tupelo.evaluate(policy, games=10).score_mean
"""

#: Mistakes that a type checker must find, one in each line.
MISTAKES = """
wrong: NDArray[np.int64] = after.rewards
tupelo.Game2048Env(observaton="planes")
tupelo.Game2048Env(observation="plane")
tupelo.Game2048VectorEnv(8, thread=2)
model.search(boards, ply=3)
model.search("0123012301230000", ply=3)
tupelo.search(boards, model, ply=2)
tupelo.search(boards, 5)
tupelo.compare("runs/a", 5)
tupelo.compare({"a": [1]}, "runs/a")
tupelo.successors(boards, overflow=None)
model.save("x", format="f64")
tupelo.Model.load(5)
tupelo.Trainer("quickstart").train(evaluate=5)
tupelo.Trainer("quickstart", gamse=5)
tupelo.Trainer("quickstart", overides={})
tupelo.Trainer("quickstart", learner__alfa=1)
tupelo.Trainer.resume("run", allow_change=True)
tupelo.Run("run", resumed=True)
run.log(100, 12_000, second=5.0)
run.save("model")
"""


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_of_a_users_program(checker, tmp_path):
    """Arrays have the types of their entries, and calls have written-out keywords: a type checker finds each mistake,
    and nothing else."""
    pytest.importorskip(checker)
    (tmp_path / "user.py").write_text(USER + MISTAKES)
    package = Path(tupelo.__file__).parents[1]
    paths = {} if package.name == "site-packages" else {"MYPYPATH": str(package)}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"include": ["user.py"], "extraPaths": [str(package)]}))
    options = {"mypy": ["--strict", "--cache-dir", "cache", "user.py"], "pyright": ["--pythonpath", sys.executable]}
    told = subprocess.run(
        [sys.executable, "-m", checker, *options[checker]], cwd=tmp_path, env={**os.environ, **paths},
        capture_output=True, text=True, timeout=PATIENCE,
    ).stdout  # fmt: skip
    found = {int(line) for line in re.findall(r"user\.py:(\d+)[:\d]*(?: -|:) error: ", told)}
    first = USER.count("\n") + 2
    assert found == set(range(first, first + MISTAKES.count("\n") - 1)), told


def test_pyright_finds_no_error_in_the_package():
    pytest.importorskip("pyright")
    package = Path(tupelo.__file__).parent
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, package]
    told = subprocess.run(command, cwd=package.parent, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert "\n0 errors, " in f"\n{told}", told


def test_the_keywords_of_a_trainer_are_the_keys_of_the_program(repository):
    keys = re.findall(r"^\|`([\w.]+)`\|", (repository / "configs/KEYS.md").read_text(), re.M)
    assert list(TrainerSettings.__annotations__) == [key.removeprefix("training.").replace(".", "__") for key in keys]
    words = [key_of(word) for word in TrainerSettings.__annotations__]
    assert words == keys and len(keys) > 50


def samples_of_the_readme(repository):
    """The Python samples of the README, all of which compile. The first one needs sb3-contrib."""
    text = (repository / "Sources/Python/tupelo/README.md").read_text()
    first, *samples = re.findall(r"```python\n(.*?)```", text, re.S)
    assert "MaskablePPO" in first and len(samples) >= 1
    compile(first, "README.md", "exec")
    return first, samples


def test_the_first_sample_and_its_example_learn(repository, tmp_path):
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: it needs torch")
    first, _ = samples_of_the_readme(repository)
    code = first.replace("1_000_000", "8192").replace("games=100", "games=3")
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, timeout=PATIENCE).returncode == 0
    command = [sys.executable, repository / "Sources/Python/examples/maskable_ppo.py", "8192"]
    assert subprocess.run(command, cwd=tmp_path, timeout=PATIENCE).returncode == 0


def test_pages_of_the_package_run(repository, tmp_path):
    """Each other Python sample of the README, one after the other, in one namespace."""
    pytest.importorskip("gymnasium")
    _, samples = samples_of_the_readme(repository)
    compile((repository / "Sources/Python/examples/maskable_ppo.py").read_text(), "maskable_ppo.py", "exec")
    compile((repository / "Sources/Python/examples/ppo.py").read_text(), "ppo.py", "exec")
    code = "\n".join(samples).replace("models/", f"{repository}/models/").replace("30_000", "50")
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    by_arrays, by_library = re.findall(r"\[[0-3 ]{17}\]", printed.stdout.splitlines()[-1])
    assert by_arrays == by_library  # The two searches of the last line, each of nine boards.


def test_the_example_with_torch_learns(repository, tmp_path):
    pytest.importorskip("torch", reason="torch is not installed")
    command = [sys.executable, repository / "Sources/Python/examples/ppo.py", "50_000"]
    printed = subprocess.run(command, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    # Random play has 1,090 points.
    assert float(re.search(r"average score +([\d,]+)", printed.stdout)[1].replace(",", "")) > 1500
    records = [json.loads(line) for line in (tmp_path / "runs/ppo/metrics.jsonl").read_text().splitlines()]
    assert len(records) > 4 and all("rollout/score_mean" in record for record in records[:-1])
    assert records[-1]["final/games"] == 100


def test_a_network_that_numpy_learned_is_searched_and_evaluated(repository, tmp_path):
    """The example learns by itself: after some steps its network plays better than the rewards alone."""
    command = [sys.executable, repository / "Sources/Python/examples/td.py", "400"]
    printed = subprocess.run(command, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    greedy, searched = (float(mean.replace(",", "")) for mean in re.findall(r"average score +([\d,]+)", printed.stdout))
    assert "Analysis(move=" in printed.stdout and 4000 < greedy < searched
    assert tupelo.Model(tmp_path / "runs/td").patterns[0] == "0123"
    # The curve rises.
    records = [json.loads(line) for line in (tmp_path / "runs/td/metrics.jsonl").read_text().splitlines()]
    scores = [record["rollout/score_mean"] for record in records if "rollout/score_mean" in record]
    assert len(scores) >= 3 and 0 < scores[0] < scores[-1]
    evaluation = json.loads((tmp_path / "runs/td/evaluation.json").read_text())
    assert evaluation["score_mean"] == records[-1]["final/score_mean"]


def test_the_tutorial_runs_and_makes_its_picture(repository, tmp_path):
    """Each sample of the tutorial, one after the other. The last one makes the picture of the front page."""
    catalogue = repository / "Sources/Core/Tupelo/Tupelo.docc"
    samples = re.findall(r"```python\n(.*?)```", (catalogue / "FromPython.md").read_text(), re.S)
    code = "\n".join(samples).replace("models/", f"{repository}/models/").replace("configs/", f"{repository}/configs/")
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, cwd=tmp_path, timeout=PATIENCE, capture_output=True, text=True)
    assert printed.returncode == 0, printed.stderr
    *_, greedy, best = printed.stdout.splitlines()
    assert greedy == best
    assert (tmp_path / "game.svg").read_text() == (catalogue / "Resources/game.svg").read_text()


def test_the_notebook_runs_as_a_program(repository, tmp_path):
    pytest.importorskip("gymnasium")
    notebook = repository / "Sources/Python/notebooks/tour.py"
    environment = {**os.environ, "TUPELO_MODELS": str(repository / "models")}
    assert subprocess.run([sys.executable, notebook], cwd=tmp_path, env=environment, timeout=PATIENCE).returncode == 0


def test_the_notebook_runs_in_jupyter(repository, tmp_path):
    for name in ("jupytext", "nbconvert", "ipykernel"):
        pytest.importorskip(name)
    notebook = repository / "Sources/Python/notebooks/tour.py"
    environment = {**os.environ, "TUPELO_MODELS": str(repository / "models")}
    command = [
        sys.executable,
        "-m",
        "jupytext",
        "--to",
        "ipynb",
        "--execute",
        "--output",
        tmp_path / "tour.ipynb",
    ]
    result = subprocess.run(
        [*command, notebook],
        cwd=tmp_path,
        env=environment,
        timeout=PATIENCE,
        capture_output=True,
    )
    assert result.returncode == 0, result.stderr.decode()
    assert "svg" in (tmp_path / "tour.ipynb").read_text()


def test_a_build_has_equal_flags_every_time(repository, monkeypatch):
    """SwiftPM orders traits by a hash table: a random order would compile everything again."""
    pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(repository / "Sources/Python")
    import hatch_build

    hook = object.__new__(hatch_build.SwiftBuildHook)
    assert hook.environment(repository)["SWIFT_DETERMINISTIC_HASHING"] == "1"


def test_git_ignores_files_of_a_build(repository):
    """The three places that hatch_build.py names."""
    names = [".build/wheel", "Package.resolved", "Sources/Python/__pycache__/hatch_build.pyc"]
    command = ["git", "-C", repository, "check-ignore", *names]
    if not (repository / ".git").exists():
        pytest.skip("the checkout is not a clone of git")
    assert subprocess.run(command, capture_output=True, text=True).stdout.split() == names


def test_the_page_and_the_licence_of_the_wheel(repository):
    folder = repository / "Sources/Python"
    assert (folder / "LICENSE").read_text() == (repository / "LICENSE").read_text()
    # The page stands alone on an index of packages, where relative links lead nowhere.
    assert not re.findall(r"\]\((?!https?://|#)", (folder / "tupelo/README.md").read_text())


@pytest.fixture
def wheel():
    if "TUPELO_WHEEL" not in os.environ:
        pytest.skip("TUPELO_WHEEL names no wheel: .ci/python builds one")
    return Path(os.environ["TUPELO_WHEEL"])


def test_the_wheel_is_for_every_python_and_many_linuxes(wheel):
    found = re.fullmatch(r"tupelo-.*-py3-none-(.*manylinux_2_(\d+)_.*)\.whl", wheel.name)
    assert found and int(found.group(2)) <= 34


def test_the_wheel_is_small(wheel):
    """By default the wheel contains neither OpenBLAS nor ICU's data. Another version of Swift may give ICU's data
    another name: see locales.c."""
    has_defaults = "TUPELO_TRAITS" not in os.environ and "TUPELO_LIBRARY" not in os.environ
    assert wheel.stat().st_size < (12e6 if has_defaults else 40e6)


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    files = {"py.typed", "__init__.py", "libtupelo_c.so", "configs/quickstart.yaml", "configs/8x6-tc-lambda.yaml"}
    assert {f"tupelo/{file}" for file in files} <= set(names)
    assert [name for name in names if re.fullmatch(r"tupelo-[^/]*\.dist-info/licenses/LICENSE", name)]
    assert not [name for name in names if not re.match(r"tupelo(-[^/]*\.dist-info|\.libs)?/", name)]


def test_the_wheel_exports_our_functions_alone(wheel, tmp_path):
    zipfile.ZipFile(wheel).extract("tupelo/libtupelo_c.so", tmp_path)
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", tmp_path / "tupelo/libtupelo_c.so"],
        capture_output=True,
        text=True,
        check=True,
    )
    # The linker lists local names too, with a small letter.
    names = [line.split()[-1] for line in listing.stdout.splitlines() if line.split()[-2].isupper()]
    foreign = [name for name in names if not name.startswith("tupelo_")]
    assert len(names) >= 30 and not foreign


def test_the_wheel_needs_no_swift(wheel):
    """The package works without the toolchain's folders on the path, and the process maps none of their files."""
    code = """
import numpy, tupelo
tupelo.Game2048VectorEnv(4).reset(seed=1)
trainer = tupelo.Trainer("quickstart", games=20)
trainer.train(progress=False)
trainer.model().values(numpy.zeros((4, 4), int))
print([line.split()[-1] for line in open("/proc/self/maps") if "swift" in line.lower()])
"""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert result.stdout == "[]\n", result.stderr
