"""The page without a server: on a plain web host, and as a file on the disk."""

import pytest

from tupelo_page import PHONE

KEYS = {"up": "w", "right": "d", "down": "s", "left": "a"}


@pytest.mark.visit
def test_a_hint_needs_no_server(open_site, place):
    page = open_site()
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()
    assert page.hint() in KEYS, "the page gives a hint"
    page.play(KEYS[page.hint()])
    assert page.moves() == 1, "the hint is a legal move"
    assert page.evaluate("window.asked") == 0, "no analysis was asked for"
    assert not any(path.startswith(("/analyze", "/api")) for path in place.requests), "no server was asked"


@pytest.mark.parametrize("window", [{}, PHONE], ids=["desktop", "phone"])
def test_everything_works_with_the_network_off(open_site, place, window):
    page = open_site(**window)
    count = len(place.requests)
    page.context.set_offline(True)
    tabs = ["Play", "Games", "Review", "Analyze", "Watch", "Learn", "Set"]
    assert page.locator("[role=tab]:not([hidden])").all_inner_texts() == tabs
    page.click("#open-settings")
    assert page.is_visible("#site-note"), "a note says what needs a server"
    page.click("#close-settings")
    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()
    assert page.hint() is not None, "Play has hints"
    page.focus("#board")
    page.press("a", "s")
    page.until_text("#tally", "Best moves")
    page.view("watch")
    page.focus("#speed")
    page.press("End", "Space")
    page.until_moves(30)
    page.press("Space")
    page.settle()
    page.select_option("#agent", "random")
    moves = page.moves()
    page.click("#step")
    page.settle()
    assert page.moves() == moves + 1, "Watch has random moves"
    page.view("replay")
    page.click("#load-current")
    page.click("#review")
    page.until_text("#review-note", "the best move to")
    page.press("Home")
    page.settle()
    page.view("analyze")
    page.until("parseInt(document.getElementById('analysis-plies').textContent) > 3")
    assert page.width() <= window.get("width", 1100), "the page is not wider than its window"
    assert page.evaluate("window.asked") == 0 and len(place.requests) == count, "no request was sent"


def test_an_analysis_has_an_address(open_site):
    page = open_site("#analyze=1123000000000000")
    assert page.board() == "1123000000000000" and page.is_visible("#panel-analyze"), "a link opens its board"
    page.until("parseInt(document.getElementById('analysis-plies').textContent) > 2")
    assert page.locator("#analysis-values .best").count() == 1, "the best move is marked"
    page.play(KEYS[page.hint()])
    after = page.board()
    assert after != "1123000000000000" and page.url.endswith(f"#analyze={after}"), "the address follows moves"
    assert page.input_value("#analysis-link") == page.url, "the link is shown"
    page.go_back()
    page.settle()
    assert page.board() == "1123000000000000", "back leads to the board before the move"
    page.go_forward()
    page.settle()
    assert page.board() == after, "forward leads to the board after the move"
    page.fill("#analysis-input", "2 4 8 16")
    page.click("#analysis-set")
    assert "16" in page.text("#analysis-error"), "a message says why a board is refused"
    page.fill("#analysis-input", "12..\n....\n....\n...3")
    page.click("#analysis-set")
    page.settle()
    assert page.url.endswith("#analyze=1200000000000003"), "a board can be typed"
    page.reload()
    page.until_ready()
    page.settle()
    assert page.board() == "1200000000000003", "the board survives a reload"
    page.click("#analysis-play")
    page.settle()
    assert page.is_visible("#panel-play") and page.board() == "1200000000000003", "the board can be played on"
    page.play("a")
    assert page.moves() == 1, "keys play it"
    page.go_back()
    page.settle()
    assert page.is_visible("#panel-analyze"), "back leads to the analysis"
    page.context.close()
    page = open_site("#analyze=zz")
    assert page.is_visible("#panel-analyze") and len(page.board()) == 16, "a wrong link shows the game's board"


def test_games_outlive_reloads_and_tabs(open_site):
    page = open_site()
    page.set_board("1123000000000000")
    page.play("a", "s")
    board = page.board()
    page.reload()
    page.until_ready()
    assert page.board() == board, "the game survives a reload"
    tab = page.open_tab()
    assert tab.board() == board, "another tab has the game"
    tab.press("?")
    tab.until_model()
    tab.play("d", "s")
    page.bring_to_front()
    page.settle()
    assert tab.board() != board, "the other tab has moved"
    assert page.board() == board, "this tab keeps its game"


def test_an_agent_takes_its_time_in_fast_play(open_site):
    page = open_site()
    page.view("watch")
    page.select_option("#agent-milliseconds", "200")
    page.focus("#speed")
    page.press("End", "Space")
    page.until_moves(3)
    start, count = page.evaluate("performance.now()"), page.moves()
    page.wait_for_timeout(2000)
    count = page.moves() - count
    passed = page.evaluate("performance.now()") - start
    page.press("Space")
    assert 0 < count <= passed / 200 + 2, f"{count} moves of 200 ms in {passed:.0f} ms"
