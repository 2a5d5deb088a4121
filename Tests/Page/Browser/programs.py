"""The program `tupelo` as a server of the page, and as a writer of pages that need no server."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import threading
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
MODELS = REPOSITORY / "models"
BUILD = "swift build -c release --product tupelo"


def program():
    """The path of the program. The tests fail with one line when it is not there."""
    path = Path(os.environ.get("TUPELO_PROGRAM", REPOSITORY / ".build/release/tupelo"))
    if not path.is_file():
        pytest.fail(f"{path} is not there: {BUILD}, or name another program in TUPELO_PROGRAM", pytrace=False)
    return path


def start(*arguments):
    """Starts the program. It plays by no models except those that are named."""
    return subprocess.Popen(
        [program(), *map(str, arguments)],
        env={**os.environ, "TUPELO_MODEL": "none"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(*arguments, text=None):
    """Runs the program to its end, with a text as its input, and returns its output."""
    result = subprocess.run(
        [program(), *map(str, arguments)],
        env={**os.environ, "TUPELO_MODEL": "none"},
        input=text,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


class Server:
    """`tupelo serve` on a free port."""

    def __init__(self, *arguments):
        self.process = start("serve", "--port", 0, *arguments)
        lines = []
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.address = line.split()[2]
                return
            lines.append(line)
        pytest.fail(f"tupelo serve did not start: {''.join(lines)}", pytrace=False)

    def stop(self):
        self.process.kill()
        self.process.communicate()


class Host:
    """A web host of a folder, which runs no program of ours. Its list `requests` has the path of each request."""

    def __init__(self, folder):
        self.folder = folder
        requests = self.requests = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                requests.append(self.path)

            def end_headers(self):
                # The browser keeps no copy, so each request is seen here.
                self.send_header("Cache-Control", "no-store")
                super().end_headers()

        handler = functools.partial(Handler, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class SingleFile:
    """A page with its models in one file on the disk. No request leaves it."""

    def __init__(self, path):
        self.address = path.as_uri()
        self.requests = []
