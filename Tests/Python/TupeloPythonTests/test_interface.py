"""The C interface: its functions, which stay as they are within a major version."""

import ctypes
import re
import shutil
import subprocess
import sys

import pytest
from tupelo import _library, _structs


@pytest.fixture
def listed(repository):
    """The functions with their arguments. A line that changes or goes breaks programs that were compiled before."""
    return (repository / "Tests/Fixtures/c-functions.txt").read_text().splitlines()


def test_the_header_declares_the_listed_functions(repository, listed):
    header = (repository / "Sources/Python/CTupeloAPI/include/tupelo.h").read_text()
    code = re.sub(r"//.*|TUPELO_NULLABLE", "", header)
    declarations = re.findall(r"^(?:const char|int32_t)\b[^;{]*\);", code, re.M)
    assert [re.sub(r"\s+", " ", text).replace("( ", "(").replace("* ", "*") for text in declarations] == listed


def header_fields(declaration):
    """The fields of a declaration in C, such as `int32_t plies;`, as ctypes has them."""
    kind, names = re.fullmatch(r"(?:const )?(\w+) (.+)", declaration).groups()
    for name in re.split(r", ", names):
        pointer, name, count = re.fullmatch(r"(\**)(\w+)(?:\[(\w+)\])?", name).groups()
        field = ctypes.c_char_p if pointer and kind == "char" else ctypes.c_void_p
        if not pointer:
            field = getattr(ctypes, "c_" + kind.removesuffix("_t"))
        yield name, field * int(count) if count else field


def test_the_structs_are_the_headers(repository):
    """The package describes the structs again, so that a wheel needs no compiler and no header."""
    header = (repository / "Sources/Python/CTupeloAPI/include/tupelo.h").read_text()
    code = re.sub(r"//.*|TUPELO_NULLABLE|TUPELO_SAFE", "", header)
    structs = dict(re.findall(r"^typedef struct\s+(\w+) \{(.*?)^\}", code, re.M | re.S))
    classes = {
        "tupelo_games": _structs.GamesStruct, "tupelo_search_settings": _structs.SearchSettings,
        "tupelo_search_limits": _structs.SearchLimits, "tupelo_search_result": _structs.SearchResult,
        "tupelo_evaluation": _structs.EvaluationStruct, "tupelo_progress": _structs.ProgressStruct,
    }  # fmt: skip
    assert structs.keys() == classes.keys()
    for name, text in structs.items():
        declarations = [re.sub(r"\s+", " ", line).replace("* ", "*").strip() for line in text.split(";")]
        fields = [field for line in declarations if line for field in header_fields(line)]
        assert fields == classes[name]._fields_, name


@pytest.mark.skipif(sys.platform == "darwin" or shutil.which("nm") is None, reason="nm of Linux is not installed")
def test_the_library_exports_the_listed_functions(listed):
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", _library.path]
    symbols = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    exported = {symbol.split()[0] for symbol in symbols if symbol.startswith("tupelo_")}
    assert exported == {re.search(r"tupelo_\w+", line).group() for line in listed}
