"""Boards smaller than 4x4 in Play: games, Best, the coach, and what other views offer for them."""

import json
import struct

import pytest

SHAPES = {"3x4": (3, 4), "3x3": (3, 3)}
# On these boards, the move to the right loses the game, and two other moves do not.
LAST_CHANCE = {"3x4": "121221212120", "3x3": "121212210"}
KEYS = {"up": "w", "right": "d", "down": "s", "left": "a"}


def begin(page, shape):
    """Begins a game on a board of a shape."""
    page.choose("#shape", shape)
    if page.moves() > 0:
        page.click("#new-game")
    page.settle()


def put_game(page, shape, start):
    """Puts a stored game without moves on the table, on a board of a shape. All new tiles are 2."""
    rows, columns = SHAPES[shape]
    header = {"columns": columns, "four_probability": 0, "rows": rows, "start": start, "start_tiles": 2}
    game = {"id": start, "record": json.dumps({**header, "tupelo_record": 1}) + "\n", "fresh": True}
    page.evaluate(
        """(game) => {
          dispatchEvent(new Event("pagehide"));
          localStorage.setItem("tupelo.game", JSON.stringify(game));
        }""",
        {**game, "undos": 0, "players": ["person"], "celebrated": False, "redo": [], "judged": []},
    )
    page.reload()
    page.settle()
    assert page.board() == start, "the game is on the table"


def boxes(page, selector):
    """The boxes of the visible elements of a selector, as left, top, width and height within the board."""
    return page.evaluate(
        """(selector) => {
          const board = document.getElementById("board").getBoundingClientRect();
          return [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect())
            .filter(({ width }) => width > 0)
            .map(({ left, top, width, height }) => [left - board.left, top - board.top, width, height]);
        }""",
        selector,
    )


@pytest.mark.visit
@pytest.mark.parametrize("shape", SHAPES)
def test_small_boards_are_played(page, shape):
    rows, columns = SHAPES[shape]
    width = boxes(page, "#board")[0][2]
    page.press("n")
    page.play(*"asdw" * 3)
    best = page.number("#best")
    assert best == page.number("#score") > 0
    begin(page, shape)
    assert len(page.board()) == rows * columns and page.board().count("0") == rows * columns - 2
    assert page.text("#best-note") == f"Best: mostly 2, {shape} board" and page.text("#best") == "0"
    assert len(page.games()) == 1, "the game before is in the list"

    # Cells are squares, a tile covers its cell, and the board is as wide as a 4x4 board.
    cells = boxes(page, "#board .cells i")
    assert len(cells) == rows * columns and boxes(page, "#board")[0][2] == width
    assert all(abs(width - height) < 0.1 for _, _, width, height in cells)
    page.play(*"asdw" * 3)
    header = json.loads(page.snap(shape).split("\n")[0])
    assert (header["rows"], header["columns"]) == (rows, columns)
    for tile in boxes(page, "#board .tile"):
        assert any(max(abs(a - b) for a, b in zip(tile, cell)) < 0.1 for cell in cells), "a tile covers its cell"
    table = page.evaluate("""[...document.querySelectorAll("#board-table td")]
      .filter((cell) => cell.checkVisibility()).map((cell) => cell.textContent)""")
    assert table == [str(2 ** int(digit)) if digit != "0" else "empty" for digit in page.board()]

    score, board = page.number("#score"), page.board()
    assert page.number("#best") == score > 0, "Best is of this shape"
    page.press("u", "u")
    page.settle()
    page.snap("undone")
    page.keep()
    page.reload()
    page.settle()
    page.press("r", "r")
    page.settle()
    assert page.board() == board, "undone moves of a small board survive a reload"
    assert page.input_value("#shape") == shape, "the shape is remembered"
    begin(page, "4x4")
    assert len(page.board()) == 16 and page.number("#best") == best, "Best of 4x4 is what it was"
    assert len(page.games()) == 2 and page.text("#best-note") == ""


@pytest.mark.parametrize("shape", SHAPES)
def test_the_coach_judges_small_boards(page, shape):
    put_game(page, shape, LAST_CHANCE[shape])
    asked = page.evaluate("window.asked")
    page.select_option("#judges", "all")
    page.focus("#board")
    page.press("?")
    page.until_hint()
    best = page.hint()
    assert best in ("up", "down"), "the hint does not lose the game"
    assert page.text("#verdict").lower() == f"hint: {best}."
    page.press(KEYS[best])
    page.until_text("#verdict", f"best move: {best.capitalize()}.")
    assert page.text("#best-note") == "Not for Best: hints were shown."
    page.press("u", "d")
    page.until_text("#verdict", ": Right.")
    assert page.text("#verdict").startswith(("Mistake", "Blunder")), "the move that loses the game is judged"
    assert page.text("#verdict").endswith(" was better."), "the heuristic's values are not points"
    assert "heuristic" in page.text("#coach-note")
    page.press("u")
    page.check("#show-hints")
    page.until_hint()
    page.settle()
    assert page.evaluate("window.asked") == asked, "the server is not asked about a small board"
    # A mark has the whole board as its box, in any direction.
    for way in ("up", "right", "down", "left"):
        page.evaluate("(way) => { document.getElementById('board').dataset.hint = way; }", way)
        mark, board = boxes(page, "#board .hint")[0], boxes(page, "#board")[0]
        assert max(abs(a - b) for a, b in zip(mark, board)) < 0.5, way


@pytest.mark.parametrize("shape", SHAPES)
def test_other_views_offer_what_they_can(page, shape):
    """Other views have no button for a small game that does nothing, and say why."""
    rows, columns = SHAPES[shape]
    put_game(page, shape, LAST_CHANCE[shape])
    page.focus("#board")
    page.press("d")
    page.settle()
    assert page.text("#notice-title") == "Game over" and not page.is_visible("#notice-third"), "no Review is offered"
    page.view("watch")
    page.settle()
    assert len(page.board()) == 16 and not page.is_visible("#watch-own"), "agents play on 4x4"
    page.click("#watch-new")
    page.settle()
    assert len(page.board()) == 16
    page.choose("#shape", shape)
    page.settle()
    assert len(page.board()) == 16, "the choice of a board is for the person's games"
    page.view("analyze")
    page.settle()
    assert len(page.board()) == 16 and not page.is_visible("#analysis-game")
    page.view("replay")
    page.settle()
    assert len(page.board()) == rows * columns and page.text("#record-note").startswith("This game: person, 1 move")
    assert not page.is_visible("#review") and page.text("#review-note") == "Only games on a 4x4 board are reviewed."
    assert not page.is_visible("#analyze-this")
    with page.expect_download() as download:
        page.click("#share-picture")
    size = struct.unpack(">II", download.value.path().read_bytes()[16:24])
    step = (640 - 16) // columns
    assert size == (640, 84 + 16 + rows * step), "a picture has the cells of the board"
    page.click("#to-back")
    page.until_hint()
    assert page.hint() in ("up", "down"), "the heuristic values positions of the record"
    page.view("play")
    page.settle()
    assert len(page.board()) == rows * columns, "the game is on the table again"
    begin(page, "4x4")
    page.play(*"asdw")
    page.view("replay")
    page.settle()
    assert page.is_visible("#review") and page.is_visible("#analyze-this"), "a game on 4x4 is reviewed"


@pytest.mark.parametrize(("width", "height"), [(390, 664), (375, 553)])
@pytest.mark.parametrize("shape", SHAPES)
def test_small_boards_fit_phones(open_page, shape, width, height):
    page = open_page(width, height, has_touch=True, is_mobile=True)
    begin(page, shape)
    page.select_option("#judges", "all")
    page.evaluate("scrollTo(0, 0)")
    page.play(*"asdw")
    page.until_text("#verdict", ": ")
    for name in ("#score", "#board", "#verdict", "#undo", "#hint"):
        box = page.locator(name).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, f"{name} is in sight"
    assert page.locator("#board").bounding_box()["width"] >= 340, "the board is as wide as the screen"
