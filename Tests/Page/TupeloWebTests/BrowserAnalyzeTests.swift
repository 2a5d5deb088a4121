import Testing
import TupeloWeb

extension BrowserTests {
  /// The board editor, and the lines of an analysis.
  @Suite struct Analyses {
    /// Tiles are placed by pointer, touch and keys; the address has the board.
    @Test func theBoardIsEdited() async throws {
      try await BrowserTests.run(
        #"""
        home = base
        for options in ({}, {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}):
            base = home + "#analyze=1200000000000003"; page = open_page(**options)
            check(not page.is_visible("#palette"), "the editor waits")
            page.click("#edit"); settle()
            cell = lambda index: page.locator("#editor button").nth(index)
            press = (lambda one: one.tap()) if options else (lambda one: one.click())
            press(page.locator("#palette button").nth(11)); press(cell(5)); settle()
            check(board() == "12000b0000000003" == tiles() and page.url.endswith(board()), f"placed: {board()}")
            check(cell(5).get_attribute("aria-label") == "Row 2, column 2: 2048", cell(5).get_attribute("aria-label"))
            press(cell(5)); settle(); check(board() == "1200000000000003", "once more takes it away")
            press(page.locator("#palette button").first); press(cell(15)); settle()
            check(board() == "1200000000000000", f"erased: {board()}")
            page.click("#edit-rotate"); settle(); check(board() == "0001000200000000", f"rotated: {board()}")
            page.click("#edit-clear"); settle(); check(board() == "0" * 16, "cleared")
            check((text("#analysis-note"), text("#analysis-error")) == ("Place a tile.", ""), "no mistake here")
            cell(0).focus()
            for key in ("ArrowRight", "ArrowDown", "5", "ArrowDown", "3", "+", "ArrowLeft", "-", "2", "-", "ArrowUp"):
                page.keyboard.press(key)
            page.keyboard.press("Enter"); page.keyboard.press("ArrowRight"); page.keyboard.press("."); settle()
            check(board() == "0000000014000000", f"by keys: {board()}")
            page.click("#edit"); page.keyboard.press("ArrowRight"); settle()
            check(board().count("0") == 13 and board()[10:12] == "14", f"then keys move again: {board()}")
            check(not page.is_visible("#editor"), "the editor is gone")
            page.go_back(); settle(); check(board() == "0000000014000000", "an edit is one entry of the history")
            page.evaluate("""() => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", "2 4 8 16\\n. . . 2\\n. . . .\\n. . . .");
              document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }"""); settle()
            check(board() == "1234000100000000", f"a board can be pasted: {board()}")
            page.context.close()
        """#)
    }

    /// Each line begins with its move and continues with moves and tiles that the rules allow.
    @Test func linesArePlayable() async throws {
      try await BrowserTests.run(
        #"""
        def row(tiles):
            tiles = [one for one in tiles if one]; out = []
            while tiles:
                if len(tiles) > 1 and tiles[0] == tiles[1]: out.append(tiles[0] + 1); tiles = tiles[2:]
                else: out.append(tiles[0]); tiles = tiles[1:]
            return out + [0] * (4 - len(out))
        def slide(cells, way):
            lines = [[4 * i + j for j in range(4)] for i in range(4)] if way in "←→" else \
                    [[4 * i + j for i in range(4)] for j in range(4)]
            out = [0] * 16
            for line in lines:
                if way in "→↓": line = line[::-1]
                for place, tile in zip(line, row([cells[one] for one in line])): out[place] = tile
            return out
        home = base; base = home + "#analyze=1123021000200001"; page = open_page()
        until(page, "document.querySelectorAll('#lines li').length > 1")
        legal = page.locator("#analysis-values li:not(.illegal)").count()
        until(page, f"document.querySelectorAll('#lines button').length === {5 * legal}")
        check(page.locator("#lines li").count() == legal, "a line for each legal move")
        best = page.locator("#lines li").first.get_attribute("aria-label").split()[-1]
        check(best == page.get_attribute("#board", "data-hint"), "the best one first")
        settle()
        for line in page.locator("#lines li").all_inner_texts():
            cells = [int(one) for one in board()]
            for step in [one for one in line.split("\n") if one[0] in "↑→↓←"]:
                after = slide(cells, step[0]); tile, place = step[2:].split(" at ")
                index = "abcd".index(place[0]) + 4 * (int(place[1]) - 1)
                check(after != cells and after[index] == 0 and tile in ("2", "4"), f"{step} on {cells}")
                cells = after; cells[index] = 1 if tile == "2" else 2
            last = "".join(str(one) for one in cells)
        page.locator("#lines li").last.locator("button").last.click(); settle()
        check(board() == last, f"a step of a line shows its board: {board()}, not {last}")
        for _ in range(8):
            if board() == "1123021000200001": break
            page.keyboard.press("u"); settle()
        check(board() == "1123021000200001", "and it is taken back move by move")
        """#)
    }
  }
}
