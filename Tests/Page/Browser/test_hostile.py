"""Texts of others that are as large as the page allows: each is read or refused at once, and the page goes on."""

import base64
import time
import zlib

import pytest

import records

SECONDS = 10  # for a text. A reader whose time grows with the square of the length takes a minute and more.
LARGEST = 500_000  # characters of a record
HEADER = '{"agent":"%s","columns":4,"four_probability":0.1,"rows":4,"start":"%s","start_tiles":2,"tupelo_record":1}\n'
START = "1100000000000000"


def record(size=LARGEST, **part):
    """A record of `size` characters, one part of which is repeated to fill it."""
    [(name, text)] = part.items()
    parts = {"agent": "x", "start": START, "steps": "", name: text * (1 + size // len(text))}
    excess = len(HEADER % (parts["agent"], parts["start"]) + parts["steps"]) - size
    parts[name] = parts[name][:-excess]
    return HEADER % (parts["agent"], parts["start"]) + parts["steps"]


def checked(body):
    return body + zlib.crc32(body).to_bytes(4, "little")


TEXTS = {
    "many players": record(agent="x, "),
    "commas": record(agent=", "),
    "open parentheses": record(agent="(, "),
    "some players": record(size=10_000, agent=", "),
    "numbers of undone moves": record(agent=", 1111111111"),
    "a long start": record(start="1 "),
    "one step again and again": record(steps="l52 "),
    "a step without an end": record(steps="llllllll"),
    "white space": record(steps=" \t\n\r"),
    "a header without an end": '{"agent":' + "[" * (LARGEST - 9),
    "line breaks": "\r\n" * (LARGEST // 2),
    "moves alone, and a wrong end": "u " * (LARGEST // 2 - 1) + "x",
    "words of moves, and a wrong end": "up,;" * (LARGEST // 4 - 1) + "x",
    "separators": " ,;|" * (LARGEST // 4),
    "2048verse": "replay_" + "!" * (LARGEST - 7),
    "2048verse, line breaks": "replay_" + "\r\n" * (LARGEST // 2 - 8) + "x",
    "2048verse, a newer one": "1" * (LARGEST - 1) + "x",
    "RPL1, moves": checked(b"RPL1\x44\x00\x02\x00\x01" + b"\x05\x00" * (LARGEST // 2 - 8)),
    "RPL1, undone moves": checked(b"RPL1\x44\x00\x02\x00\x01" + b"\x80\x00" * (LARGEST // 2 - 8)),
    "RPL1, text": b"REPLAY_v1RPL_B64_" + b"UlBM" * (LARGEST // 4 - 5),
    "not a text": bytes(range(128, 256)) * (LARGEST // 128),
}


@pytest.fixture
def quickly(page):
    """Gives the page a text, waits until it has an error or a record, and checks the time. Returns the error."""

    def work(name, act, selector="#record-error"):
        page.evaluate(f"for (const one of document.querySelectorAll('{selector}, #record-note')) one.textContent = ''")
        begun = time.monotonic()
        act()
        page.until(f"[...document.querySelectorAll('{selector}, #record-note')].some((one) => one.textContent !== '')")
        page.settle()
        assert time.monotonic() - begun < SECONDS, name
        return page.text(selector)

    return work


def test_large_files_are_read_or_refused_at_once(page, quickly, tmp_path):
    page.view("replay")
    for name, text in TEXTS.items():
        (tmp_path / "game.txt").write_bytes(text if isinstance(text, bytes) else text.encode())
        reason = quickly(name, lambda: page.set_input_files("#record-file", tmp_path / "game.txt"))
        is_read = name in ("some players", "white space", "2048verse, line breaks", "RPL1, undone moves")
        assert is_read == (reason == "") and len(reason) < 200, f"{name}: {reason[:500]}"
        if not is_read:
            continue
        begun = time.monotonic()
        page.click("#play-on")
        page.settle()
        page.view("replay")
        page.settle()
        assert time.monotonic() - begun < SECONDS, name


def test_large_links_and_pasted_texts_are_read_or_refused_at_once(page, quickly):
    page.view("replay")

    for name in ("many players", "commas", "moves alone, and a wrong end"):
        packed = zlib.compressobj(9, zlib.DEFLATED, -15)
        letters = base64.urlsafe_b64encode(packed.compress(TEXTS[name].encode()) + packed.flush()).decode().rstrip("=")
        reason = quickly(name, lambda letters=letters: page.evaluate(f"location.hash = '#game={letters}'"))
        assert reason.startswith("This link has no game"), reason[:200]

        def paste(name=name):
            page.enter("record-input", TEXTS[name], "read-record")

        assert quickly(name, paste).startswith("What was pasted")
    # The browser itself takes seconds for an address of a megabyte.
    follow = "(address) => { location.hash = address; }"
    for address in ("#game=" + "A" * 500_000, "#game=" + "%41" * 150_000):
        assert "This link has no game" in quickly(address[:10], lambda address=address: page.evaluate(follow, address))
    page.view("analyze")
    page.settle()
    for address in ("#analyze=" + "1" * 500_000, "#analyze=" + "%201" * 125_000):
        error = quickly(address[:20], lambda address=address: page.evaluate(follow, address), "#analysis-error")
        assert error.startswith("This link has no board"), error[:200]
    # The browser itself takes long to draw a field of many lines.
    for text in ("1 " * 250_000, "." * 500_000, "1024 " * 100_000, " \n" * 10_000 + "x", "9" * 500_000):
        error = quickly(
            text[:10], lambda text=text: page.enter("analysis-input", text, "analysis-set"), "#analysis-error"
        )
        assert 0 < len(error) < 200, error[:500]


def test_large_records_of_set_are_refused_at_once(open_set, tmp_path):
    page = open_set()
    head = '{"agent":"%s","game":0,"rules":"standard","seed":1,"tupelo_set_record":1}\n'
    texts = {
        "players": head % (", x" * 33_000),
        "choices": head % "x" + "1rsd2rsd3rsd " * 7600,
        "white space": head % "x" + " \n" * 49_000,
        "a header": "{" * 99_000,
    }
    for name, text in texts.items():
        page.evaluate("document.getElementById('set-record-error').textContent = ''")
        (tmp_path / "set.txt").write_text(text)
        begun = time.monotonic()
        page.set_input_files("#set-file", tmp_path / "set.txt")
        page.settle()
        assert time.monotonic() - begun < SECONDS, name
        assert len(page.text("#set-record-error")) < 300, name


def test_large_settings_and_metrics_are_shown_at_once(open_page, serve, tmp_path):
    """The settings of a run may have a line of a megabyte, and its metrics may be large: the page goes on."""
    for name in ("spaces", "usual"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.jsonl").write_text('{"games":1,"x":2}\n')
    (tmp_path / "spaces" / "config.yaml").write_text("seed: 1" + " " * 1_000_000 + "x\nname:" + " #" * 20_000)
    (tmp_path / "usual" / "config.yaml").write_text("seed: 2 # two\n")
    page = open_page(at=serve("--runs", tmp_path))
    page.view("training")
    begun = time.monotonic()
    for box in page.locator("#runs input").all():
        box.check()
    page.wait_for_selector("#run-differences tr:nth-child(2)")
    assert time.monotonic() - begun < SECONDS
