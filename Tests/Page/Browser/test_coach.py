"""The coach of Play: hints, values of the four moves, verdicts, and who gives them."""

import time

MOVES = ("up", "right", "down", "left")
KEYS = {"up": "w", "right": "d", "down": "s", "left": "a"}


def test_the_coach_hints_and_judges(page):
    assert page.hint() is None, "there is no hint unless it is asked for"
    page.press("?")
    page.settle()
    hint = page.hint()
    assert hint in MOVES, "the question mark asks for a hint"
    assert page.text("#verdict").lower().startswith(f"hint: {hint}."), "the line under the board says it, too"
    page.select_option("#judges", "all")
    page.check("#show-hints")
    page.settle()
    assert page.locator("#play-values .best").count() == 1, "one move is marked as the best"
    page.press(KEYS[hint])
    page.until_text("#verdict", "You found the best move: ")
    # Moves that are not the best, until one of them is clearly worse.
    for _ in range(40):
        illegal = " ".join(page.locator("#play-values .illegal").all_inner_texts()).lower()
        worse = [move for move in MOVES if move != page.hint() and move not in illegal]
        if not worse:
            break
        page.press(KEYS[worse[0]])
        page.settle()
        if "was better" in page.text("#verdict"):
            break
    word = page.text("#verdict").split(":")[0]
    assert word in ("Good", "Inaccuracy", "Mistake", "Blunder"), "a worse move has its word"
    counted = [part for part in page.text("#tally").rstrip(".").split(", ") if word.lower()[:-1] in part]
    assert len(counted) == 1, f"the tally counts it: {page.text('#tally')}"
    better = page.text("#verdict").partition(" was better by ")[2]
    assert word == "Good" or better.endswith(" points."), "the verdict says what is lost"
    assert not any("%" in number for number in page.locator("#play-values .number").all_inner_texts())
    page.snap("coached")
    assert page.text("#live") != "", "moves are announced"
    assert page.text("#board-text").startswith("Row 1: "), "the board is described"


def test_advice_of_another_board_goes(page):
    """Advice belongs to the board that is shown, or there is none."""

    def best():
        return page.locator("#play-values .best").count()

    page.check("#show-hints")
    page.set_board("1123000000000000")
    page.settle()
    assert page.hint() is not None and best() == 1, "there is advice"
    page.hold("/analyze")
    page.focus("#board")
    page.press("s")
    assert page.hint() is None, "a hint of another board goes at once"
    page.until("document.getElementById('play-values').ariaBusy === 'true'")
    numbers = page.locator("#play-values .number").all_inner_texts()
    assert best() == 0 and numbers == [""] * 4, "values of another board go when new ones take long"
    assert page.get_attribute("#play-values", "aria-busy") == "true", "the page shows that new values are asked for"
    page.release()
    page.until("document.querySelectorAll('#play-values .best').length === 1")
    page.break_answers("/analyze")
    page.press("a")
    page.settle()
    assert page.hint() is None and best() == 0, "without the server there is no advice"
    assert "does not answer" in page.text("#coach-note"), "a note says that the server does not answer"
    assert page.get_attribute("#coach-note", "class") == "error", "the note is an error"
    assert page.text("#verdict") == "" or page.moves() < 3, "no old verdict is shown"
    page.break_answers("")
    page.until_hint()
    assert page.text("#coach-note") == "", "the coach asks again by itself"
    assert "Best move now" in page.text("#live-coach"), "screen readers say the best move"
    assert page.get_attribute("#verdict", "role") == "status", "screen readers say the verdict"
    assert "best" in page.locator("#play-values .best").text_content(), "the best move is named in the list"

    page.view("replay")
    page.click("#to-back")
    page.settle()
    assert page.hint() is not None, "replays have advice"
    page.break_answers("/analyze")
    page.click("#to-first")
    page.settle()
    assert page.hint() is not None, "a position that was analyzed before needs no server"
    page.view("analyze")
    page.play(*"asdw")
    assert page.hint() is None and "does not answer" in page.text("#analysis-error"), "Analyze says when it has none"


def test_the_page_waits_for_its_server(page):
    page.context.add_init_script("window.broken = '/api/state'")
    page.reload()
    page.settle()
    assert "does not answer" in page.text("#news-text"), "a message says what is wrong"
    assert page.is_disabled("#run") is True, "nothing can be started"
    page.press("?")
    page.settle()
    assert "not answered yet" in page.text("#toast"), "a message says why there is no hint"
    page.break_answers("")
    page.until_ready()
    page.view("watch")
    page.click("#step")
    page.settle()
    assert page.moves() == 1, "the agents are there without a reload"


def test_who_plays_is_not_the_coach(page):
    page.view("watch")
    page.select_option("#agent", "random")
    page.settle()
    page.view("play")
    page.press("?")
    page.settle()
    assert page.hint() is not None, "the coach stays when random moves are watched"
    assert "Random moves" not in page.locator("#coach option").all_inner_texts(), "a coach values moves"
    page.click("#hint")
    page.settle()
    assert page.hint() is not None, "a button gives a hint"

    page.set_board("1123000000000000")
    page.play(*"asdw")
    mine, count = page.board(), page.moves()
    page.view("watch")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.until_moves(9)
    page.view("play")
    page.settle()
    assert page.board() == mine and page.moves() == count, "an agent plays a game of its own"
    page.view("watch")
    page.click("#watch-own")
    page.settle()
    assert page.board() == mine and page.moves() == count, "an agent plays on with a copy on request"
    page.click("#step")
    page.until_moves(count + 1)
    page.view("play")
    assert page.board() == mine and page.moves() == count, "the person's game stays"
    page.set_board("1212212112122121")
    page.view("watch")
    page.click("#watch-own")
    page.click("#step")
    page.settle()
    assert "over" in page.text("#toast"), "a step after the end says why nothing happens"


def test_quick_keys_get_the_newest_hint(open_page, serve, models):
    """After 40 quick keys, the hint is of the board that is shown, and comes before those of older boards."""
    page = open_page(at=serve(models / "17x4"))
    page.check("#show-hints")
    page.until_model()
    page.choose("#coach-milliseconds", "1000")
    page.set_board("1123000000000000")
    page.press(*"asdw" * 10)
    begun = time.monotonic()
    page.until_hint()
    assert time.monotonic() - begun < 20, "older boards would take 40 s"


def test_settings_of_agents_are_asked(open_page, serve, models):
    """The page shows the server's answer to a request with the chosen settings."""
    page = open_page(at=serve(models / "17x4", models / "tiny", "--plies", 2))
    assert page.text("#model-name").startswith("Networks 17x4, tiny")

    def fields(place):
        return page.locator(f"#{place} label > span").all_inner_texts()

    def agree(place, query):
        """Waits until a view shows the numbers of the server's answer, and returns them as the view shows them."""
        wanted = page.evaluate(
            """async (query) => {
              const { moves, best } = await (await fetch("/analyze?" + query)).json();
              const digits = (value) => Math.round(value).toLocaleString("en-US");
              return moves.map(({ move, legal, value, difference }) => !legal ? "changes nothing"
                : move === best ? digits(value) : difference > -0.05 ? "equally good"
                  : "−" + (-difference < 9.95 ? (-difference).toFixed(1) : digits(-difference)));
            }""",
            f"board={page.board()}&{query}",
        )
        page.until_texts(f"#{place} .number", wanted)
        return tuple(wanted)

    page.set_board("1230020031004211")
    page.view("watch")
    page.click("#watch-own")
    assert fields("agent-more") == ["Plays by", "Time per move"], "network"
    page.select_option("#agent-evaluator", "model-2")
    first = agree("watch-values", "agent=network&plies=2&evaluator=model-2")
    page.select_option("#agent", "greedy")
    assert fields("agent-more") == ["Plays by"], "greedy"
    agree("watch-values", "agent=greedy&evaluator=model-2")
    page.select_option("#agent-evaluator", "heuristic")
    second = agree("watch-values", "agent=greedy&evaluator=heuristic")
    page.select_option("#agent", "montecarlo")
    assert fields("agent-more") == ["Plays by", "Games per move"], "montecarlo"
    page.select_option("#agent-rollouts", "20")
    third = agree("watch-values", "agent=montecarlo&evaluator=heuristic&rollouts=20")
    assert len({first, second, third}) == 3, "each choice has its values"
    page.select_option("#agent", "random")
    assert not page.is_visible("#agent-more"), "random moves have no settings"
    page.select_option("#agent", "network")
    page.select_option("#agent-milliseconds", "10")
    assert page.is_disabled("#plies"), "an agent with a time has no plies"
    page.settle()
    count = page.moves()
    page.click("#step")
    page.until_moves(count + 1)
    page.settle()
    assert page.moves() == count + 1, "the agent makes a move in its time"
    page.keep()
    record = page.stored("watched")["record"]
    assert '"network evaluator: model milliseconds: 10"' in record, "the record has the settings"

    page.view("play")
    page.set_board("1230020031004211")
    page.check("#show-hints")
    assert fields("coach-more") == ["Plays by", "Time per move"], "the coach has settings of its own"
    coaches = page.locator("#coach option").evaluate_all("(all) => all.map((one) => one.value)")
    assert coaches == ["network", "heuristic"], "a coach searches as deep as its time allows"
    page.choose("#coach-evaluator", "model-2")
    page.settle()
    first = page.locator("#play-values .number").all_inner_texts()
    assert "" not in first
    page.reload()
    page.settle()
    assert page.input_value("#coach-evaluator") == "model-2", "choices survive a reload"
    page.until_texts("#play-values .number", first)
    page.view("replay")
    assert "by tiny" in page.text("#coach-name")
    page.click("#load-current")
    page.settle()
    page.until_texts("#replay-values .number", first)
