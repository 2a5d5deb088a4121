"""Play: keys, buttons and swipes, undo and redo, boards that are set, notices, statistics, settings."""

import json

import pytest


@pytest.mark.visit
def test_keys_move_the_tiles(open_page):
    page = open_page(reduced_motion="no-preference")
    page.set_board("1000000000000000")
    page.snap("set")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", *"dsawljhk"):
        page.click("body", position={"x": 3, "y": 3})
        before, count = page.board(), page.moves()
        page.press(key)
        page.settle()
        assert (page.board() != before) == (page.moves() == count + 1), (
            f"{key}: a move is counted if the board changes"
        )
        page.snap(f"key {key}")
    assert page.moves() >= 6, "most of twelve keys move"

    page.set_board("0000010000000000")
    page.press("Control+ArrowLeft")
    page.settle()
    assert page.moves() == 0, "keys with Control are the browser's"


def test_buttons_move_the_tiles(page):
    for board, move in (("0000000000000001", 3), ("1000000000000000", 1)):
        page.set_board(board)
        page.click(f'[data-move="{move}"]')
        page.settle()
        assert page.moves() == 1, f"button {move}"
        page.snap(f"button {move}")


def test_swipes_move_the_tiles(open_page):
    page = open_page(reduced_motion="no-preference")
    centre = "0000010000000000"

    def swipe(dx, dy):
        page.set_board(centre)
        box = page.locator("#board").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + dx, y + dy, steps=1)
        page.mouse.up()
        page.settle()

    goals = {(40, 0): 7, (-40, 0): 4, (0, 40): 13, (0, -40): 1, (30, 30): 7, (-25, 25): 4, (20, 0): 7, (10, -21): 1}
    for (dx, dy), cell in goals.items():
        swipe(dx, dy)
        assert page.moves() == 1 and page.board()[cell] == "1", f"swipe {dx},{dy} moves to cell {cell}"
        page.snap(f"swipe {dx},{dy}")
    for dx, dy in ((19, 0), (0, -19), (14, 14), (0, 0)):
        swipe(dx, dy)
        assert page.moves() == 0 and page.board() == centre, f"swipe {dx},{dy} is inside the dead zone"


def test_moves_are_undone_and_redone(page):
    page.press("n")
    page.settle()
    boards = [page.board()]
    for key in ("ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp") * 5:
        page.press(key)
        page.settle()
        if page.board() != boards[-1]:
            boards.append(page.board())
    assert len(boards) == page.moves() + 1, "every change of the board is a move"
    page.press("u", "u", "u", "u")
    page.settle()
    assert page.board() == boards[-5], "four moves are undone"
    page.snap("undone")
    page.click("#redo")
    page.click("#redo")
    page.settle()
    assert page.board() == boards[-3], "redo brings back the same tiles"
    page.snap("redone")
    page.reload()
    page.settle()
    assert page.board() == boards[-3] and page.moves() == len(boards) - 3, "the game survives a reload"
    assert not page.is_disabled("#redo"), "undone moves survive a reload"
    page.click("#redo")
    page.click("#redo")
    page.settle()
    assert page.board() == boards[-1], "redo works after the reload"
    assert '"agent":"person, 4 undone"' in page.snap("reloaded"), "undoing is marked in the record"


def test_games_end_and_are_won(page):
    page.set_board("1212212112122110")
    page.press("ArrowRight")
    page.settle()
    assert page.text("#notice-title") == "Game over" or not page.is_visible("#notice"), (
        "the notice is of this position"
    )
    page.set_board("1212212112122121")
    page.settle()
    assert page.text("#notice-title") == "Game over", "a full board without moves is over"
    assert not page.is_visible("#notice-second"), "there is nothing to undo"
    page.click("#notice-first")
    page.settle()
    assert not page.is_visible("#notice") and page.moves() == 0, "the notice starts a new game"
    page.set_board("aa00000000000000")
    page.press("ArrowLeft")
    page.settle()
    assert page.text("#notice-title") == "2048", "a notice says that the game is won"
    page.snap("won")
    page.click("#notice-first")
    page.settle()
    assert not page.is_visible("#notice"), "the game can be continued"
    page.press("ArrowRight")
    page.settle()
    assert not page.is_visible("#notice") and page.moves() == 2, "a won game is announced once"
    page.snap("kept going")

    for value, four in (("0", 0), ("0.5", 0.5), ("0.1", 0.1)):
        page.choose("#odds", value)
        page.click("#new-game")
        page.settle()
        header = page.snap(f"odds {value}").split("\n")[0]
        assert json.loads(header)["four_probability"] == four, f"the record has the odds {value}"


def test_boards_are_typed_as_people_do(page):
    def refuse(text):
        page.view("analyze")
        before = page.board()
        page.fill("#analysis-input", text)
        page.click("#analysis-set")
        assert page.text("#analysis-error") != "" and page.board() == before, f"{text!r} is refused"

    for typed, expected in (
        ("1200 0000 0000 0000", "1200000000000000"),
        ("12..\n....\n...1\n....", "1200000000010000"),
        ("2 4 . .\n- - - -\n. . . 2\n0 0 0 0", "1200000000010000"),
        ("12--0000........", "1200000000000000"),
    ):
        page.set_board(typed)
        page.settle()
        assert page.board() == expected, repr(typed)
    for typed in ("1024 2048 4096 8192", "-2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "12"):
        refuse(typed)
    for text in ("12", "zzzzzzzzzzzzzzzz", "0000000000000000", "1 2 3"):
        refuse(text)
    page.set_board("2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 65536 131072")
    page.settle()
    assert page.board() == "123456789abcdegh", "numbers set the board"
    page.snap("numbers")
    assert page.evaluate("""[...document.querySelectorAll("#board .tile")]
      .every((tile) => tile.firstChild.scrollWidth <= tile.clientWidth)"""), "numbers fit their tiles"
    page.choose("#start-tiles", "3")
    page.click("#new-game")
    page.settle()
    assert 16 - page.board().count("0") == 3, "a game starts with three tiles"


def test_notices_wait_for_a_choice(page):
    page.set_board("aa85421946356263")
    page.play("ArrowLeft")
    assert page.text("#notice-title") == "2048", "a notice says that the game is won"
    count = page.moves()
    page.press("ArrowDown", "ArrowRight", "s")
    page.settle()
    assert page.moves() == count and page.is_visible("#notice"), "the notice waits for a choice"
    assert page.focus_id() == "notice-first", "the choice has the focus"
    page.press("Enter")
    page.settle()
    assert not page.is_visible("#notice"), "Enter continues the game"
    page.press("ArrowDown")
    page.settle()
    if page.is_visible("#notice"):
        assert page.text("#notice-title") == "Game over", "the notice is of this position"
    for board, tile in (("hgfedcba98765432", "131,072"), ("1212212112122121", "4")):
        page.set_board(board)
        page.settle()
        assert page.text("#notice-text").endswith(f"largest tile {tile}."), board
    assert "Game over." in page.text("#live"), "the notice is announced"
    overlaps = page.evaluate("""() => {
      const [a, b] = ["board", "notice"].map((id) => document.getElementById(id).getBoundingClientRect());
      return a.bottom > b.top && b.bottom > a.top && a.right > b.left && b.right > a.left;
    }""")
    assert not overlaps, "the notice does not cover the board"
    page.set_board("1011223344556677")
    page.press("a")
    page.settle()
    note = page.text("#best-note")
    assert "Undo" not in note and "began from a position" in note, "the note says why Best does not change"


def test_messages_stay_while_they_are_pointed_at(open_page):
    page = open_page(1280, 800)
    # Long timers do not run by themselves: `elapse()` runs those that were not cancelled.
    page.evaluate("""() => {
      const { setTimeout, clearTimeout } = window;
      const timers = new Map();
      window.setTimeout = (work, time) => {
        if (time < 2000) return setTimeout(work, time);
        const timer = setTimeout(() => {}, time);
        timers.set(timer, work);
        return timer;
      };
      window.clearTimeout = (timer) => {
        timers.delete(timer);
        clearTimeout(timer);
      };
      window.elapse = () => {
        for (const [timer, work] of [...timers]) if (timers.delete(timer)) work();
      };
    }""")
    page.play("a", "s", "d")
    page.click("#new-game")
    page.settle()
    overlaps = page.evaluate("""() => {
      const toast = document.getElementById("toast").getBoundingClientRect();
      return [...document.querySelectorAll(".pad button, #board")].some((one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > toast.top && box.top < toast.bottom && box.right > toast.left && box.left < toast.right;
      });
    }""")
    assert not overlaps, "a message covers neither the board nor its buttons"
    page.evaluate("elapse()")
    assert not page.is_visible("#toast"), "a message goes after its time"

    page.play("a", "s", "d")
    page.click("#new-game")
    page.settle()
    page.hover("#toast button >> nth=0")
    color, ground = page.evaluate("""() => {
      const style = getComputedStyle(document.querySelector("#toast button"));
      return [style.color, style.backgroundColor];
    }""")
    assert color != ground, "the button of the message can be read under the pointer"
    page.evaluate("elapse()")
    assert page.is_visible("#toast"), "a message stays while it is pointed at"
    page.focus("#toast button >> nth=0")
    page.mouse.move(5, 5)
    page.press("Escape")
    assert not page.is_visible("#toast"), "Escape closes the message"
    assert page.focus_id() == "board", "the board has the focus again"
    order = page.evaluate("""() => document.getElementById("toast").compareDocumentPosition(
      document.getElementById("board")) & Node.DOCUMENT_POSITION_FOLLOWING""")
    assert order != 0, "the message comes before the board in the order of the keyboard"


def put_game(page, board, id):
    """Puts a stored game on the table: it starts with a board, and counts for statistics."""
    header = {"columns": 4, "rows": 4, "four_probability": 0.1, "start": board, "start_tiles": 2, "tupelo_record": 1}
    facts = {"fresh": True, "undos": 0, "players": ["person"], "celebrated": True, "redo": [], "judged": []}
    page.evaluate(
        """(game) => {
          dispatchEvent(new Event("pagehide"));
          localStorage.setItem("tupelo.game", JSON.stringify(game));
        }""",
        {"id": id, "record": json.dumps(header) + "\n", **facts},
    )
    page.reload()
    page.settle()
    assert page.board() == board, "the game is on the table"
    page.focus("#board")


def finish_game(page):
    """Plays until the game is over, however many moves that takes. Returns its score and its largest tile."""
    page.evaluate("""() => {
      const notice = document.getElementById("notice");
      for (let turn = 0; turn < 20_000 && notice.hidden; turn += 1) {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "asdw"[turn % 4], bubbles: true }));
      }
    }""")
    page.settle()
    assert page.text("#notice-title") == "Game over", "the game is over"
    return page.number("#score"), 2 ** int(max(page.board()), 18)


def statistics(page):
    """The rows of the statistics: rules, games, average score, best score, largest tile."""
    return [row.locator("th, td").all_inner_texts() for row in page.locator("#statistics tbody tr").all()]


def test_games_are_counted_by_their_rules(page):
    assert statistics(page) == [] and page.get_attribute("#statistics-note", "hidden") is None, "there is no game yet"
    put_game(page, "1212212112122110", "one")
    first = finish_game(page)
    assert statistics(page)[0][:3] == ["Usual rules", "1", f"{first[0]:,}"], "the game is counted"
    page.click("#notice-second")
    page.settle()
    finish_game(page)
    put_game(page, "1212212112122110", "one")
    again = finish_game(page)
    assert statistics(page)[0][1] == "1", "a game counts once"
    put_game(page, "1212212112122110", "two")
    second = finish_game(page)
    games, average = statistics(page)[0][1:3]
    assert games == "2" and abs(int(average.replace(",", "")) - (first[0] + second[0]) / 2) <= 0.5
    # Best score and largest tile are those of all games without undo.
    most = [max(numbers) for numbers in zip(first, again, second)]
    assert statistics(page)[0][3:] == [f"{number:,}" for number in most]
    page.reload()
    page.settle()
    assert statistics(page)[0][1] == "2", "statistics survive a reload"
    assert page.text("#best-note") == "", "usual rules need no words"

    page.click("#notice-first")
    page.settle()
    page.focus("#board")
    page.press("a", "s")
    page.click("#open-settings")
    page.select_option("#odds", "0")
    page.select_option("#start-tiles", "3")
    assert page.is_visible("#rules-next"), "other rules begin with the next game"
    page.click("#rules-restart")
    page.click("#close-settings")
    page.settle()
    assert 16 - page.board().count("0") == 3 and not page.is_visible("#rules-next"), "the next game begins on request"
    assert page.text("#best-note") == "Best: 2 only, 3 tiles at the start"
    assert page.text("#best") == "0", "Best is of these rules"
    page.reload()
    page.settle()
    assert page.input_value("#odds") == "0" and page.input_value("#start-tiles") == "3", "rules are remembered"


def test_best_counts_games_without_help(page):
    """Undo and the same move again count for Best. Another move, and a move beside a hint, do not."""

    def note():
        return page.text("#best-note")

    page.press("n")
    page.play(*"asdw" * 3)
    page.press("Control+z")
    page.settle()
    count = page.moves()
    page.press("Control+Shift+Z")
    page.settle()
    assert page.moves() == count + 1 and note() == "", "a move that is redone counts"
    page.press("u")
    page.settle()
    assert note() == "Redo the move, or this game will not count."
    page.play(*"wdsa")
    assert note() == "Not for Best: a move was changed by Undo."
    page.press("n")
    page.press("?")
    page.until_hint()
    assert note() == "Games with hints don’t count for Best."
    page.press({"up": "w", "right": "d", "down": "s", "left": "a"}[page.hint()])
    page.settle()
    assert note() == "Not for Best: hints were shown."
    page.keep()
    page.reload()
    page.settle()
    assert note() == "Not for Best: hints were shown.", "the reason survives a reload"
    page.click("#today")
    page.settle()
    board = page.board()
    assert note() == "Today’s game does not count for Best."
    page.play(*"asdw")
    played = page.board()
    page.click("#today")
    page.settle()
    assert page.board() == played, "the button does not begin it again"
    while not page.is_visible("#notice"):
        page.play(*"asdw")
    result = f"Today’s game: {page.text('#score')} points. The next one comes at midnight UTC"
    assert page.text("#today-note").startswith(result)
    page.press("u", "u", "u")
    while not page.is_visible("#notice"):
        page.play(*"wdsa")
    assert page.text("#today-note").startswith(result), "the first result is the day's"
    page.click("#today")
    page.settle()
    assert page.board() == board, "today's game begins with the same tiles"


def test_an_agent_has_no_result_of_today(page):
    """An agent ends a copy of today's game, and the person opens that game."""
    page.click("#today")
    page.play("a", "s")
    page.view("watch")
    page.uncheck("#endless")
    page.click("#watch-own")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.until_text("#notice-title", "Game over")
    page.click("#watch-new")
    page.view("replay")
    page.locator("#past button").first.click()
    page.settle()
    page.click("#play-on")
    page.settle()
    assert page.is_visible("#notice") and page.text("#best-note") == "Today’s game does not count for Best."
    assert page.text("#today-note") == ""


def test_times_of_tiles_are_told(page):
    put_game(page, "7700000000000000", "one")
    assert page.text("#times") == ""
    page.press("a")
    page.settle()
    times = page.text("#times")
    assert times.startswith("Times of this game: 256 in 0:0")
    page.set_board("a000000000000001")
    page.play("a", "d")
    assert page.text("#times") == "", "a board that was set has no time for its tiles"
    page.click("#toast button >> nth=0")
    page.settle()
    assert page.text("#times") == times, "the game before is back"
    page.view("watch")
    page.click("#watch-own")
    page.focus("#speed")
    page.press("End")
    page.click("#run")
    page.until("/[9a-h]/.test(document.getElementById('board').dataset.board)")
    page.view("play")
    assert page.text("#times") == times, "an agent that plays on has times of its own"


def test_hours_without_a_move_are_no_time_of_play(page):
    times = page.evaluate("""async () => {
      const { Game } = await import("/core/game.js");
      let now = 0;
      Date.now = () => now;
      const game = new Game({ start: [1, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 0] });
      game.play(3, "person");
      now = 5 * 3_600_000;
      game.play(0, "person");
      return game.times;
    }""")
    assert times == [[8, 60_000]], "a pause counts as a minute"


def test_a_browser_that_keeps_nothing_says_so(page):
    page.evaluate("""() => { Storage.prototype.setItem = () => { throw new DOMException("full"); }; }""")
    page.play("a", "s")
    page.keep()
    note = page.text("#store-note")
    assert note.startswith("This browser does not keep ") and "your game" in note


def test_a_new_largest_tile_has_its_moment(page, open_page):
    def moment():
        return page.get_attribute("#board", "data-moment")

    put_game(page, "6600000000000000", "one")
    page.press("a")
    page.settle()
    assert moment() == "quiet" and page.text("#moment-note") == "128: your largest tile so far."
    assert "your largest tile" in page.text("#live"), "the moment is announced"
    page.until("document.getElementById('board').dataset.moment === undefined")
    assert page.text("#moment-note") == "", "the moment passes"
    put_game(page, "6600000000000000", "two")
    page.press("a")
    page.settle()
    assert moment() is None, "an equally large tile has no moment"
    put_game(page, "bb00000000000000", "three")
    page.press("a")
    page.settle()
    assert moment() == "full" and not page.is_visible("#moment"), "without motion, the moment covers no tile"
    assert page.text("#moment-note") == "4,096: your largest tile so far."
    page.press("u")
    page.settle()
    page.press("a")
    page.settle()

    page = open_page(reduced_motion="no-preference")
    page.set_board("aa00000000000000")
    page.focus("#board")
    # The check runs in the page, so that the moment cannot pass before it, however busy the machine is.
    seen = page.evaluate("""() => {
      const board = document.getElementById("board");
      board.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
      const moment = document.getElementById("moment");
      const note = document.getElementById("moment-note");
      const { visibility, display, pointerEvents } = getComputedStyle(moment);
      const isVisible = visibility === "visible" && display !== "none" && moment.getBoundingClientRect().height > 0;
      return [board.dataset.moment, isVisible, moment.textContent, note.textContent, pointerEvents];
    }""")
    assert seen == ["full", True, "2048", "2,048 reached.", "none"], "2048 is seen, and stops no pointer"
    page.click("#notice-second")
    page.settle()
    assert moment() is None, "another game ends the moment"


def test_settings_are_a_panel_or_a_dialog(page, open_page):
    """Settings in a panel beside the board leave the keys to the game; settings over a small page take the keys."""

    def is_modal():
        return page.evaluate("document.querySelector('dialog:modal') !== null")

    assert not page.is_visible("#odds"), "no setting stands beside the board"
    page.set_board("0000010000000000")
    page.click("#open-settings")
    assert page.is_visible("#odds") and not is_modal(), "a wide window has a panel"
    board, settings = (page.locator(one).bounding_box() for one in ("#board", "#settings"))
    assert board["x"] + board["width"] <= settings["x"], "the panel stands beside the board"
    page.play("a")
    assert page.moves() == 1, "the game continues"
    page.press("Escape")
    assert not page.is_visible("#settings"), "Escape closes the panel"
    page.focus("#open-settings")
    page.press("Enter")
    assert page.get_attribute("#open-settings", "aria-expanded") == "true", "the button says that the panel is open"
    page.press("Tab", "Escape")
    assert page.focus_id() == "open-settings", "the button has the focus again"

    page = open_page(390, 844, has_touch=True, is_mobile=True)
    page.set_board("0000010000000000")
    page.click("#open-settings")
    assert is_modal(), "a phone has a dialog"
    page.focus("#close-settings")
    page.press("a", "s", "ArrowUp", "n")
    page.settle()
    assert page.moves() == 0 and page.board() == "0000010000000000", "keys are the dialog's"
    page.select_option("#theme", "dark")
    assert is_modal(), "the dialog stays for another choice"
    page.mouse.click(195, 6)
    assert not page.is_visible("#settings"), "a touch beside the dialog closes it"
