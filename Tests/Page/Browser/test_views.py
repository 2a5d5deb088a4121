"""Views that are left while answers are on their way: each draws on its own board, and the newest question counts."""

import pytest

import records

BOARD = "1123021000200001"


def shown(page):
    """What is on the board."""
    return page.board(), page.tiles(), page.text("#score"), page.is_visible("#notice")


def ask(page, view):
    """Does in a view what asks for an answer that is held back."""
    if view == "play":
        page.press("?")
    elif view == "watch":
        page.click("#step")
    elif view == "replay":
        page.click("#review")
    else:
        page.press(*"asdw")


@pytest.mark.parametrize("source", ["play", "replay", "analyze", "watch"])
def test_late_answers_draw_on_no_other_board(page, source):
    """Each view is left for each other one while it waits for an answer, which then comes."""
    page.select_option("#judges", "none")
    page.set_board(BOARD)
    for target in ("play", "replay", "analyze", "watch"):
        if target == source:
            continue
        # New positions, of which nothing is known.
        page.view("play")
        page.play(*"asdw")
        page.view(target)
        page.settle()
        page.view(source)
        page.settle()
        page.hold("/analyze")
        ask(page, source)
        page.until("window.heldAnswers > 0")
        page.view(target)
        before = shown(page)
        page.release()
        assert shown(page) == before, f"{source} draws nothing on the board of {target}"
        assert page.board() == page.tiles()
        if target == "play":
            assert page.hint() is None, f"a hint of {source} is not shown in Play"


@pytest.mark.parametrize("kind", ["analyze", "review", "chances", "run"])
def test_late_answers_of_the_worker_draw_on_no_other_board(open_page, serve, models, kind):
    page = open_page(at=serve(models / "tiny", "--plies", 2))
    page.press("?")
    page.until_model()
    page.select_option("#judges", "none")
    page.set_board(BOARD)
    page.play(*"asdw")
    source = {"analyze": "analyze", "review": "replay", "chances": "play", "run": "watch"}[kind]
    page.view("watch")
    page.focus("#speed")
    page.press("End")
    page.view(source)
    page.settle()
    page.hold(f"/worker-{kind}")
    if kind == "run":
        page.click("#run")
    else:
        ask(page, source)
    page.until("window.heldAnswers > 0")
    target = "replay" if source == "play" else "play"
    page.view(target)
    page.evaluate("window.held = ''")
    page.settle()
    before = shown(page)
    page.release()
    assert shown(page) == before and page.board() == page.tiles(), f"{kind}: the board of {target} stays"


def test_a_late_record_is_dropped(open_page, serve, tmp_path):
    """A record that comes when Play is shown again is not drawn there, and of two records the newest counts."""
    for run, seed in (("first", 3), ("second", 8)):
        (tmp_path / run).mkdir()
        (tmp_path / run / "metrics.jsonl").write_text('{"games":1}\n')
        (tmp_path / run / "game-worst.txt").write_text(records.play(seed, agent=run))
    page = open_page(at=serve("--runs", tmp_path))
    page.play(*"asdw")
    own = shown(page)
    page.view("replay")
    page.wait_for_selector("#run-buttons button")
    page.hold("/api/game")
    page.click("#run-buttons button")
    page.until("window.heldAnswers > 0")
    page.view("play")
    page.release()
    assert shown(page) == own
    page.play(*"asdw")
    page.snap("the game goes on")

    page.view("replay")
    page.hold("/api/game")
    page.select_option("#run-choice", "first")
    page.click("#run-buttons button")
    page.until("window.heldAnswers > 0")
    page.evaluate("window.held = ''")
    page.select_option("#run-choice", "second")
    page.click("#run-buttons button")
    page.until_text("#record-note", "second")
    page.release()
    assert "second" in page.text("#record-note"), "the slower record does not replace the newer one"


def test_watching_changes_no_game_of_the_person(page):
    """Review after Watch shows the person's game, and neither rules nor buttons act on the game of another view."""
    page.play(*"asdw" * 2)
    count, board = page.moves(), page.board()
    page.view("watch")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.until_moves(30)
    page.view("replay")
    page.settle()
    assert page.text("#record-note").startswith(f"This game: person, {count} moves")
    page.click("#to-first")
    page.settle()
    start = page.board()
    page.choose("#shape", "3x3")
    page.settle()
    assert page.board() == start == page.tiles(), "the rules of the next game leave the record alone"
    page.click("#open-settings")
    page.click("#rules-restart")
    page.click("#close-settings")
    page.settle()
    assert page.board() == start == page.tiles(), "a new game does not cover the record"
    page.click("#toast button")  # back to the last game
    page.settle()
    page.view("watch")
    assert len(page.board()) == 16
    page.view("play")
    page.settle()
    assert (page.moves(), page.board()) == (count, board), "the person's game is what it was"


def test_a_coach_that_changes_ends_no_work(page, tmp_path):
    """Another coach is asked at once. It does not load a shared link again, and does not stop the agent of Watch."""
    page.view("watch")
    page.select_option("#agent", "random")
    page.focus("#speed")
    page.press("Home")
    page.click("#run")
    page.until_moves(1)
    page.choose("#coach-milliseconds", "300")
    page.settle()
    assert "Pause" in page.text("#run"), "the agent plays on"
