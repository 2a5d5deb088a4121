"""The state that the page keeps: games, best scores and verdicts, after reloads and in several tabs."""


def test_tabs_do_not_overwrite_each_other(page):
    page.press("n")
    page.settle()
    page.keep()
    other = page.open_tab()
    start = page.board()
    assert other.board() == start, "a new tab begins with the stored game"
    page.press(*"asdw" * 12)
    page.settle()
    page.keep()
    best = max(game["best"] for game in page.games())
    assert best >= page.number("#score") > 0, "the first tab's best score is stored"
    other.until(f"document.getElementById('best').textContent === '{page.text('#best')}'")
    other.bring_to_front()
    other.settle()
    assert other.board() == start and other.moves() == 0, "no tab takes a game from another one"
    other.press(*"asdw")
    other.settle()
    other.keep()
    assert max(game["best"] for game in page.games()) == best, "the other tab keeps the best score"
    page.bring_to_front()

    # A tab that missed the other tab's moves keeps the game that it finds before it writes.
    record = page.stored("game")["record"]
    page.evaluate("""localStorage.setItem("tupelo.game-stamp", '"elsewhere"')""")
    page.press("n")
    page.settle()
    page.keep()
    assert any(game["record"] == record for game in page.games()), "a game that another tab wrote is kept"


def test_verdicts_belong_to_their_moves(page):
    def verdict_and_tally():
        return page.text("#verdict"), page.text("#tally")

    page.select_option("#judges", "all")
    fresh = verdict_and_tally()
    assert fresh[0] == "2048, with a coach" and "Mistake: Down." in fresh[1], "a sample is shown"
    page.set_board("1123000000000000")
    page.press("a")
    page.settle()
    for _ in range(3):
        page.press("u")
        page.settle()
        page.press("a")
        page.settle()
    assert "of 1" in page.text("#tally"), "an undone move does not count"
    page.press("s")
    page.settle()
    assert f" of {page.moves()}" in page.text("#tally"), "each move counts once"
    said = verdict_and_tally()
    page.press("u", "r")
    page.settle()
    assert verdict_and_tally() == said, "the verdict is redone with its move"
    page.view("analyze")
    page.view("play")
    page.settle()
    assert verdict_and_tally() == said, "the verdict stays when another view is opened"
    page.keep()
    page.reload()
    page.settle()
    assert verdict_and_tally() == said, "verdict and tally survive a reload"
    page.hold("/analyze")
    page.press("d", "w")
    page.until("window.heldAnswers > 0")
    page.press("n")
    page.release()
    assert verdict_and_tally() == fresh, "a late verdict is not the new game's"
    page.click("#new-game")
    page.settle()
    page.click("#tab-play")
    page.select_option("#judges", "none")
    page.press("a", "s")
    page.settle()
    assert verdict_and_tally() == ("", ""), "a coach that is asked to say nothing says nothing"


def test_earlier_games_are_kept(page):
    page.set_board("1212212112122110")
    page.play(*"asdw" * 8)
    page.keep()
    over = page.stored("game")["record"]
    page.press("Escape")
    page.click("#new-game")
    page.settle()
    assert any(game["record"] == over for game in page.games()), "a game that is replaced is kept"
    page.view("games")
    page.get_by_role("button", name="Review", exact=True).last.click()
    page.settle()
    assert "An earlier game" in page.text("#record-note"), "an earlier game can be looked back at"


def test_replay_keeps_its_place(page):
    """The position, the review and its list stay when another view is opened and left."""
    page.play(*"asdw" * 12)
    page.view("replay")
    page.settle()
    last = page.get_attribute("#scrub", "max")
    page.click("#review")
    page.wait_for_selector("#worst button")
    page.locator("#worst button").first.click()
    page.settle()
    position, worst = page.input_value("#scrub-number"), page.text("#worst")
    number = f"{int(position) + 1:,}"
    assert f"Move {number} was" in page.text("#played"), "the move that was played is named"
    assert f"Move {number}:" in worst.split("\n")[0], "the list has its number"
    assert page.locator("#replay-values .played").count() == 1, "the move is marked among the four"
    assert page.get_attribute("#board", "data-played") is not None, "the move is marked on the board"
    page.view("play")
    page.view("replay")
    page.settle()
    assert page.input_value("#scrub-number") == position and page.text("#worst") == worst, "position and list stay"
    page.fill("#scrub-number", "3")
    page.press("Tab")
    page.settle()
    assert page.input_value("#scrub") == "3", "a move number can be typed"
    page.play("End")
    assert page.input_value("#scrub") == last, "End goes to the end"
    page.press("Home")
    page.settle()
    assert page.input_value("#scrub") == "0", "Home goes to the start"

    page.evaluate("""() => {
      window.asked = 0;
      const scrub = document.getElementById("scrub");
      for (let step = 0; step < 60; step++) {
        scrub.value = step % Number(scrub.max);
        scrub.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }""")
    page.settle()
    assert page.evaluate("window.asked") <= 2, "a quick pull of the slider sends few requests"
