"""Analyze: the board editor, the lines of an analysis, and links to boards."""

import pytest

import records
from tupelo_page import PHONE


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_the_board_is_edited(open_page, window):
    """Tiles are placed by pointer, touch and keys; the address has the board."""
    page = open_page(at="#analyze=1200000000000003", **window)
    assert not page.is_visible("#palette"), "the editor is closed at first"
    page.click("#edit")
    page.settle()
    if window:
        style = page.evaluate("getComputedStyle(document.querySelector('.table')).touchAction")
        assert style == "auto", "a finger scrolls to the tiles and to Done"

    def cell(index):
        return page.locator("#editor button").nth(index)

    def press(button):
        button.tap() if window else button.click()

    press(page.locator("#palette button").nth(11))
    press(cell(5))
    page.settle()
    assert page.board() == "12000b0000000003" == page.tiles() and page.url.endswith(page.board()), "a tile is placed"
    assert cell(5).get_attribute("aria-label") == "Row 2, column 2: 2048"
    press(cell(5))
    page.settle()
    assert page.board() == "1200000000000003", "a second press takes the tile away"
    press(page.locator("#palette button").first)
    press(cell(15))
    page.settle()
    assert page.board() == "1200000000000000", "a tile is erased"
    page.click("#edit-rotate")
    page.settle()
    assert page.board() == "0001000200000000", "the board is rotated"
    page.click("#edit-clear")
    page.settle()
    assert page.board() == "0" * 16, "the board is cleared"
    assert (page.text("#analysis-note"), page.text("#analysis-error")) == ("Place a tile.", ""), "there is no error"
    cell(0).focus()
    page.press("ArrowRight", "ArrowDown", "5", "ArrowDown", "3", "+", "ArrowLeft", "-", "2", "-", "ArrowUp", "Enter")
    page.press("ArrowRight", ".")
    page.settle()
    assert page.board() == "0000000014000000", "keys place tiles"
    page.click("#edit")
    page.press("ArrowRight")
    page.settle()
    assert page.board().count("0") == 13 and page.board()[10:12] == "14", "keys move again after the editor is closed"
    assert not page.is_visible("#editor"), "the editor is closed"
    page.go_back()
    page.settle()
    assert page.board() == "0000000014000000", "an edit is one entry of the history"
    page.enter("analysis-input", "2 4 8 16\n. . . 2\n. . . .\n. . . .", "analysis-set")
    page.settle()
    assert page.board() == "1234000100000000", "a board can be pasted"


@pytest.mark.visit
def test_lines_are_playable(open_page):
    """Each line begins with its move and continues with moves and tiles that the rules allow."""
    start = "1123021000200001"
    page = open_page(at=f"#analyze={start}")
    page.until("document.querySelectorAll('#lines li').length > 1")
    legal = page.locator("#analysis-values li:not(.illegal)").count()
    page.until(f"document.querySelectorAll('#lines button').length === {5 * legal}")
    assert page.locator("#lines li").count() == legal, "each legal move has a line"
    best = page.locator("#lines li").first.get_attribute("aria-label").split()[-1]
    assert best == page.hint(), "the best move has the first line"
    page.settle()
    for line in page.locator("#lines li").all_inner_texts():
        board = records.board_of(start)
        for step in (text for text in line.split("\n") if text[0] in "↑→↓←"):
            after = records.move(board, "↑→↓←".index(step[0]))
            tile, place = step[2:].split(" at ")
            row, column = int(place[1]) - 1, "abcd".index(place[0])
            assert after is not None and after[row][column] == 0 and tile in ("2", "4"), f"{step} on {board}"
            board = after
            board[row][column] = 1 if tile == "2" else 2
    page.locator("#lines li").last.locator("button").last.click()
    page.settle()
    assert page.board() == records.text_of(board), "a step of a line shows its board"
    for _ in range(8):
        if page.board() == start:
            break
        page.press("u")
        page.settle()
    assert page.board() == start, "a line is taken back move by move"


def test_a_long_analysis_fills_no_history(open_page):
    """Some browsers refuse more than a hundred addresses in half a minute: later ones replace each other."""
    page = open_page(at="#analyze=1100000000000000")
    count = page.evaluate("""() => {
      const before = history.length;
      for (let turn = 0; turn < 200; turn += 1) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "asdw"[turn % 4], bubbles: true }));
      }
      return history.length - before;
    }""")
    # The browser itself has at most 50 entries.
    assert 20 < count <= 50
    assert page.url.endswith(page.board()), "the address has the board all the same"


def test_names_in_links_open_no_view(open_page):
    """Names of properties that every object of JavaScript has do not open a view."""
    for name in ("__proto__", "constructor", "toString", "nonsense", "__proto__=1"):
        page = open_page(at="#" + name)
        assert page.is_visible("#panel-play"), f"{name}: the page opens"
        page.view("watch")
        page.evaluate(f"location.hash = '#{name}'")
        page.settle()
        page.view("play")
        page.set_board("1100000000000000")
        page.play("a")
        assert page.moves() == 1 and page.is_visible("#panel-play"), f"{name}: the game continues"
        page.context.close()


@pytest.mark.parametrize(
    ("link", "reason"),
    [
        ("12345", "a board has 16 digits, this has 5."),
        ("zzz", "‘z’, character 1, is not a tile"),
        ("0000000000000000", "a board needs at least one tile."),
        ("%E0%A4%A", "its address is damaged."),
        ("", "a board has 16 digits, this has 0."),
        ("1100=000000000000", "a board has 16 numbers, this has 2."),
    ],
)
def test_a_wrong_link_is_reported(open_page, link, reason):
    """The page reports a link without a board, and keeps it in the address, where it can be corrected."""

    def error():
        return page.text("#analysis-error")

    page = open_page(at=f"#analyze={link}")
    page.settle()
    assert error().startswith("This link has no board: " + reason)
    assert page.url.endswith("#analyze=" + link), "the link stays in the address"
    page.until("document.querySelectorAll('#analysis-values .best').length === 1")
    page.evaluate("location.hash = '#analyze=1123000000000000'")
    page.settle()
    assert error() == "" and page.board() == "1123000000000000", "a correct link is followed"
    page.evaluate(f"location.hash = '#analyze={link}'")
    page.settle()
    assert error().startswith("This link has no board: " + reason), "a wrong link in an open tab is reported"
    shared = page.input_value("#analysis-link")
    assert page.board() == "1123000000000000" and shared.endswith(page.board()), "the board stays"
    page.play("d")
    assert error() == "" and page.url.endswith("#analyze=" + page.board()), "a move has its own link"
    page.view("play")
    page.view("analyze")
    assert error() == "", "the error is forgotten"


def test_a_board_of_no_game_has_no_score(page):
    """The board of the game has its score and its moves; any other board has none."""

    def numbers():
        return page.text("#score"), page.text("#moves")

    page.set_board("1100000000000000")
    page.play("a")
    assert numbers() == ("4", "1")
    own = page.board()
    page.view("analyze")
    page.settle()
    assert numbers() == ("4", "1"), "the game's board has the game's numbers"
    page.fill("#analysis-input", "2 4 8 16\n. . . 2\n. . . .\n. . . .")
    page.click("#analysis-set")
    page.settle()
    assert page.board() == "1234000100000000", "the typed board is read"
    assert numbers() == ("–", "–"), "another board has no numbers"
    page.click("#analysis-game")
    page.settle()
    assert page.board() == own and numbers() == ("4", "1"), "a button shows the game's board"
    page.view("play")
    assert numbers() == ("4", "1"), "Play shows the game's numbers"
