"""Hostile memory, numbers and texts lead to an exception or a result, never to the end of the process.

A crash would end pytest itself, so each test that finishes has passed that part.
"""

import ctypes

import numpy as np
import pytest
import tupelo
from tupelo import _library, _structs
from tupelo._games import AUTORESET, Games
from tupelo._settings import ILLEGAL, Settings

#: The number of steps of games. The other tests together make about the same number of calls.
CALLS = 60_000


def test_corrupt_states_and_actions(rng):
    """Random bytes in the state arrays of small batches: a step refuses them, or plays the valid ones."""
    refused = played = 0
    for shape in ((2, 2), (3, 4), (4, 4)):
        for autoreset in AUTORESET:
            games = Games(
                4, Settings(shape, observation="onehot", max_episode_steps=100), autoreset=autoreset
            )
            games.reset(np.arange(4, dtype=np.uint64))
            clean = games.save()
            for _ in range(CALLS // 9):
                for name, array in clean.items():
                    getattr(games, name)[...] = array
                name = rng.choice(list(clean))
                target = getattr(games, name)
                memory = target.view(np.uint8).reshape(-1)
                for _ in range(int(rng.integers(1, 6))):
                    memory[rng.integers(len(memory))] = rng.choice([0, 1, 15, 127, 128, 255, rng.integers(256)])
                actions = rng.integers(0, 4, 4)
                if rng.random() < 0.3:
                    actions[rng.integers(4)] = rng.choice([4, -1, 2**62, -(2**63)])
                before = games.save()
                try:
                    games.step(actions)
                    played += 1
                    assert games.action_masks.any(axis=1).all() and (games.largest_tiles <= 131_072).all()
                except (ValueError, tupelo.Error) as error:
                    refused += 1
                    assert str(error)
                    for (
                        key,
                        array,
                    ) in before.items():  # A refused step has changed nothing.
                        assert np.array_equal(getattr(games, key), array), key
    assert refused > CALLS // 10 and played > CALLS // 10


def test_corrupt_settings(rng):
    """Random numbers in the struct itself."""
    games = Games(4, Settings(observation="planes"), autoreset="same_step")
    games.reset(np.arange(4, dtype=np.uint64))
    clean = bytes(games._struct)
    offsets = {name: getattr(_structs.GamesStruct, name) for name, _ in _structs.GamesStruct._fields_}
    for _ in range(CALLS // 4):
        ctypes.memmove(ctypes.addressof(games._struct), clean, len(clean))
        name = rng.choice([n for n in offsets if offsets[n].offset < offsets["boards"].offset])
        if name in (
            "count",
            "observation",
            "rows",
            "columns",
            "autoreset",
        ):  # Larger ones would need more memory.
            setattr(games._struct, name, -int(rng.integers(1, 2**31)))
        elif name in ("four_probability", "illegal_reward"):
            setattr(
                games._struct,
                name,
                float(rng.choice([np.nan, np.inf, -np.inf, -1e300, 2.0, -0.1])),
            )
        else:
            setattr(
                games._struct,
                name,
                int(rng.choice([-1, 0, 3, 99, 2**31 - 1, -(2**31)])),
            )
        try:
            games.play()
        except (ValueError, tupelo.Error):
            pass
    for name in (
        "boards",
        "overflow",
        "random",
        "scores",
        "plies",
        "steps",
        "ended",
        "observations",
    ):
        ctypes.memmove(ctypes.addressof(games._struct), clean, len(clean))
        setattr(games._struct, name, None)
        with pytest.raises(ValueError, match=name):
            games.play()


def test_random_handles_and_pointers(rng):
    """Numbers without an object, objects of another kind, released objects, and NULL everywhere."""
    trainer = tupelo.Trainer({"network.patterns": "0123"})
    model = trainer.model()
    searcher = model.search("1200000000000000", plies=1) and model._searchers._free[0].handle
    released = tupelo.Trainer({"network.patterns": "0123"})
    gone = released._handle
    del released
    handles = [
        0,
        -1,
        1 << 62,
        -(1 << 63),
        gone,
        trainer._handle,
        model._handle,
        searcher,
        12345,
    ]
    right = {
        "model": model._handle,
        "trainer": trainer._handle,
        "searcher": searcher,
        "release": None,
    }
    for _ in range(CALLS // 4):
        name = str(rng.choice(list(_library._PROTOTYPES)))
        arguments = []
        for kind in _library._PROTOTYPES[name]:
            if kind in (ctypes.c_int64, ctypes.c_int32):
                arguments.append(int(rng.choice([-1, 0, 1, 4, 2**31 - 1, -(2**31)])))
            elif kind in (ctypes.c_uint64, ctypes.c_uint32):
                arguments.append(int(rng.choice([0, 1, 15])))
            elif kind in (ctypes.c_double, ctypes.c_float):
                arguments.append(float(rng.choice([-1.0, 0.0, 0.5, np.nan, np.inf, 1e300])))
            else:
                arguments.append(None)
        if _library._PROTOTYPES[name][:1] == [ctypes.c_int64]:
            own = right.get(name.split("_")[0])
            arguments[0] = int(rng.choice([h for h in handles if h != own or rng.random() < 0.5]))
        if name in ("release", "control_cancel") or name == "trainer_slice":
            arguments[0] = int(rng.choice([0, -1, 1 << 62, gone, 12345]))
        status = getattr(_library._library, "tupelo_" + name)(*arguments)
        assert -11 <= status <= 0
        if status:
            assert _library.last_error()


def test_texts_that_are_not_utf8():
    for name in ("model_load", "trainer_create", "trainer_resume"):
        number = ctypes.c_int64()
        for text in (b"\xff\xfe", b"\xc3", b"a\x80", b"\xed\xa0\x80"):
            if name == "trainer_create":
                call = (text, None, None, 0, ctypes.byref(number))
            elif name == "trainer_resume":
                call = (text, None, 0, 0, ctypes.byref(number))
            else:
                call = (text, ctypes.byref(number))
            assert getattr(_library._library, "tupelo_" + name)(*call) < 0
            assert _library.last_error() and number.value == 0


def test_illegal_and_over_are_told_apart():
    assert ILLEGAL == ("ignore", "terminate", "raise") and AUTORESET == (
        "next_step",
        "same_step",
        "disabled",
    )


def test_random_arguments_of_the_functions(rng):
    """Arrays of random types, shapes and contents give a result, a TypeError or a ValueError."""
    kinds = [np.uint64, np.uint32, np.int64, np.float64, np.bool_, np.int8, object]
    good = 0
    for _ in range(CALLS // 4):
        shape = tuple(int(n) for n in rng.integers(0, 4, rng.integers(0, 3)))
        array = rng.integers(0, 2**62, shape).astype(rng.choice(kinds))
        if rng.random() < 0.5:
            array = (rng.integers(0, 2**63, int(rng.integers(0, 4))) & 0x3333333333333333).astype(np.uint64)
        function = rng.choice([tupelo.successors, tupelo.legal_moves, tupelo.symmetries, tupelo.unpack])
        size = (int(rng.integers(0, 6)), int(rng.integers(0, 6))) if rng.random() < 0.5 else (4, 4)
        try:
            function(array, shape=size)
            good += 1
        except (TypeError, ValueError):
            pass
    assert good > CALLS // 40
