"""Keys, clicks and touches do what the page says they do."""


def test_arrows_that_move_nothing_scroll_nothing(page):
    page.set_viewport_size({"width": 700, "height": 320})
    page.set_board("0000000000001234")
    page.focus("#board")
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight"), "the page scrolls"
    before = page.moves()
    page.press("ArrowDown")
    page.settle()
    # Nothing scrolls in the time that a smooth scroll would need to begin.
    page.wait_for_timeout(300)
    assert page.moves() == before and page.evaluate("scrollY") == 0


def test_keys_play_after_clicks(page):
    page.view("watch")
    page.view("play")
    page.set_board("0000011001100000")
    page.click("#tab-watch")
    page.click("#tab-play")
    page.press("ArrowLeft")
    page.settle()
    assert page.is_visible("#panel-play") and page.moves() == 1, "arrows play after a click on a tab"
    for button in ("#undo", "#redo", "#new-game"):
        page.click(button)
        assert page.focus_id() == "board", f"{button} gives the focus back"
    page.focus("#tab-play")
    before = page.moves()
    page.press("ArrowUp", "ArrowDown", "ArrowUp", "ArrowDown")
    page.settle()
    assert page.moves() > before and page.is_visible("#panel-play"), "a tab does not use up and down"

    page.press(*"asdwasdw")
    page.view("replay")
    page.press("ArrowLeft")
    page.settle()
    assert page.is_visible("#panel-replay"), "arrows step after a click on Replay"
    assert page.input_value("#scrub-number") == str(page.moves()), "the arrow steps one move back"
    scrub = page.locator("#scrub").bounding_box()
    page.mouse.click(scrub["x"] + 5, scrub["y"] + scrub["height"] / 2)
    page.press("Space")
    # Space plays after the scrubber was used.
    page.until("document.getElementById('scrub-number').value > 0")

    page.view("watch")
    page.click("#watch-new")
    page.press("Space")
    # Space starts after a click on New game.
    page.until_text("#run", "Pause")
    page.press("Space")
    speed = page.locator("#speed").bounding_box()
    page.mouse.click(speed["x"] + 5, speed["y"] + speed["height"] / 2)
    count = page.moves()
    page.press(".")
    page.settle()
    assert page.moves() == count + 1, "the point plays a move after the slider was used"
    page.focus("#step")
    page.press("Space")
    page.settle()
    assert page.moves() == count + 2, "Space presses the button that the keyboard has reached"


def test_keyboards_of_other_letters_play(page):
    """Letters of other scripts and layouts work: by the letter that the page names, or by the key in its place."""

    def press(key, code):
        page.evaluate(
            """([key, code]) => document.getElementById("board").dispatchEvent(
              new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }))""",
            [key, code],
        )
        page.settle()

    # Cyrillic, Greek, Hebrew, AZERTY, Dvorak, and the output of an input method, for moves to the left and up.
    for left, up in (
        (("ф", "KeyA"), ("ц", "KeyW")),
        (("α", "KeyA"), ("ς", "KeyW")),
        (("ש", "KeyA"), ("'", "KeyW")),
        (("q", "KeyA"), ("z", "KeyW")),
        (("a", "KeyQ"), ("w", "KeyZ")),
        (("a", "KeyA"), (",", "KeyW")),
        (("Process", "KeyA"), ("Process", "KeyW")),
        (("Ф", "KeyA"), ("р", "KeyH")),
    ):
        for (key, code), cell in ((left, 4), (up, 1)):
            if code == "KeyH":
                cell = 4  # H moves to the left, too.
            page.set_board("0000010000000000")
            press(key, code)
            assert page.moves() == 1 and page.board()[cell] == "1", f"{key} at {code} moves to cell {cell}"
    for undo, redo, new in (
        (("г", "KeyU"), ("к", "KeyR"), ("т", "KeyN")),
        (("u", "KeyU"), ("r", "KeyR"), ("n", "KeyN")),
        (("u", "KeyF"), ("r", "KeyO"), ("n", "KeyL")),
    ):
        page.set_board("0000010000000000")
        press("ArrowLeft", "ArrowLeft")
        after = page.board()
        press(*undo)
        assert page.moves() == 0, f"{undo} undoes a move"
        press(*redo)
        assert page.moves() == 1 and page.board() == after, f"{redo} redoes it"
        press(*new)
        assert page.moves() == 0 and page.board() != after and page.is_disabled("#redo"), f"{new} starts a new game"
    # On keyboards with Latin letters, a letter never counts by its place, except for the four moves.
    page.set_board("0000010000000000")
    press("ArrowLeft", "ArrowLeft")
    after = page.board()
    for key, code in (("g", "KeyU"), ("b", "KeyN"), ("p", "KeyR"), ("c", "KeyI"), ("r", "KeyS"), ("ж", "Semicolon")):
        press(key, code)
        assert page.board() == after and page.moves() == 1, f"{key} at {code} does nothing"


def test_keys_move_after_a_choice(page):
    """A list or slider that the pointer has used gives the keys back; one that the keyboard has reached keeps them."""
    # A list that was opened with the pointer and closed without a change does not use the next arrow key.
    for close in ("Enter", "Escape"):
        page.set_board("0000010000000000")
        page.click("#open-settings")
        value = page.input_value("#theme")
        page.click("#theme")
        page.press(close, "ArrowLeft")
        page.settle()
        assert page.moves() == 1 and page.input_value("#theme") == value, f"{close}: the arrow key moves"
        assert page.focus_id() == "board", f"{close}: the board has the focus"
        page.click("#close-settings")
    page.set_board("0000010000000000")
    page.click("#open-settings")
    for list, key in (("#theme", "ArrowDown"), ("#coach-milliseconds", "ArrowDown")):
        before = page.input_value(list)
        page.click(list)
        page.press(key, "Enter")
        page.settle()
        value = page.input_value(list)
        assert value != before, f"{list}: the pointer has chosen"
        assert page.focus_id() == "board", f"{list}: the board has the focus"
        before = page.moves()
        page.press("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown")
        page.settle()
        assert page.moves() > before and page.input_value(list) == value, f"{list}: arrows move"
    page.focus("#coach-milliseconds")
    page.press("ArrowUp")
    assert page.focus_id() == "coach-milliseconds", "a list that the keyboard has reached keeps the focus"
    before = page.moves()
    page.press("ArrowDown")
    page.settle()
    assert page.moves() == before, "a list that the keyboard has reached keeps the arrow keys"
    page.click("#close-settings")
    page.view("watch")
    speed = page.locator("#speed").bounding_box()
    for _ in range(2):  # The second click changes nothing.
        page.mouse.click(speed["x"] + 0.9 * speed["width"], speed["y"] + speed["height"] / 2)
        page.settle()
        assert page.focus_id() == "board", "a slider gives the focus back"
    value, before = page.input_value("#speed"), page.moves()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.press(key)
        page.settle()
    assert page.input_value("#speed") == value and page.moves() > before, "arrows move after the slider was used"
    page.view("replay")
    scrub = page.locator("#scrub").bounding_box()
    page.mouse.click(scrub["x"] + 2, scrub["y"] + scrub["height"] / 2)
    page.settle()
    assert page.input_value("#scrub-number") == "0", "a click goes to the start"
    page.press("ArrowRight")
    page.settle()
    assert page.input_value("#scrub-number") == "1", "arrows step after the scrubber was used"


def test_pauses_do_not_speed_the_agent_up(page):
    page.view("watch")
    page.click("#watch-new")
    page.focus("#speed")
    page.press("Home", "ArrowRight", "ArrowRight")
    page.focus("#board")
    page.press("Space")
    # Pauses at different times between two moves.
    for gap in (80, 150, 220, 300):
        page.wait_for_timeout(gap)
        page.press("Space")
        page.wait_for_timeout(40)
        page.press("Space")
    made, seconds = page.evaluate("""async () => {
      const moves = () => Number(document.getElementById("moves").textContent);
      const [before, start] = [moves(), performance.now()];
      await new Promise((done) => setTimeout(done, 2000));
      return [moves() - before, (performance.now() - start) / 1000];
    }""")
    # On a busy machine the agent makes fewer moves.
    assert made <= 4 * seconds + 2, f"the agent makes four moves a second: {seconds} seconds"
    page.until_moves(page.moves() + 1)  # It still plays.


def test_two_fingers_do_not_play(open_page):
    page = open_page(390, 844, has_touch=True)
    page.set_board("0000010000000000")
    touches = page.context.new_cdp_session(page.window)
    box = page.locator("#board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def send(kind, *points):
        touch_points = [{"x": px, "y": py, "id": id} for id, (px, py) in enumerate(points)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touch_points})

    send("touchStart", (x - 10, y))
    send("touchStart", (x - 10, y), (x + 10, y))
    for step in range(1, 9):
        send("touchMove", (x - 10 - step * 8, y), (x + 10 + step * 8, y))
    send("touchEnd")
    page.settle()
    assert page.moves() == 0, "a pinch plays nothing"
    touch_action = page.evaluate("getComputedStyle(document.getElementById('board')).touchAction")
    assert touch_action == "pinch-zoom", "a pinch zooms"
