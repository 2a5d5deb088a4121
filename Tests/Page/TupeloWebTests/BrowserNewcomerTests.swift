import Testing
import TupeloWeb

extension BrowserTests {
  /// Ten things that a newcomer does, found by what a newcomer sees or hears: the roles and names of controls.
  @Suite struct Newcomer {
    /// Prints the clicks and keys of each task, and the seconds that it took a script. A task that needs more of them
    /// than today fails.
    @Test func tenTasksTakeFewClicks() async throws {
      try await Site.run(
        #"""
        import time
        base = bases["host"]
        page = open_page(permissions=["clipboard-read", "clipboard-write"]); board_box = page.get_by_label("Board")
        rows, steps, begun = [], 0, time.monotonic()
        def one(role, name): return page.get_by_role(role, name=name, exact=True)
        def click(role, name):
            global steps
            steps += 1; one(role, name).click()
        def press(key):
            global steps
            steps += 1; page.keyboard.press(key)
        def number(name): return int(one("status", name).inner_text().replace(",", ""))
        def until_so(condition):
            for _ in range(3000):
                if condition(): return True
                page.wait_for_timeout(20)
            return False
        # Ends a task: it has succeeded when `condition` comes true, and took at most `most` steps.
        def task(name, most, condition):
            global steps, begun
            check(until_so(condition), f"{name}: it did not succeed")
            check(steps <= most, f"{name}: {steps} clicks and keys instead of {most}")
            rows.append((name, steps, time.monotonic() - begun))
            steps, begun = 0, time.monotonic()
        def again():
            global steps, begun
            settle(); steps, begun = 0, time.monotonic()

        def first_move():
            for key in ("ArrowLeft", "ArrowDown"):
                if number("Moves") == 0: press(key)
            return number("Moves") == 1
        task("start: the first move", 2, first_move)
        click("button", "Hint")
        task("a hint", 1, lambda: page.locator(".hint").is_visible())
        click("button", "Undo")
        task("undo", 1, lambda: number("Moves") == 0)

        for _ in range(10):
            for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"): page.keyboard.press(key)
        again(); played = number("Moves")
        click("tab", "Replay"); click("button", "Review")
        points = page.get_by_role("list", name="Turning points").get_by_role("button")
        check(until_so(lambda: points.count() > 0), "turning points are found")
        worst = int(points.first.inner_text().split(":")[0].split()[1]); steps += 1; points.first.click()
        task("my worst move", 3, lambda: page.get_by_label("Moves shown").input_value() == str(worst - 1))
        check(0 < worst <= played, f"it is a move of the game: {worst} of {played}")

        click("tab", "Analyze"); click("button", "Edit the board"); click("button", "Clear")
        for tile, row in (("2048", 1), ("1024", 2)):
            click("button", tile); click("button", f"Row {row}, column 1: empty")
        click("button", "Done")
        cells = page.get_by_role("table", name="Cells of the board").get_by_role("cell")
        task("a position of two tiles", 8, lambda: cells.all_inner_texts() ==
             ["2048"] + ["empty"] * 3 + ["1024"] + ["empty"] * 11)
        click("button", "Share link")
        task("share it", 1, lambda: page.get_by_text("The link is copied.").is_visible())
        link = page.evaluate("navigator.clipboard.readText()")
        check(link.endswith("#analyze=b000a00000000000"), f"the link has the position: {link}")

        click("tab", "Watch"); click("button", "New game"); one("slider", "Speed").focus(); press("End")
        click("button", "Start")
        largest = page.locator("#panel-watch dl").filter(has_text="Moves per second").locator("dd").nth(1)
        def tile():
            shown = largest.inner_text().replace(",", "")
            return int(shown) if shown.isdigit() else 0
        task("watch 2,048 in fast motion", 4, lambda: tile() >= 2048)
        if one("button", "Pause").is_visible(): one("button", "Pause").click()
        again()

        # A window that is not visible cannot show the browser's part of an installation.
        page.evaluate("""() => {
          const event = new Event("beforeinstallprompt", { cancelable: true });
          event.prompt = async () => { document.title = "asked to install"; };
          dispatchEvent(event);
        }""")
        again()
        click("button", "Settings"); click("button", "Install as an app")
        task("install", 2, lambda: page.title() == "asked to install")
        one("combobox", "Colours").select_option("dark"); steps += 2; click("button", "Close the settings")
        task("other colours", 3, lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
             == "rgb(23, 20, 17)")

        click("tab", "Set"); cards = page.get_by_role("group", name="Cards on the table").get_by_role("button")
        check(until_so(lambda: cards.count() >= 12), "cards are dealt")
        settle(); click("button", "Hint"); settle(); deals = 0
        table = page.get_by_role("region", name="Game of Set")
        while table.get_by_text("There is no Set on the table").is_visible():
            deals += 1; click("button", "Deal three more"); settle(); click("button", "Hint"); settle()
        for _ in range(2): click("button", "Hint"); settle()
        told = table.get_by_text("A Set: ").inner_text()
        for name in told[len("A Set: "):].rstrip(".").split(", "): click("button", name)
        task("a Set", 7 + 2 * deals, lambda: number("Sets") == 1)
        print("\n| task | clicks and keys | seconds |\n|---|---|---|")
        for name, count, seconds in rows: print(f"| {name} | {count} | {seconds:.1f} |")
        """#)
    }
  }
}
