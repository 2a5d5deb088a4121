"""Watch: agents that play by themselves, from a seed, at full speed, side by side, and in many games."""

import pytest


@pytest.fixture
def page(open_page, serve, models):
    """Watch, after the page has loaded the model 17x4, which looks one move ahead."""
    page = open_page(at=serve(models / "17x4"))
    page.view("watch")
    page.select_option("#plies", "1")
    page.until_model()
    return page


def steps(record):
    return record.split("\n", 1)[1].split()


@pytest.mark.visit
def test_an_agent_plays_a_hundred_moves(open_page):
    page = open_page()
    page.view("watch")
    page.click("#watch-new")
    page.settle()
    page.focus("#speed")
    page.press("End")
    assert page.text("#speed-text") == "as fast as the agent plays", "End sets the fastest speed"
    page.select_option("#plies", "2")
    page.click("#run")
    page.until_moves(100)
    page.press("n")
    page.pause_after(100)
    page.settle()
    count = page.moves()
    page.settle()
    assert page.moves() == count, "Pause stops the agent"
    assert '"agent":"heuristic 2-ply"' in page.snap("watched"), "the record names the agent"
    best = page.locator("#watch-values .best")
    assert best.count() == 1 and page.hint() in best.inner_text().lower(), "the hint is the best move"
    page.click("#step")
    page.settle()
    assert page.moves() == count + 1, "a step is one move"
    page.snap("stepped")
    page.select_option("#agent", "random")
    page.settle()
    page.click("#step")
    page.settle()
    assert page.moves() == count + 2, "another agent makes a step"
    assert "heuristic 2-ply, random" in page.snap("random"), "the record names both agents"
    page.reload()
    page.settle()
    assert page.moves() == count + 2, "the watched game survives a reload"
    page.snap("reloaded")


def test_a_person_takes_over(open_page):
    page = open_page()
    page.view("watch")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.pause_after(30)
    page.settle()
    board, count = page.board(), page.moves()
    page.click("#take-over")
    page.settle()
    assert page.is_visible("#panel-play") and (page.board(), page.moves()) == (board, count)
    page.play(*"asdw")
    assert page.moves() > count and '"agent":"heuristic' in page.snap("taken over"), "the record names the agent, too"
    page.view("games")
    assert "with help: an agent played" in page.text("#games-list"), "the game is the person's, and it is marked"


def test_without_a_model_the_heuristic_plays(open_page):
    page = open_page()
    assert page.text("#model-name") == "No model loaded"
    page.press("?")
    page.settle()
    assert page.hint() in ("up", "right", "down", "left"), "the heuristic gives hints"
    page.view("watch")
    assert "tupelo serve MODEL" in page.text("#agent-note"), "a note says how to name a model"
    names = page.locator("#agent option").evaluate_all("(all) => all.map((one) => one.value)")
    assert names == ["heuristic", "greedy", "minimax", "montecarlo", "random"]
    for count, name in enumerate(names, 1):
        page.select_option("#agent", name)
        page.settle()
        assert page.is_disabled("#plies") == (name not in ("heuristic", "minimax")), f"{name}: plies"
        page.click("#step")
        page.until_moves(count)
        page.settle()
        assert page.moves() == count, f"{name}: a step is one move"
        best = page.locator("#watch-values .best .number").all_inner_texts()
        assert len(best) == 1 or name == "random", f"{name}: {best}"
    players = "greedy, heuristic 2-ply, minimax 2-ply, montecarlo rollouts: 5, random"
    assert players in page.snap("watched"), "the record names all agents"
    page.view("play")
    assert page.locator("#coach option").count() == 1, "a coach searches as deep as its time allows"
    page.play(*"asdw")
    page.view("replay")
    page.click("#load-current")
    page.click("#review")
    page.until_text("#review-note", "best move")
    assert "Hand-written heuristic" in page.text("#review-note"), "the review names its judge"


def test_a_seed_gives_the_same_game(page):
    """When the page plays many moves per frame, they are the moves of the engine. A seed gives the same game again."""
    games, starts = [], []
    for keys in (("End",), ("Home", *["ArrowRight"] * 6), ("End", "ArrowLeft")):
        page.fill("#seed", "7")
        page.click("#watch-new")
        page.settle()
        starts.append(page.board())
        page.focus("#speed")
        page.press(*keys)
        page.click("#run")
        page.pause_after(60)
        page.settle()
        games.append(steps(page.snap(f"{keys}")))
    assert len(set(starts)) == 1 and len(starts) == 3, "the seed gives one start"
    least = min(map(len, games))
    assert least >= 60 and len({str(game[:least]) for game in games}) == 1, "the seed gives one game at all speeds"
    page.reload()
    page.settle()
    page.click("#step")
    page.settle()
    again = steps(page.snap("after a reload"))
    least = min(len(again), len(games[0]))
    assert again[:least] == games[0][:least], "the seed is kept with the game"
    page.view("watch")
    page.fill("#seed", "8")
    page.click("#watch-new")
    page.settle()
    assert page.board() != starts[0], "another seed gives another start"
    for text in ("abc", "abd"):
        page.fill("#seed", text)
        page.click("#watch-new")
        page.settle()
        starts.append(page.board())
    assert starts[-1] != starts[-2], "words are seeds, too"


def test_two_agents_play_the_same_tiles(page):
    """Both boards have the same start. Equal agents play equal games, on the boards and in many games."""
    names = page.locator("#rival option").all_inner_texts()
    assert names[:3] == ["nobody", "Network 17x4, 1 move ahead", "Network 17x4, 2 moves ahead"]
    page.select_option("#rival", "0")
    page.settle()

    def rival_tiles():
        return page.evaluate("""[...document.querySelectorAll("#rival-board .tile")].map((one) =>
          [one.style.getPropertyValue("--row") * 4 + +one.style.getPropertyValue("--column"), +one.textContent])
          .sort((a, b) => a[0] - b[0])""")

    def own_tiles():
        return [[cell, 2 ** int(digit, 18)] for cell, digit in enumerate(page.board()) if digit != "0"]

    assert rival_tiles() == own_tiles(), "both boards have one start"
    assert page.text("#rival-name") == names[1]
    page.view("set")
    assert page.locator(".set-table").bounding_box()["width"] > 400, "two boards leave other views as they are"
    page.view("watch")
    for _ in range(12):
        page.click("#step")
        page.settle()
    assert rival_tiles() == own_tiles() and page.text("#rival-moves") == page.text("#moves") == "12"
    page.focus("#speed")
    page.press("End", "ArrowLeft")  # a thousand moves a second: no game ends at once
    for count in (100, 1):
        page.click("#run")
        page.pause_after(count)
        page.until("document.all['rival-moves'].textContent === document.all.moves.textContent")
        assert rival_tiles() == own_tiles(), "both boards move together"

    page.fill("#seed", "3")
    page.click("#batch")
    page.until("parseInt(document.getElementById('batch-note').textContent) >= 3")
    page.click("#batch")
    page.settle()
    rows = page.evaluate("""[...document.querySelectorAll("#batch-table tr")].slice(1).map((row) =>
      [...row.children].map((one) => one.textContent))""")
    assert len(rows) == 8 and all(row[1] == row[2] for row in rows) and " ± " in rows[0][1]
    rates = [float(row[1][:-1]) for row in rows[3:]]
    assert rates == sorted(rates) and rates[0] > 0, "smaller tiles are reached more often"
    bars = page.locator("#batch-chart rect").count()
    assert bars > 1 and bars % 2 == 0, "each score has two bars"
    note = page.text("#batch-note")
    # No further game is counted in the time that some games take.
    page.wait_for_timeout(400)
    assert page.text("#batch-note") == note, "Stop stops the games"
