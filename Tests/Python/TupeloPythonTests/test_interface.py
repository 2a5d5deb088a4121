"""The C interface: its functions, which stay as they are within a major version."""

import re
import shutil
import subprocess
import sys

import pytest
from tupelo import _library


@pytest.fixture
def listed(repository):
    """The functions with their arguments. A line that changes or goes breaks programs that were compiled before."""
    return (repository / "Tests/Fixtures/c-functions.txt").read_text().splitlines()


def test_the_header_declares_the_listed_functions(repository, listed):
    header = (repository / "Sources/Python/CTupeloAPI/include/tupelo.h").read_text()
    code = re.sub(r"//.*|TUPELO_NULLABLE", "", header)
    declarations = re.findall(r"^(?:const char|int32_t)\b[^;{]*\);", code, re.M)
    assert [re.sub(r"\s+", " ", text).replace("( ", "(").replace("* ", "*") for text in declarations] == listed


@pytest.mark.skipif(sys.platform == "darwin" or shutil.which("nm") is None, reason="nm of Linux is not installed")
def test_the_library_exports_the_listed_functions(listed):
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", _library.path]
    symbols = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    exported = {symbol.split()[0] for symbol in symbols if symbol.startswith("tupelo_")}
    assert exported == {re.search(r"tupelo_\w+", line).group() for line in listed}
