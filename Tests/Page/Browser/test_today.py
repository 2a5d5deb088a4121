"""Today's game: the day on which it began, its first result, help, and where it goes on."""

BEFORE, AFTER = "2026-11-28T23:58:00Z", "2026-11-29T00:01:00Z"


def finish(page):
    page.evaluate("""() => {
      const notice = document.getElementById("notice");
      for (let turn = 0; turn < 20_000 && notice.hidden; turn += 1) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "asdw"[turn % 4], bubbles: true }));
      }
    }""")
    page.settle()
    assert page.text("#notice-title") == "Game over"


def test_a_game_belongs_to_the_day_of_its_beginning(page):
    page.clock.set_fixed_time(BEFORE)
    page.click("#today")
    page.play(*"asdw" * 2)
    begun = page.board()
    page.press("n")
    page.settle()
    page.click("#today")
    page.settle()
    assert page.board() == begun, "today's game goes on after another game"
    page.clock.set_fixed_time(AFTER)
    finish(page)
    score = page.number("#score")
    facts = [game for game in page.games() if game.get("day") == 20261128]
    assert [game["result"]["score"] for game in facts] == [score], "the result is that of the first day"
    assert page.text("#today-note").startswith(f"The game of that day: {score:,} points.")
    assert "midnight UTC" in page.text("#today-note"), "the page says when the next one comes, and where"
    page.click("#today")
    page.settle()
    assert page.moves() == 0 and page.text("#today-note") == "", "the next day has a game of its own"


def test_help_is_marked_and_replaces_no_result(page):
    page.click("#today")
    finish(page)
    score = page.text("#score")
    page.click("#today")
    page.settle()
    page.check("#show-hints")
    page.until_hint()
    page.press({"up": "w", "right": "d", "down": "s", "left": "a"}[page.hint()])
    page.settle()
    page.uncheck("#show-hints")
    finish(page)
    assert page.text("#today-note").startswith(f"Today’s game: {score} points."), "the first result stays"
    page.view("games")
    assert "with help: hints were shown" in page.text("#games-list")
    page.view("play")
    page.evaluate("""() => {
      navigator.canShare = () => false;
      const clipboard = { writeText: async (text) => { window.shared = text; } };
      Object.defineProperty(navigator, "clipboard", { value: clipboard });
    }""")
    page.click("#share-day")
    page.until("typeof window.shared === 'string'")
    assert f"{score} points, without help." in page.evaluate("window.shared")
