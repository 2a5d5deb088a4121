"""Hints with a why: a fact of the board, a line, and the chances of the next large tile."""

import re

import records

MOVES = ("up", "right", "down", "left")


def after(board, move):
    return records.move(records.board_of(board), MOVES.index(move.lower()))


def empty(board, move):
    return sum(row.count(0) for row in after(board, move))


def chances(page):
    """The chance of each move; the list is replaced all the time, so it is read at once."""
    texts = page.evaluate("[...document.querySelectorAll('#chances li')].map((one) => one.innerText)")
    return dict(text.split("\n")[:2] for text in texts)


def test_reasons_are_facts(page):
    """Each reason that counts cells or names tiles is checked by the reference. It does not hold for the other move."""
    boards = [board for board, _ in records.replay(records.play(seed=6, player=records.roomy_move, moves=120))][40::8]
    kinds = []
    for board in boards:
        page.set_board(board)
        page.press("?")
        page.until("!document.getElementById('why').hidden")
        page.settle()
        hint, _, reason = page.text("#verdict").removeprefix("Hint: ").partition(". ")
        assert hint.lower() == page.hint() and reason, f"{board}: a hint has a reason"
        line = page.locator("#board-line span").all_inner_texts()
        assert 1 <= len(line) <= 3 and line[0][-1] == "↑→↓←"[MOVES.index(hint.lower())], "the line begins with the hint"
        kinds.append(re.sub(r"[\d,.]+|Up|Right|Down|Left|up|right|down|left", "", reason))
        if found := re.match(r"It leaves (\d+) cells empty, (\w+) (\d+)\.", reason):
            most, other, fewer = int(found[1]), found[2], int(found[3])
            assert most == empty(board, hint) > fewer == empty(board, other), f"{board}: {reason}"
        elif found := re.match(r"It makes a (\d+); (\w+) does not\.", reason):
            tile = int(found[1]).bit_length() - 1

            def count(tiles):
                return sum(row.count(tile) for row in tiles)

            own = records.board_of(board)
            assert count(after(board, hint)) > count(own) - 2, f"{board}: {reason}"
            assert count(after(board, found[2])) <= count(own)
        elif found := re.match(r"It keeps the (\d+) in its corner; (\w+) would move it out\.", reason):
            tile = int(found[1]).bit_length() - 1

            def corners(tiles):
                return [tiles[row][column] for row in (0, 3) for column in (0, 3)]

            assert tile in corners(after(board, hint)) and tile not in corners(after(board, found[2])), reason
    assert len(boards) >= 8 and len(set(kinds)) >= 3, f"there are several kinds of reasons: {kinds}"


def test_chances_are_those_of_games(open_page, serve, models):
    """A tile that the move itself makes is certain; after a move that ends the game it is impossible."""
    page = open_page(at=serve(models / "tiny", "--plies", 2))
    page.set_board("aa00000000000000")
    page.press("?")
    page.until_model()
    page.until("document.querySelectorAll('#chances li').length > 1")
    rows = chances(page)
    assert rows["Left"] == rows["Right"] == "100%", "the move makes the tile"
    assert "The chance to make 2048" in page.text("#chances")
    games = int(re.search(r"by (\d+) quick games", page.text("#chances"))[1])
    page.until(f"Number(/by (\\d+)/.exec(document.getElementById('chances').textContent)[1]) > {games}")
    page.press("s")
    page.settle()
    assert page.text("#chances") == "" and not page.is_visible("#why"), "the chances of another board are gone"

    # Right and down are legal, and one tile fits: then the board is full, and no two neighbours are equal.
    page.set_board("3456789a3456dcb0")
    page.press("?")
    page.until("document.querySelectorAll('#chances li').length > 0")
    assert set(chances(page).values()) == {"0%"}, "the game is over after each move"
    page.view("analyze")
    page.until("document.querySelectorAll('#analysis-chances li').length > 0")
