"""Ten things that a newcomer does, found by what a newcomer sees or hears: the roles and names of controls."""

import time


class Tasks:
    """Counts the clicks and keys of each task. A task that needs more of them than today fails."""

    def __init__(self, page):
        self.page, self.rows = page, []
        self.begin()

    def begin(self):
        """Begins a task on an idle page."""
        self.page.settle()
        self.steps, self.begun = 0, time.monotonic()

    def one(self, role, name):
        return self.page.get_by_role(role, name=name, exact=True)

    def click(self, role, name):
        self.steps += 1
        self.one(role, name).click()

    def press(self, key):
        self.steps += 1
        self.page.press(key)

    def number(self, name):
        return int(self.one("status", name).inner_text().replace(",", ""))

    def until(self, condition, reason):
        for _ in range(3000):
            if condition():
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{reason}: not within a minute")

    def end(self, name, most, condition):
        """Ends a task: it has succeeded when `condition` comes true, and took at most `most` steps."""
        self.until(condition, name)
        assert self.steps <= most, f"{name}: the clicks and keys of the task"
        self.rows.append((name, self.steps, time.monotonic() - self.begun))
        self.begin()


def test_ten_tasks_take_few_clicks(open_page, site, models):
    """Prints the clicks and keys of each task, and the seconds that a script needs for it."""
    host = site("--model", models / "17x4", "--set-model", models / "set")
    page = open_page(at=host.address, permissions=["clipboard-read", "clipboard-write"])
    tasks = Tasks(page)

    for key in ("ArrowLeft", "ArrowDown"):
        if tasks.number("Moves") == 0:
            tasks.press(key)
    tasks.end("start: the first move", 2, lambda: tasks.number("Moves") == 1)
    tasks.click("button", "Hint")
    tasks.end("a hint", 1, lambda: page.locator(".hint").is_visible())
    tasks.click("button", "Undo")
    tasks.end("undo", 1, lambda: tasks.number("Moves") == 0)

    page.press(*["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"] * 10)
    tasks.begin()
    played = tasks.number("Moves")
    tasks.click("tab", "Review")
    tasks.click("button", "Review")
    points = page.get_by_role("list", name="Turning points").get_by_role("button")
    tasks.until(lambda: points.count() > 0, "turning points are found")
    worst = int(points.first.inner_text().split(":")[0].split()[1])
    tasks.steps += 1
    points.first.click()
    tasks.end("my worst move", 3, lambda: page.get_by_label("Moves shown").input_value() == str(worst - 1))
    assert 0 < worst <= played, "the worst move is a move of the game"

    tasks.click("tab", "Analyze")
    tasks.click("button", "Edit the board")
    tasks.click("button", "Clear")
    for tile, row in (("2048", 1), ("1024", 2)):
        tasks.click("button", tile)
        tasks.click("button", f"Row {row}, column 1: empty")
    page.locator("#edit").click()
    tasks.steps += 1
    cells = page.get_by_role("table", name="Cells of the board").get_by_role("cell")
    wanted = ["2048"] + ["empty"] * 3 + ["1024"] + ["empty"] * 11
    tasks.end("a position of two tiles", 8, lambda: cells.all_inner_texts() == wanted)
    tasks.click("button", "Share link")
    tasks.end("share it", 1, lambda: page.get_by_text("The link is copied.").is_visible())
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("#analyze=b000a00000000000"), "the link has the position"

    tasks.click("tab", "Watch")
    tasks.click("button", "New game")
    tasks.one("slider", "Speed").focus()
    tasks.press("End")
    tasks.click("button", "Start")

    def largest_tile():
        return max(int(text) for text in cells.all_inner_texts() if text.isdigit())

    tasks.end("watch 2,048 in fast motion", 4, lambda: largest_tile() >= 2048)
    if tasks.one("button", "Pause").is_visible():
        tasks.one("button", "Pause").click()

    # A window that is not visible cannot show the browser's part of an installation.
    page.evaluate("""() => {
      const event = new Event("beforeinstallprompt", { cancelable: true });
      event.prompt = async () => { document.title = "asked to install"; };
      dispatchEvent(event);
    }""")
    tasks.begin()
    tasks.click("button", "Settings")
    tasks.click("button", "Install as an app")
    tasks.end("install", 2, lambda: page.title() == "asked to install")
    tasks.one("combobox", "Colours").select_option("dark")
    tasks.steps += 2
    tasks.click("button", "Close the settings")
    ground = "getComputedStyle(document.body).backgroundColor"
    tasks.end("other colours", 3, lambda: page.evaluate(ground) == "rgb(23, 20, 17)")

    tasks.click("tab", "Set")
    cards = page.get_by_role("group", name="Cards on the table").get_by_role("button")
    tasks.until(lambda: cards.count() >= 12, "cards are dealt")
    page.settle()
    tasks.click("button", "Hint")
    page.settle()
    deals = 0
    table = page.get_by_role("region", name="Game of Set")
    while table.get_by_text("There is no Set on the table").is_visible():
        deals += 1
        tasks.click("button", "Deal three more")
        page.settle()
        tasks.click("button", "Hint")
        page.settle()
    for _ in range(2):
        tasks.click("button", "Hint")
        page.settle()
    hint = table.get_by_text("A Set: ").inner_text()
    for name in hint.removeprefix("A Set: ").rstrip(".").split(", "):
        tasks.click("button", name)
    tasks.end("a Set", 7 + 2 * deals, lambda: tasks.number("Sets") == 1)
    print("\n| task | clicks and keys | seconds |\n|---|---|---|")
    for name, count, seconds in tasks.rows:
        print(f"| {name} | {count} | {seconds:.1f} |")
