"""Fixtures of the tests of the page: a browser, pages in it, servers and sites that they show."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tupelo_page", "set_page", "records")

from programs import MODELS, Host, Server, SingleFile, run  # noqa: E402  (asserts of the modules are rewritten first)
from set_page import SetPage  # noqa: E402
from tupelo_page import ErrorLog, TupeloPage  # noqa: E402

MISSING = "is not installed: pip install playwright; apt-get install chromium"
SCRIPT = Path(__file__).with_name("settled.js")


def pytest_configure(config):
    config.addinivalue_line("markers", "visit: the quick tier, which visits each view once")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Adds to the report of a failed test what its pages show."""
    report = yield
    if report.when == "call" and report.failed:
        for page in (page for context in getattr(item, "contexts", []) for page in context.pages):
            with contextlib.suppress(Exception):  # A page that has crashed shows nothing.
                report.sections.append((page.url, page.inner_text("body", timeout=5000)))
    return report


@pytest.fixture(scope="session")
def launched():
    """A function that returns the browser of all tests, and starts it again after a crash.

    The browser has no window, unless `TUPELO_BROWSER_WINDOW` is set. Without playwright or Chromium, tests are skipped.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip(f"playwright {MISSING}")
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip(f"chromium {MISSING}")
    is_hidden = not os.environ.get("TUPELO_BROWSER_WINDOW")
    with sync_playwright() as play:
        browsers = []

        def browser():
            if not browsers or not browsers[-1].is_connected():
                browsers.append(play.chromium.launch(executable_path=path, headless=is_hidden, args=["--no-sandbox"]))
            return browsers[-1]

        yield browser
        if browsers:
            browsers[-1].close()


@pytest.fixture
def browser(launched):
    return launched()


@pytest.fixture(scope="session")
def models():
    """The folder of the models that come with the repository."""
    return MODELS


@pytest.fixture
def serve():
    """Starts `tupelo serve` with arguments, and returns its address. Without models, the heuristic plays."""
    servers = []

    def start(*arguments):
        servers.append(Server(*arguments))
        return servers[-1].address

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def site(tmp_path):
    """Runs `tupelo site` with arguments, and returns a web host of the folder that it writes."""
    hosts = []

    def write(*arguments):
        run("site", "--output", tmp_path / "site", *arguments)
        hosts.append(Host(tmp_path / "site"))
        return hosts[-1]

    yield write
    for host in hosts:
        host.stop()


@pytest.fixture
def single_file(tmp_path):
    """Runs `tupelo site --single-file` with arguments, and returns the file."""

    def write(*arguments):
        run("site", "--single-file", "--output", tmp_path / "tupelo.html", *arguments)
        return SingleFile(tmp_path / "tupelo.html")

    return write


@pytest.fixture(params=["host", "disk"])
def place(request, site, single_file, models):
    """A page without a server: on a web host, and as one file on the disk."""
    write = {"host": site, "disk": single_file}[request.param]
    return write("--model", models / "17x4", "--set-model", models / "set")


@pytest.fixture
def open_site(open_page, place):
    """Opens the page of a place, and waits until it has loaded its model."""

    def open(link="", **options):
        page = open_page(at=place.address + link, **options)
        if not link:
            page.press("?")
        page.until_model()
        return page

    return open


@pytest.fixture
def errors():
    """The errors of all pages of the test. After the test there is none, except those that the test expects."""
    log = ErrorLog()
    yield log
    assert log.unexpected() == [], "the console is silent, and every request succeeds"


@pytest.fixture
def open_page(browser, serve, errors, request):
    """Opens a page in a browser window of its own.

    `at` is an address, or a link such as `#analyze=...` on a server without models, which is also the default.
    `keeps` says whether the page may be kept as an app; by default it may not, so that each request is seen.
    `luck` decides decks and tiles; by default it is the number of open windows.
    `kind` is the class of the page, `SetPage` for tests of Set.
    Other options are those of playwright for a window.
    """
    contexts, server = [], []
    request.node.contexts = contexts

    def open(width=1100, height=900, *, at="", keeps=False, luck=None, kind=TupeloPage, **options):
        if at == "" or at.startswith("#"):
            if not server:
                server.append(serve())
            at = server[0] + at
        if luck is None:
            luck = len(browser.contexts)
        # Motion takes time, so only tests about motion turn it on.
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.on("close", lambda context: contexts.remove(context))
        context.set_default_timeout(120_000)
        if not keeps:
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        context.add_init_script(f"window.luck = {luck}")
        context.add_init_script(path=SCRIPT)
        return kind(context.new_page(), at, errors)

    yield open
    for context in list(contexts):
        context.close()


@pytest.fixture
def page(open_page):
    """A page of a server without models."""
    return open_page()


@pytest.fixture
def open_set(open_page):
    """Opens a page with the view of Set."""

    def open(width=1366, height=650, **options):
        page = open_page(width, height, kind=SetPage, **options)
        page.view("set")
        page.until_dealt()
        return page

    return open
