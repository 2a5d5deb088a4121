"""The games that a browser keeps: those of persons and those of agents."""

import json

import records


def ids(games):
    return [game["id"] for game in games]


def play_and_leave(page):
    """Plays a game, and begins the next one. Returns the id of the game."""
    page.view("play")
    page.play(*"asdw" * 3)
    page.keep()
    own = page.stored("game")["id"]
    page.press("n")
    page.settle()
    return own


def watch(page, times):
    """Lets the agent play some moves, pauses, and begins a new game, many times."""
    page.view("watch")
    page.select_option("#agent", "random")
    page.focus("#speed")
    page.press("End")
    for _ in range(times):
        page.click("#run")
        page.pause_after(5)
        page.click("#watch-new")
        page.settle()


def test_watching_leaves_the_games_of_a_person(page):
    own = [play_and_leave(page) for _ in range(3)]
    page.view("watch")
    page.click("#watch-own")
    page.press("a", "s", "d")  # A person's move does not make a watched game the person's.
    watch(page, 21)
    assert ids(page.games()) == own[::-1], "the person's games are kept"
    agents = page.games(agents=True)
    assert len(agents) == 20 and all("random" in game["players"] for game in agents), "the newest games of agents stay"
    page.view("games")
    assert page.locator("#games-list .game").count() == 3, "the list has the person's games"
    page.view("replay")
    assert page.locator("#past button").count() == 20, "agents' games are elsewhere"
    page.locator("#past button").first.click()
    page.click("#play-on")
    page.settle()
    if page.is_visible("#notice"):
        page.press("u")
    page.play(*"asdw")
    mixed = play_and_leave(page)
    assert ids(page.games()) == [mixed, *own[::-1]], "the person has played on with an agent's game"


def test_games_are_continued_and_deleted(page):
    """A game of the list goes on where it was left. A game that is deleted can be brought back once."""
    first, second = play_and_leave(page), play_and_leave(page)
    record = page.games()[1]["record"]
    assert ids(page.games()) == [second, first]
    page.view("games")
    rows = page.locator("#games-list .game")
    assert "without help" in rows.first.inner_text()
    rows.nth(1).get_by_role("button", name="Continue").click()
    page.settle()
    page.keep()
    assert page.stored("game")["id"] == first and page.stored("game")["record"] == record, "the game is on the table"
    page.view("games")
    page.locator("#games-list button:enabled", has_text="Delete").first.click()
    page.settle()
    assert ids(page.games()) == [first], "the game is deleted"
    page.get_by_role("button", name="Undo").last.click()
    page.settle()
    assert sorted(ids(page.games())) == sorted([first, second]), "the game is back"
    with page.expect_download() as download:
        page.click("#games-export")
    exported = json.loads(download.value.path().read_text())
    assert {game["id"]: game["record"] for game in exported}[first] == record, "the file has all games"


def test_a_game_that_ends_is_listed_at_once(page):
    """A tab that is closed right after the last move loses nothing: the move itself writes the game."""
    page.set_board("1212212112122110")
    page.evaluate("""() => {
      const notice = document.getElementById("notice");
      for (let turn = 0; turn < 2000 && notice.hidden; turn += 1) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "asdw"[turn % 4], bubbles: true }));
      }
    }""")
    assert page.text("#notice-title") == "Game over"
    stored = page.stored("game")
    assert records.replay(stored["record"])[-1][0] == page.board(), "the game is stored without a wait"
    score = page.number("#score")
    page.view("games")
    page.until("document.querySelectorAll('#games-list .game').length === 1")
    page.settle()
    facts = {one["id"]: one for one in page.table("games")}[stored["id"]]
    assert facts["result"]["score"] == score and facts["isOver"]


def test_a_store_that_keeps_nothing_says_so_until_it_does(page):
    """Another page of the same host has filled the storage."""
    page.evaluate("""() => {
      for (let size = 5 << 20; size > 0; size >>= 1) {
        try {
          while (true) localStorage.setItem(`other ${size} ${localStorage.length}`, "x".repeat(size));
        } catch {}
      }
    }""")
    page.play(*"asdw" * 30)
    page.press("Escape")
    page.keep()
    note = page.text("#store-note")
    assert note.startswith("This browser does not keep ") and "your game" in note
    page.evaluate("""() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("other")) localStorage.removeItem(key);
    }""")
    page.play(*"asdw")
    page.keep()
    assert page.text("#store-note") == "", "the note goes when the game is kept"
    assert page.stored("game")["record"].count(" ") > 20


def test_a_browser_without_a_database_says_so(page):
    """Without a database the page plays, keeps the game on the table, and says that it keeps no others."""
    page.context.add_init_script("IDBFactory.prototype.open = () => { throw new Error('refused'); }")
    page.reload()
    page.until_ready()
    page.play(*"asdw" * 3)
    page.keep()
    page.until_text("#store-note", "This browser does not keep your games")
    assert page.stored("game")["record"].count(" ") > 3
    page.press("n")
    page.settle()
    page.view("games")
    assert page.locator("#games-list .game").count() == 1, "the games of this visit are listed"
    page.get_by_role("button", name="Review", exact=True).last.click()
    page.until_text("#record-note", "An earlier game")
