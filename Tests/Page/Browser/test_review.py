"""Reviews of games: the worst moves, their graph, and learning from mistakes."""

import pytest

import records

MOVES = {"u": "up", "r": "right", "d": "down", "l": "left"}
KEYS = {"up": "w", "right": "d", "down": "s", "left": "a"}


@pytest.fixture
def open_record(tmp_path):
    """Opens a record in the view Replay of a page."""

    def open(page, record):
        (tmp_path / "game.txt").write_text(record)
        page.view("replay")
        page.set_input_files("#record-file", tmp_path / "game.txt")
        page.settle()

    return open


def review(page):
    page.click("#review")
    page.wait_for_selector("#worst button")
    page.settle()


def test_a_review_agrees_with_the_values(open_page, serve, models, open_record):
    """The list of the worst moves and the values of their positions are one verdict."""

    def rows_of_review(coach):
        review(page)
        assert coach in page.text("#review-note") and coach in page.text("#coach-name")
        rows = page.locator("#worst button").all_inner_texts()
        assert len(rows) > 2
        for index, row in enumerate(rows):
            page.locator("#worst button").nth(index).click()
            page.settle()
            move, best = row.split(": ")[1].split("\n")[0].split(", best ")
            loss = row.split("\n")[-1]
            played_row, best_row = (
                page.text(f"#replay-values .{kind}").lower().split("\n") for kind in ("played", "best")
            )
            assert played_row[0].startswith(move) and played_row[-1] == loss, f"{row!r}: the move that was played"
            assert best_row[0].startswith(best), f"{row!r}: the best move"
        return rows

    def shown():
        return page.is_visible("#review-facts"), page.locator("#worst button").count()

    found = []
    page = open_page(at=serve(models / "17x4", models / "tiny", "--plies", 2))
    open_record(page, records.play(seed=4, moves=40))
    for coach, evaluator, title in (
        ("heuristic", None, "heuristic"), ("network", "model", "17x4"), ("network", "model-2", "tiny")
    ):
        page.view("play")
        page.choose("#coach", coach)
        if evaluator:
            page.choose("#coach-evaluator", evaluator)
        page.view("replay")
        page.settle()
        assert shown() == (False, 0), "the review of another coach is gone"
        found.append(rows_of_review(title))
    assert len({str(rows) for rows in found}) == 3, "the coaches differ, so their agreement says something"
    page.view("play")
    page.view("replay")
    page.settle()
    assert shown() == (True, len(found[-1])), "a review stays while its coach stays"


def test_a_review_is_drawn(page, open_record):
    """The graph under the board has a bar for each move that lost, as high as its loss, and a slider.

    A click on a bar leads to its move.
    """
    moves = 60
    record = records.play(seed=4, moves=moves)
    open_record(page, record)

    def bars():
        return page.locator("#loss-graph .loss").count()

    assert bars() == 0 and page.locator("#loss-graph .value-line").count() == 1, (
        "before the review there is the score"
    )
    review(page)
    lines = page.evaluate("""[...document.querySelectorAll("#loss-graph .loss")].map((one) =>
      [+one.getAttribute("x1"), one.getAttribute("y2") - one.getAttribute("y1")])""")
    worst = [
        (int(one.get_attribute("data-index")), float(one.inner_text().split("−")[1].replace(",", "")))
        for one in page.locator("#worst button").all()
    ]
    assert len(lines) >= len(worst) > 2, "each bad move has a bar"
    most = max(worst, key=lambda one: one[1])
    width = page.evaluate("document.getElementById('loss-graph').clientWidth")

    def place(index):
        return 2 + index / moves * (width - 4)

    for index, loss in worst:
        near = min(lines, key=lambda line: abs(line[0] - place(index)))
        assert abs(near[0] - place(index)) < 0.01, f"move {index}: the bar is at its place"
        share = near[1] / max(line[1] for line in lines)
        assert abs(share - loss / most[1]) < 0.01 + 1 / most[1], f"move {index}: the height of the bar is the loss"
    label = page.get_attribute("#loss-graph", "aria-label")
    assert f"Most was lost at move {most[0] + 1}:" in label
    for index, _ in worst[:3]:
        page.locator("#scrub").click(position={"x": place(index) + 2, "y": 50})
        page.settle()
        assert page.input_value("#scrub-number") == str(index), f"a click leads to move {index}"
        assert page.input_value("#scrub") == str(index), "the handle stands there"
    page.focus("#scrub")
    page.press("ArrowRight")
    page.settle()
    assert page.input_value("#scrub-number") == str(worst[2][0] + 1), "a key steps by one move"

    def is_in_sight():
        box = page.locator("#board").bounding_box()
        return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]

    page.locator("#worst button").last.scroll_into_view_if_needed()
    page.settle()
    assert is_in_sight(), "the board stays beside the list"
    page.set_viewport_size({"width": 390, "height": 844})
    page.settle()
    page.locator("#worst button").last.click()
    page.settle()
    assert is_in_sight(), "the board comes into sight on a phone"
    edge = page.evaluate("""document.querySelector("#loss-graph").getBoundingClientRect().right -
      Math.max(...[...document.querySelectorAll("#loss-graph .loss")]
        .map((one) => one.getBoundingClientRect().right))""")
    assert edge > -1, "a narrow window has a narrow graph"
    open_record(page, record)
    assert bars() == 0 and not page.is_visible("#review-facts"), "another record has no review yet"


def test_mistakes_are_learned_from(page, open_record):
    """Accuracy and counts follow from the server's answers, and each mistake is corrected by its best move.

    The exercises are mistakes and blunders, which lose more than 3% of the scale, and not all moves that lose.
    """
    record = records.play(seed=4, moves=150)
    boards = [board for board, _ in records.replay(record)]
    played = [MOVES[step[0]] for step in record.split("\n", 1)[1].split()]
    plies = page.evaluate("async () => (await (await fetch('/api/state')).json()).plies")
    answers = [
        page.evaluate(
            "async (query) => (await fetch('/analyze?' + query)).json()", f"board={board}&plies={plies}&four=0.1"
        )
        for board in boards[:-1]
    ]
    shares, mistakes = [], 0
    for answer, move, board in zip(answers, played, boards):
        candidates = {one["move"]: one for one in answer["moves"]}
        loss = -candidates[move]["difference"]
        early = 20_000 + 200 * sum(2 ** int(tile, 18) for tile in board if tile != "0")
        share_lost = (loss if loss >= 0.05 else 0) / min(max(abs(candidates[answer["best"]]["value"]), 100), early)
        shares.append(100 * 0.5 ** (share_lost / 0.01))
        mistakes += share_lost > 0.03
    accuracy = sum(shares) / len(shares)
    open_record(page, record)
    review(page)
    assert abs(float(page.text("#accuracy")[:-1]) - accuracy) < 0.051

    count = min(mistakes, 10)
    assert 0 < count < page.locator("#worst button").count() + (mistakes >= 10), "some moves are mistakes"
    page.click("#learn-start")
    page.settle()
    seen = []
    for number in range(1, count + 1):
        index = int(page.input_value("#scrub-number"))
        seen.append(index)
        best = answers[index]["best"]
        text = f"{number} of {count}: move {index + 1} was {played[index]}."
        assert page.text("#learn-text").startswith(text)
        assert page.hint() is None, "the answer is not shown"
        assert page.locator("#replay-values .best").count() == 0, "the values are not shown"
        page.play(KEYS[played[index]])
        assert "Try another move" in page.text("#learn-text")
        if number % 2 == 1:
            page.press(KEYS[best])
        else:
            page.click("#learn-hint")
            assert ("vertical" if best in ("up", "down") else "horizontal") in page.text("#learn-text")
            page.click("#learn-hint")
        page.settle()
        assert f"{best.title()} is the best move." in page.text("#learn-text")
        assert page.locator("#replay-values .best").count() == 1, "the values are shown after the answer"
        page.click("#learn-next")
        page.settle()
    assert seen == sorted(seen) and len(set(seen)) == count, "the mistakes come in the order of the game"
    assert page.is_visible("#worst"), "the list comes back after the last mistake"
    assert not page.is_visible("#learn-mistakes")
    page.click("#learn-start")
    page.settle()
    page.press("Home")
    page.settle()
    assert not page.is_visible("#learn-mistakes"), "looking at another position ends the practice"


def test_the_worst_moves_are_looked_at_deeper(open_page, serve, models, open_record):
    """With a model in the page, the worst moves are judged at a greater depth, and the list and the values agree."""
    page = open_page(at=serve(models / "17x4", "--plies", 2))
    page.press("?")
    page.until_model()
    open_record(page, records.play(seed=4, moves=60))
    review(page)
    for index, row in enumerate(page.locator("#worst button").all_inner_texts()):
        page.locator("#worst button").nth(index).click()
        page.settle()
        depth = page.text("#replay-depth")
        assert "\ngood\n" in row or depth.startswith("This position was looked at "), f"{row!r}: {depth}"
        loss = page.text("#replay-values .played .number")
        assert loss == row.split("\n")[-1]


def test_reviews_stop_when_left(page, open_record):
    open_record(page, records.play(seed=5, player=records.roomy_move))
    page.hold("/analyze")
    page.click("#review")
    page.until("window.heldAnswers > 0")
    assert page.text("#review") == "Stop", "a review can be stopped"
    page.click("#review")
    page.release()
    note = page.text("#review-note")
    assert "Stopped after" in note or "looks at every" in note, "a note says how far the review came"
    page.hold("/analyze")
    page.click("#review")
    page.until("window.heldAnswers > 0")
    page.view("play")
    page.settle()
    asked = page.evaluate("window.asked")
    page.release()
    # In this time a review would send further requests.
    page.wait_for_timeout(300)
    assert page.evaluate("window.asked") <= asked + 1, "the review stops when its view is left"
