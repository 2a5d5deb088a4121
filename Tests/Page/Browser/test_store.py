"""The games that a browser keeps: of persons and of agents, in a store of an earlier version, and in a full one."""

import json

import pytest

import records

FULL = 5 * 1024 * 1024  # characters that Chromium keeps for a page


def saved(number, players=("person",), moves=12, **more):
    """A game as the page stores it among the earlier ones. The games of larger numbers are older."""
    game = {"id": f"game-{number}", "record": records.play(number, moves=moves), "fresh": True, "undos": 0, "hints": 0}
    about = {"when": 1_700_000_000_000 - number, "score": 1000 + number, "moves": moves, "largest": 5, "isOver": False}
    return {**game, **about, "players": players, "redo": [], "times": [], "judged": [], **more}


def judged(number, size=5000):
    """A game with as many verdicts as a coach gives in `size` moves."""
    return saved(number, judged=[[0, 12.345678901234, "left", 20123.45678901]] * size)


def text_of(value):
    """JSON as the page writes it."""
    return json.dumps(value, separators=(",", ":"))


def ids(page, key):
    return [game["id"] for game in page.stored(key)]


def open_with(page, **stored):
    """Opens the page again in a browser that has stored these values and no others: the page writes as it is left."""
    page.evaluate(
        """(stored) => addEventListener("pagehide", () => {
          localStorage.clear();
          for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
        })""",
        {f"tupelo.{key}": text_of(value) for key, value in stored.items()},
    )
    page.reload()
    page.until_ready()


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
    assert ids(page, "past") == own[::-1], "the person's games are kept"
    agents = page.stored("past-agents")
    assert len(agents) == 20 and all("random" in game["players"] for game in agents), "the agents' games have a place"
    page.view("replay")
    assert page.locator("#past button").count() == 23
    assert page.locator("#past button", has_text="by an agent").count() == 20
    page.locator("#past button", has_text="by an agent").first.click()
    page.click("#play-on")
    page.settle()
    if page.is_visible("#notice"):
        page.press("u")
    page.play(*"asdw")
    mixed = play_and_leave(page)
    assert ids(page, "past") == [mixed, *own[::-1]], "the person has played on with an agent's game"
    assert mixed not in ids(page, "past-agents")


def test_watching_set_leaves_the_games_of_a_person(open_set):
    page = open_set()
    own = []
    for _ in range(3):
        page.deal_until_set()
        page.take(page.sets()[0])
        page.settle()
        own.append(page.saved()["id"])
        page.press("n")
        page.until_dealt()
    for _ in range(21):
        page.press(".")
        page.until("document.getElementById('set-score').textContent !== '0'")
        page.press("n")
        page.until_dealt()
        page.until("document.getElementById('set-score').textContent === '0'")
    assert ids(page, "set-past") == own[::-1], "the person's games are kept"
    assert len(ids(page, "set-past-agents")) == 20


def test_a_store_of_an_earlier_version_is_read(page):
    """Earlier versions stored all games in one list: each keeps its place among those of persons or of agents."""
    players = [("person",), ("network 2-ply",), ("person", "random"), ()]
    games = [saved(number, players=players[number % 4]) for number in range(20)]
    open_with(page, past=games, game=saved(50))
    page.view("replay")
    assert page.locator("#past button").count() == 20, "all games are listed"
    new = play_and_leave(page)
    mine = [game["id"] for number, game in enumerate(games) if number % 4 in (0, 3)]
    assert ids(page, "past") == [new, *mine]
    assert ids(page, "past-agents") == [game["id"] for game in games if game["id"] not in mine]
    kept = {game["id"]: game["record"] for key in ("past", "past-agents") for game in page.stored(key)}
    assert all(kept[game["id"]] == game["record"] for game in games), "no game has changed"


@pytest.mark.parametrize("player", ["person", "random"])
def test_a_full_store_keeps_the_game_that_is_played(page, player):
    """Records and verdicts fill the storage. The oldest games give way to the game on the table, and are named."""
    games = [judged(number) for number in range(19)]
    agents = [saved(number, players=["random"], judged=judged(0)["judged"]) for number in (30, 31)]
    room = FULL - len(text_of([games, agents])) - 1000
    filler = saved(20, players=[player], note="x" * room)
    open_with(page, past=[*games, *agents, filler])
    page.play(*"asdw" * 60)
    page.press("Escape")
    page.keep()
    assert page.stored("game")["record"].count(" ") > 20, "the game on the table is stored"
    last = play_and_leave(page)
    kept = page.stored("past")
    assert page.stored("game")["id"] != last and ids(page, "past")[0] == last and "record" in kept[0]
    gone = {game["id"] for key in ("past", "past-agents") for game in page.stored(key) if game.get("isGone")}
    whole = [game["id"] for game in kept if "record" in game]
    assert whole == [last, *(game["id"] for game in games)], "persons' games stay while agents' games give way"
    assert gone and gone <= {"game-20", "game-30", "game-31"}
    page.reload()
    page.until_ready()
    page.view("replay")
    named = page.locator("#past button:disabled")
    assert named.count() == len(gone) and "not kept: storage is full" in named.first.inner_text()
    assert page.text("#store-note") == "", "all that is played is kept"


def test_a_store_that_keeps_nothing_says_so_until_it_does(page):
    """Another page of the same host has filled the storage."""
    play_and_leave(page)
    own = page.stored("past")
    page.evaluate("""() => {
      for (let size = 5 << 20; size > 0; size >>= 1) {
        try {
          while (true) localStorage.setItem(`other ${size} ${localStorage.length}`, "x".repeat(size));
        } catch {}
      }
    }""")
    page.view("play")
    page.play(*"asdw" * 30)
    page.press("Escape")
    page.keep()
    assert page.stored("past")[0]["isGone"], "the earlier game made room, which was not enough"
    note = page.text("#store-note")
    assert note.startswith("This browser does not keep ") and "your game" in note
    page.wait_for_timeout(13_000)
    assert page.text("#store-note") == note, "the note stays"
    page.evaluate("""() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith("other")) localStorage.removeItem(key);
    }""")
    page.keep()
    assert page.text("#store-note") == "", "the note goes when the game is kept"
    assert len(own) == 1 and page.stored("game")["record"].count(" ") > 20
