"""Replay: records that are opened, looked back at, played on and saved."""

import json

import pytest

import records


def test_records_are_looked_back_at(page, tmp_path):
    record = records.play(seed=4)
    boards = [board for board, _ in records.replay(record)]
    (tmp_path / "game.txt").write_text(record)
    (tmp_path / "bad.txt").write_text("nonsense")
    page.view("replay")
    page.set_input_files("#record-file", tmp_path / "bad.txt")
    page.settle()
    assert "not a record" in page.text("#record-error"), "a bad file is refused with a reason"
    page.set_input_files("#record-file", tmp_path / "game.txt")
    page.settle()
    assert page.board() == boards[-1] == page.tiles(), "the end is shown"
    page.click("#to-first")
    page.settle()
    assert page.board() == boards[0] == page.tiles(), "the start is shown"
    for index in range(1, 12):
        page.click("#to-forth")
        page.settle()
        assert page.board() == boards[index] == page.tiles(), f"position {index}"
    page.press("ArrowLeft")
    page.settle()
    assert page.board() == boards[10] == page.tiles(), "a key steps back"
    page.focus("#scrub")
    page.press("End")
    page.settle()
    assert page.board() == boards[-1] == page.tiles(), "the slider goes to the end"
    page.click("#review")
    page.wait_for_selector("#worst button")
    names = [text.split("\n")[1] for text in page.locator("#worst button").all_inner_texts()]
    order = [["good", "inaccuracy", "mistake", "blunder"].index(name) for name in names]
    assert len(order) > 1 and order == sorted(order, reverse=True), "the worst move comes first"
    worst = page.locator("#worst button").first
    index = int(worst.get_attribute("data-index"))
    worst.click()
    page.settle()
    assert page.board() == boards[index] == page.tiles(), "a click leads to a move"
    assert worst.get_attribute("aria-current") == "true", "the move is marked in the list"
    with page.expect_download() as download:
        page.click("#save-record")
    saved = download.value.path().read_text()
    assert saved.split() == record.split(), "the saved record is the record"
    page.click("#play-on")
    page.settle()
    assert page.board() == boards[index] and page.is_visible("#panel-play"), "the game continues from there"
    page.snap("played on")


def test_records_come_back_as_they_came(page, tmp_path):
    agent = "expectimax(plies: 3, cutoff: 0.001)"
    record = records.play(seed=5, start_tiles=3, agent=agent, game=7)
    record = record.replace('"rows":4,', f'"rows":4,"seed":{2**64 - 1},')
    start, count = json.loads(record.split("\n")[0])["start"], len(records.replay(record)) - 1
    (tmp_path / "game.txt").write_text(record)
    (tmp_path / "empty.txt").write_text(record.replace(start, "0" * 16))
    (tmp_path / "word.txt").write_text(record.replace(agent, "w " * 2500))
    page.view("replay")
    page.set_input_files("#record-file", tmp_path / "word.txt")
    page.settle()
    assert page.width() <= 1100, "a long agent name wraps"
    note = page.text("#record-note")
    assert note.startswith("word.txt: w w w") and f"…, {count} moves" in note
    assert page.locator("#record-note").bounding_box()["height"] < 120, "a long agent name leaves room for the rest"
    page.set_input_files("#record-file", tmp_path / "empty.txt")
    page.settle()
    assert "empty board" in page.text("#record-error"), "an empty start is refused"
    page.set_input_files("#record-file", tmp_path / "game.txt")
    page.settle()
    with page.expect_download() as download:
        page.click("#save-record")
    assert download.value.path().read_text() == record, "the saved record is the record, with its header"
    page.click("#to-back")
    page.click("#to-back")
    page.settle()
    board, score = page.board(), page.number("#score")
    assert score > 0
    page.click("#play-on")
    page.settle()
    assert (page.board(), page.number("#score"), page.moves()) == (board, score, count - 2), "the past is kept"
    page.press("u", "r")
    page.settle()
    record = page.snap("played on")
    assert f'"agent":"{agent}, 1 undone"' in record, "the player is kept"
    assert '"start_tiles":3' in record, "the rules of the start are kept"


def test_games_of_runs_are_opened(open_page, serve, tmp_path):
    """Games that a run has kept are opened like files."""
    ends = {}
    for run, seed in (("first", 3), ("second", 8)):
        record = records.play(seed, agent=run)
        ends[run] = records.replay(record)[-1][0]
        (tmp_path / run).mkdir()
        (tmp_path / run / "metrics.jsonl").write_text('{"games":1}\n')
        (tmp_path / run / "game-worst.txt").write_text(record)
    page = open_page(at=serve("--runs", tmp_path))
    page.view("replay")
    page.wait_for_selector("#run-choice")
    assert page.locator("#run-buttons button").all_inner_texts() == ["Worst game"], "a button opens each kept game"
    for run, end in ends.items():
        page.select_option("#run-choice", run)
        page.click("#run-buttons button")
        page.settle()
        assert page.board() == end == page.tiles(), run
        assert page.text("#record-note").startswith(f"Worst game of {run}: {run}, ")


@pytest.mark.visit
def test_a_short_game_is_replayed_and_reviewed(page, tmp_path):
    record = records.play(seed=4, moves=20)
    boards = [board for board, _ in records.replay(record)]
    (tmp_path / "game.txt").write_text(record)
    page.view("replay")
    page.set_input_files("#record-file", tmp_path / "game.txt")
    page.settle()
    assert page.board() == boards[-1] == page.tiles(), "the end is shown"
    page.press("Home")
    page.settle()
    assert page.board() == boards[0] == page.tiles(), "Home goes to the start"
    page.click("#review")
    page.wait_for_selector("#worst button")
    assert page.text("#accuracy").endswith("%"), "the review has its number"
