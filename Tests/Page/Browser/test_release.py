"""The page of a release, one file on the disk."""

import os
from pathlib import Path

import pytest
from programs import SingleFile


@pytest.mark.skipif("TUPELO_PAGE" not in os.environ, reason="only .ci/bare names a page in TUPELO_PAGE")
def test_the_page_of_a_release_gives_a_hint(open_page):
    page = open_page(at=SingleFile(Path(os.environ["TUPELO_PAGE"])).address)
    page.press("?")
    page.until_model()
    page.until_hint()
    assert page.hint() in ("up", "right", "down", "left")
