"""Other processes and threads, and Ctrl-C."""

import multiprocessing
import subprocess
import sys
import threading

import numpy as np
import pytest
import tupelo
from conftest import PATIENCE, linux, python

gymnasium = pytest.importorskip("gymnasium")


def first_score(seed):
    env = tupelo.Game2048Env()
    env.reset(seed=seed)
    for _ in range(30):
        info = env.step(int(env.action_masks().argmax()))[4]
    return info["score"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_worker_processes_play_the_same_games(method):
    tupelo.Game2048VectorEnv(4096, threads=2).reset(seed=1)  # The threads of the library are alive.
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(first_score, range(6)) == [first_score(seed) for seed in range(6)]


@linux
def test_a_child_uses_what_its_parent_has():
    """Environments, a searcher and a training run with threads keep working in a forked child."""
    code = """
import os, numpy, tupelo
trainer = tupelo.Trainer({"network.patterns": "0123 4567", "training.threads": 2, "training.games": 10**9})
next(trainer.run())
envs = tupelo.Game2048VectorEnv(4096, threads=2)
envs.reset(seed=1)
model = trainer.model()
model.search("0123012301230000", plies=3, threads=2)
envs.step(numpy.zeros(4096, int))
child = os.fork()
if child == 0:
    envs.step(numpy.zeros(4096, int))
    model.search("0123012301230000", plies=3, threads=2)
    before = trainer.games
    next(trainer.run())
    os._exit(0 if trainer.games > before else 1)
_, status = os.waitpid(child, 0)
next(trainer.run())
print("status", status)
"""
    assert python(code) == "status 0\n"


@linux
def test_a_fork_in_the_middle_of_a_training():
    """The child does not have the thread that trains. Its trainer stays busy for ever, and everything else works."""
    code = """
import os, threading, numpy, tupelo
trainer = tupelo.Trainer({"network.patterns": "0123 4567", "training.threads": 2, "training.games": 10**9})
model = trainer.model()
begun, stop = threading.Event(), threading.Event()
def train():
    for progress in trainer.run(seconds_per_report=0.05):
        begun.set()
        if stop.is_set():
            break
thread = threading.Thread(target=train)
thread.start()
begun.wait()
child = 0
while True:  # Until a fork meets the trainer at work.
    child = os.fork()
    if child == 0:
        envs = tupelo.Game2048VectorEnv(4096, threads=2)
        envs.reset(seed=1)
        envs.step(numpy.zeros(4096, int))
        model.search("0123012301230000", plies=3, threads=2)
        try:
            trainer.facts
        except tupelo.BusyError:
            os._exit(3)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        break
stop.set()
thread.join()
print("status", status, "parent", trainer.games > 0)
"""
    assert python(code) == "status 3 parent True\n"


def test_async_vector_environments():
    makers = [tupelo.Game2048Env] * 3
    expected = gymnasium.vector.SyncVectorEnv(makers)
    for context in ("fork", "spawn"):
        envs = gymnasium.vector.AsyncVectorEnv(makers, context=context)
        try:
            assert np.array_equal(envs.reset(seed=4)[0], expected.reset(seed=4)[0])
            for action in range(4):
                actions = np.full(3, action)
                assert np.array_equal(envs.step(actions)[0], expected.step(actions)[0])
        finally:
            envs.close()


def test_threads_on_one_environment_do_not_crash():
    envs = tupelo.Game2048VectorEnv(512)
    envs.reset(seed=1)
    faults = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(200):
            try:
                envs.step(rng.integers(0, 4, 512))
            except (
                ValueError,
                tupelo.Error,
            ):  # States and actions of the other thread.
                faults.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    envs.reset(seed=1)
    assert np.array_equal(envs.boards, tupelo_boards(512))


def tupelo_boards(count):
    envs = tupelo.Game2048VectorEnv(count)
    envs.reset(seed=1)
    return envs.boards


def test_closing_the_library_does_not_end_the_process():
    """`-z nodelete` keeps the code of threads that outlive the handle. A wheel must be linked so."""
    code = """
import _ctypes, numpy, tupelo
from tupelo import _library
envs = tupelo.Game2048VectorEnv(4096, threads=2)
envs.reset(seed=1)
envs.step(numpy.zeros(4096, int))
if "wheel" in __import__("sys").argv:
    for _ in range(3):
        _ctypes.dlclose(_library._library._handle)
    envs.step(numpy.zeros(4096, int))
print("alive")
"""
    import os

    assert python(code, *(["wheel"] if "TUPELO_WHEEL" in os.environ else [])) == "alive\n"


#: Calls that take hours or seconds, each with what is checked after the interrupt.
INTERRUPTED = {
    "run": """
trainer = tupelo.Trainer({"network.layout": "4x5", "training.games": 10**9})
def busy():
    for progress in trainer.run(seconds_per_report=86_400):
        pass
def after():
    before = trainer.games
    assert before > 0 and len(trainer.history["games"]) == 1
    list(trainer.run(10))
    assert trainer.games >= before + 10
""",
    "search": """
model = tupelo.Trainer({"network.patterns": "0123"}).model()
def busy():
    model.search("1200000000000000", plies=12, seconds=3600)
def after():
    assert model.search("1200000000000000", plies=2).plies == 2
""",
    "search of many boards": """
model = tupelo.Trainer({"network.patterns": "0123"}).model()
def busy():
    model.search(["1200000000000000"] * 9, plies=12, seconds=3600, threads=2)
def after():
    assert model.search("1200000000000000", plies=2).plies == 2
""",
    "evaluate": """
model = tupelo.Trainer({"network.patterns": "0123"}).model()
def busy():
    model.evaluate(10**7, plies=3, threads=2)
def after():
    assert model.evaluate(10, threads=2)["games"] == 10
""",
    "random_steps": """
envs = tupelo.Game2048VectorEnv(1024)
envs.reset(seed=1)
def busy():
    envs.random_steps(10**9, 1)
def after():
    assert envs.random_steps(10, 1)[0] > 0 and envs.plies.max() > 0
""",
    "save": """
import numpy, os
model = tupelo.Model.from_tables("012345", [numpy.random.default_rng(1).normal(size=16**6) * 1000])
def busy():
    model.save("out.safetensors", format="compact", step=0.001)
def after():
    assert os.listdir() == [] and model.values("1200000000000000").shape == ()
""",
    "trainer.save": """
import os
trainer = tupelo.Trainer({"network.patterns": "012345 123456", "training.games": 10, "training.threads": 1})
def busy():
    while True:
        trainer.save("out.safetensors")
def after():
    assert set(os.listdir()) <= {"out.safetensors"}
    trainer.train(progress=False)
""",
    "load": """
import numpy
data, kept = tupelo.Model.from_tables("012345", [numpy.ones(16**6)]).to_bytes(), []
def busy():
    while True:
        kept.append(tupelo.Model.from_bytes(data))  # Python ignores an interrupt while it destroys an object.
def after():
    assert tupelo.Model.from_bytes(data).weights == 16**6
""",
    "tables": """
import numpy
tables = [numpy.ones(16**6, numpy.float32)] * 2
def busy():
    while True:
        found = tupelo.Model.from_tables("012345 456789", tables).tables()
def after():
    found = tupelo.Model.from_tables("012345 456789", tables).tables()
    assert all(numpy.array_equal(one, other) for one, other in zip(found, tables, strict=True))
""",
    "values": """
import numpy
model = tupelo.Trainer({"network.layout": "4x5"}).model()
boards = numpy.ones((1 << 22, 4, 4), numpy.uint8)
def busy():
    while True:
        model.values(boards), tupelo.successors(boards)
def after():
    assert model.values(boards[:3]).shape == (3,)
""",
}

#: Interrupts the call when it has used processor time in the library, so that it is in the middle of it.
INTERRUPT = """
import os, signal, sys, threading, time, tupelo
from tupelo import _library
signal.signal(signal.SIGINT, signal.default_int_handler)  # A job in the background ignores the signal.
{call}
def interrupt():
    global begin
    while time.process_time() < begin + 0.3:
        time.sleep(0.001)
    begin = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
begin = time.process_time()
threading.Thread(target=interrupt, daemon=True).start()
try:
    busy()
    print("ended")
except KeyboardInterrupt:
    spent = time.process_time() - begin
    print("interrupted", "soon" if spent < 1 else spent)
after()
print("usable")
"""


@pytest.mark.parametrize("name", list(INTERRUPTED))
def test_control_c(name, tmp_path):
    """KeyboardInterrupt ends long calls within a second of processor time, and the object is usable afterwards."""
    code = INTERRUPT.format(call=INTERRUPTED[name])
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ended.stdout == "interrupted soon\nusable\n", ended.stderr


def test_a_result_that_is_left_alone_is_removed():
    """An interrupt of a call that nothing can end leaves no object behind."""
    code = """
import ctypes, threading, tupelo
from tupelo import _library
entered, go, made, released = threading.Event(), threading.Event(), ctypes.c_int64(), threading.Event()
def body(control):
    entered.set()
    go.wait()
    return _library.status("control_create", ctypes.byref(made))
def forget():
    _library.release(made.value)
    released.set()
wait = threading.Event.wait
def interrupted(event, timeout=None):
    if threading.current_thread() is not threading.main_thread() or event in (entered, go, released):
        return wait(event, timeout)
    entered.wait()
    raise KeyboardInterrupt
threading.Event.wait = interrupted
try:
    _library.interruptible(body, forget=forget)
except KeyboardInterrupt:
    threading.Event.wait = wait
    go.set()
    assert released.wait()
    print(_library.status("control_cancel", made.value))
"""
    assert python(code) == "-6\n"


def test_a_call_that_is_left_alone_keeps_the_memory_that_it_reads():
    code = """
import gc, threading, weakref, numpy, tupelo
from tupelo import _library
def interrupted(event, timeout=None):
    entered.wait()
    raise KeyboardInterrupt
def from_bytes():
    owner = numpy.frombuffer(data, numpy.uint8).copy()
    kept.append(weakref.ref(owner))
    tupelo.Model.from_bytes(owner)
def from_tables():
    owner = numpy.ones(16**6, numpy.float32)
    kept.append(weakref.ref(owner))
    tupelo.Model.from_tables("012345", [owner])
data = tupelo.Model.from_tables("012345", [numpy.ones(16**6, numpy.float32)]).to_bytes()
status, Event = _library.status, threading.Event
for call in (from_bytes, from_tables):
    kept, entered, go, ended = [], Event(), Event(), Event()
    class Waiting(Event):
        wait = interrupted
    def held(name, *arguments):
        if not name.startswith("model_from"):
            return status(name, *arguments)
        entered.set()
        go.wait()
        result = status(name, *arguments)
        ended.set()
        return result
    _library.status, _library.threading.Event = held, Waiting
    try:
        call()
    except KeyboardInterrupt:
        pass
    finally:
        _library.status, _library.threading.Event = status, Event
    gc.collect()
    print(kept[0]() is not None, end=" ")
    go.set()
    ended.wait()
"""
    assert python(code) == "True True "


@pytest.mark.parametrize("begins", [False, True])
def test_control_c_while_the_thread_starts(begins):
    """An interrupt that comes before the call has a thread, or before its thread has begun, ends the call at once."""
    code = f"""
import threading, tupelo
from tupelo import _library
start, raised, ran = threading.Thread.start, threading.Event(), threading.Event()
def interrupted(thread):
    if {begins}:
        run = thread._target
        thread._target = lambda: (raised.wait(), run(), ran.set())
        start(thread)
    raise KeyboardInterrupt
calls = []
threading.Thread.start = interrupted
try:
    _library.interruptible(lambda control: calls.append(control) or 0)
    print("ended")
except KeyboardInterrupt:
    print("interrupted")
threading.Thread.start = start
raised.set()
assert not {begins} or ran.wait()
print(calls, tupelo.evaluate("random", 2)["games"])
"""
    assert python(code) == "interrupted\n[] 2\n"


def test_signal_handlers_and_threads_of_numpy_stay():
    code = """
import signal
before = {s: signal.getsignal(s) for s in signal.valid_signals()}
mask = signal.pthread_sigmask(signal.SIG_BLOCK, [])
import tupelo
trainer = tupelo.Trainer({"network.patterns": "0123", "training.games": 50})
trainer.train(progress=False)
trainer.model()
assert {s: signal.getsignal(s) for s in signal.valid_signals()} == before
assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == mask
print("same")
"""
    assert python(code) == "same\n"


def test_blas_threads_of_numpy_stay():
    pytest.importorskip("threadpoolctl")
    code = """
import numpy, threadpoolctl
numpy.ones((4, 4)) @ numpy.ones((4, 4))
def count():
    pools = threadpoolctl.threadpool_info()
    return sorted((pool["filepath"], pool["num_threads"]) for pool in pools)
import tupelo
before = count()
# A dense network: its training is by BLAS.
trainer = tupelo.Trainer({"network.patterns": "0123", "network.dense.hidden": [8], "training.games": 50})
trainer.train(progress=False)
trainer.model()
assert before and count() == before, (before, count())
print("same")
"""
    assert python(code) == "same\n"
