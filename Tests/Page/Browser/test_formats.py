"""Review: replays of other sites. They are written here by the descriptions of their formats, without Tupelo."""

import base64
import json
import zlib

import pytest

import records

# 2048verse: ASCII from the space on, then the characters of code page 850 beyond ASCII.
CHARACTERS = "".join(bytes([code]).decode("cp850") for code in [*range(32, 127), *range(128, 161)])
MOVES = 60


def tiles_of(record):
    """The tiles of a record, the first two and those of its steps: triples of a move, a cell, and 1 for a 4."""
    header, *lines = record.split("\n")
    start = json.loads(header)["start"]
    first = [(0, cell, int(tile == "2")) for cell, tile in enumerate(start) if tile != "0"]
    steps = " ".join(lines).split()
    return first + [(records.LETTERS.index(move), int(cell, 16), int(tile == "4")) for move, cell, tile in steps]


def verse(tiles):
    """A text of 2048verse, a character for each tile: two bits of move, one for a 4, two each of column and row."""
    return "replay_" + "".join(
        CHARACTERS[move << 5 | four << 4 | cell % 4 << 2 | cell // 4] for move, cell, four in tiles
    )


def uleb128(number):
    """A number in groups of seven bits, the lowest first; all bytes but the last have the highest bit."""
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + uleb128(rest) if rest else bytes([low])


def moved(tile, milliseconds):
    """The record of a move in RPL1."""
    move, cell, four = tile
    return bytes([move | cell << 2 | four << 6]) + uleb128(milliseconds)


def rpl1(tiles, dimensions=0x44):
    """A file of RPL1 with all kinds of records: moves, a move undone, three undone, a board, an extension, the end."""
    first, rest = tiles[:2], tiles[2:]
    parts = [b"RPL1", bytes([dimensions, 0b111, 2]), uleb128(1_790_000_000_000)]
    parts += [bytes([cell | four << 4]) for _, cell, four in first]
    for index, tile in enumerate(rest):
        parts.append(moved(tile, 37 * index))
        if index == 10:
            parts += [b"\x80", uleb128(300), moved(tile, 5)]
        if index == 20:
            parts += [b"\x81", uleb128(3), uleb128(1000), *(moved(again, 9) for again in rest[18:21])]
        if index == 30:
            parts += [b"\x82", b"\x84" * 10, b"\x83", uleb128(200), uleb128(150), b"\x85" * 150]
    body = b"".join([*parts, b"\x84"])
    return body + zlib.crc32(body).to_bytes(4, "little")


def rpl1_text(data):
    return "REPLAY_v1RPL_B64_" + base64.b64encode(data).decode()


def with_taken_cell(record, number):
    """The tiles of a record, but the tile of one move is on a cell that is taken."""
    tiles = tiles_of(record)
    board, _ = records.replay(record)[number - 1]
    way, own, four = tiles[number + 1]
    taken = records.text_of(records.move(records.board_of(board), way))
    cell = next(cell for cell, tile in enumerate(taken) if tile != "0" and cell != own)
    return [*tiles[: number + 1], (way, cell, four), *tiles[number + 2 :]]


@pytest.fixture
def record():
    return records.play(seed=4, player=records.roomy_move, moves=MOVES)


@pytest.fixture
def replay(page, tmp_path):
    """The view of Review, where `choose_file(data)` opens a file and `paste(text)` a text."""

    def choose(data, name="game.rpl"):
        (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        page.set_input_files("#record-file", tmp_path / name)
        page.settle()

    def paste(text):
        page.enter("record-input", text, "read-record")
        page.settle()

    page.view("replay")
    page.settle()
    page.choose_file, page.paste = choose, paste
    return page


def test_replays_of_other_sites_are_opened(replay, record):
    assert moved((1, 6, 1), 834) == bytes.fromhex("59c206"), "the example of the description of RPL1"
    boards = [board for board, _ in records.replay(record)]
    tiles = tiles_of(record)
    ways = {
        "2048verse, a file": ("2048verse", lambda: replay.choose_file(verse(tiles) + "\r\n", "game.txt")),
        "2048verse, pasted": ("2048verse", lambda: replay.paste(verse(tiles))),
        "RPL1, a file": ("2048 Next", lambda: replay.choose_file(rpl1(tiles))),
        "RPL1, a text in a file": ("2048 Next", lambda: replay.choose_file(rpl1_text(rpl1(tiles)) + "\n", "game.txt")),
        "RPL1, pasted": ("2048 Next", lambda: replay.paste(rpl1_text(rpl1(tiles)))),
    }
    for name, (site, open_replay) in ways.items():
        replay.click("#load-current")
        replay.settle()
        open_replay()
        assert replay.text("#record-error") == "", name
        assert f"unknown player ({site}), {MOVES} moves" in replay.text("#record-note"), name
        assert replay.board() == boards[-1] == replay.tiles(), name
        for key, index in (("ArrowLeft", MOVES - 1), ("Home", 0)):
            replay.press(key)
            replay.settle()
            assert replay.board() == boards[index], f"{name}: position {index}"
    replay.click("#play-on")
    replay.settle()
    assert replay.text("#best-note") == "Not for Best: it began from a position.", "the player was not an agent"
    replay.go_back()
    replay.settle()
    with replay.expect_download() as download:
        replay.click("#save-record")
    saved = download.value.path().read_text()
    assert saved.split("\n")[1:] == record.split("\n")[1:], "a replay is saved as a record"
    assert records.replay(saved)[-1][0] == boards[-1]


def test_damaged_replays_are_refused(replay, record):
    wrong = with_taken_cell(record, 12)
    tiles = tiles_of(record)
    shown = replay.text("#record-note")
    flipped = bytearray(rpl1(tiles))
    flipped[60] ^= 64
    text = verse(tiles)
    at = "is damaged at"
    refused = {
        verse(wrong): f"The replay of 2048verse {at} move 12.",
        text[:20] + "€" + text[21:]: f"The replay of 2048verse {at} character 14.",
        "replay_": "The record starts with an empty board.",
        rpl1(wrong): f"The replay of 2048 Next {at} move 12.",
        bytes(flipped): f"The replay of 2048 Next {at} its checksum.",
        rpl1(tiles)[:-9]: f"The replay of 2048 Next {at} its checksum.",
        b"RPL1": f"The replay of 2048 Next {at} its checksum.",
        rpl1_text(rpl1(tiles))[:-10]: f"The replay of 2048 Next {at} its checksum.",
        rpl1_text(rpl1(tiles))[:-2] + "?": f"The replay of 2048 Next {at} its checksum.",
        rpl1(tiles, dimensions=0x43): "The replay of 2048 Next is not of a 4x4 board, which this page shows.",
    }
    for data, reason in refused.items():
        replay.choose_file(data)
        assert replay.text("#record-error") == f"game.rpl: {reason}"
        assert replay.text("#record-note") == shown, "the record at hand stays"
    # Nothing hostile keeps the page busy or breaks it: all lengths are far beyond the end.
    for body in (b"\x81", b"\x83", b"\xff", b"\x83\x01", b"\x05\x05" * 40):
        body = b"RPL1\x44\x01\xff" + body + b"\xff" * 100_000
        replay.choose_file(body + zlib.crc32(body).to_bytes(4, "little"))
        assert replay.text("#record-error").startswith("game.rpl: "), body[:12]
        assert replay.text("#record-note") == shown, "the record at hand stays"


def test_what_has_no_positions_is_refused(replay):
    missing = "This list of moves cannot be replayed without the tiles that appeared."
    lists = ("ULDR" * 30, "u r d l\nu r", "up, left, down, right", '["Up","Left"]', "↑→↓←")
    for text in lists:
        replay.paste(text)
        assert replay.text("#record-error") == f"What was pasted: {missing}"
    for text in ("4x4-1_00000g", "3x3-1_00000g", "replay_fib_abc"):
        replay.paste(text)
        assert "This page reads only the older 2048verse replays of 2048." in replay.text("#record-error")
    for text in ("0 2 0 0 2 0 0 0 0 0 0 0 0 0 0 0", "hello world", "0000000000000012"):
        replay.paste(text)
        assert "not a record’s header" in replay.text("#record-error"), "other texts are not called replays"
