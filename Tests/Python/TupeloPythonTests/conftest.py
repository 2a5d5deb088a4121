"""Fixtures and functions that several tests use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

# macOS keeps no limit on address space, and its libraries do not work in a forked child.
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits address space and lets a fork go on")

SHAPES = [(rows, columns) for rows in (2, 3, 4) for columns in (2, 3, 4)]


@pytest.fixture
def rng():
    return np.random.default_rng(2048)


@pytest.fixture(scope="session")
def repository():
    """The checkout with models and the program. Without one, the test is skipped."""
    path = Path(os.environ.get("TUPELO_REPOSITORY", Path(__file__).parents[3]))
    if not (path / "models").is_dir():
        pytest.skip("TUPELO_REPOSITORY does not name a checkout with models")
    return path


@pytest.fixture(scope="session")
def program(repository):
    """The program `tupelo` of the checkout."""
    path = Path(os.environ.get("TUPELO_PROGRAM", repository / ".build/release/tupelo"))
    if not path.is_file():
        pytest.skip("the program tupelo is not built: swift build -c release --product tupelo, or set TUPELO_PROGRAM")
    return path


#: Seconds after which a process that hangs is ended: longer than any test takes on a machine with other work.
PATIENCE = 3000


def python(code, *arguments, check=True):
    """Runs code in a new interpreter. Returns its output, and with `check=False` also its exit status."""
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    if check:
        assert result.returncode == 0, result.stderr
        return result.stdout
    return result


def random_boards(rng, count, shape=(4, 4), largest=17, empty=0.3):
    """Exponents of random boards: uint8 (count, rows, columns)."""
    tiles = rng.integers(1, largest + 1, (count, *shape))
    return np.where(rng.random((count, *shape)) < empty, 0, tiles).astype(np.uint8)
