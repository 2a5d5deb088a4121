import Testing
import TupeloWeb

extension BrowserTests {
  /// Addresses that a person or another page has made.
  @Suite struct Links {
    /// Names of properties that every object of JavaScript has do not open a view.
    @Test func noNameBreaksThePage() async throws {
      try await BrowserTests.run(
        #"""
        home = base
        for name in ("__proto__", "constructor", "toString", "nonsense", "__proto__=1"):
            base = home + "#" + name; page = open_page()
            check(page.is_visible("#panel-play"), f"{name}: the page opens")
            view("watch"); page.evaluate(f"location.hash = '#{name}'"); settle()
            view("play"); set_board("1100000000000000"); page.focus("#board"); page.keyboard.press("a"); settle()
            check(moves() == 1 and page.is_visible("#panel-play"), f"{name}: it continues")
            page.context.close()
        """#)
    }

    /// The page reports a link without a board, and keeps it in the address, where it can be corrected.
    @Test func aWrongLinkIsTold() async throws {
      try await BrowserTests.run(
        #"""
        wrong = {
            "12345": "a board has 16 digits, this has 5.", "zzz": "‘z’, character 1, is not a tile",
            "0000000000000000": "a board needs at least one tile.", "%E0%A4%A": "its address is damaged.",
            "": "a board has 16 digits, this has 0.", "1100=000000000000": "a board has 16 numbers, this has 2.",
        }
        home = base
        told = lambda: text("#analysis-error")
        set_board("1230000000000000"); keep()
        for link, reason in wrong.items():
            base = f"{home}#analyze={link}"; page = open_page(); settle()
            check(told().startswith("This link has no board: " + reason), f"{link}: {told()}")
            check(page.url.endswith("#analyze=" + link), f"{link}: it stays: {page.url}")
            until(page, "document.querySelectorAll('#analysis-values .best').length === 1")
            page.evaluate("location.hash = '#analyze=1123000000000000'"); settle()
            check(told() == "" and board() == "1123000000000000", f"{link}: a right link is followed: {told()}")
            page.evaluate(f"location.hash = '#analyze={link}'"); settle()
            check(told().startswith("This link has no board: " + reason), f"{link} in an open tab: {told()}")
            check(board() == "1123000000000000" and page.input_value("#analysis-link").endswith(board()), "its board")
            page.focus("#board"); page.keyboard.press("d"); settle()
            check(told() == "" and page.url.endswith("#analyze=" + board()), f"{link}: a move has its link: {page.url}")
            view("play"); view("analyze"); check(told() == "", "and it is forgotten")
            page.context.close()
        """#)
    }

    /// The board of the game has its score and its moves; any other board has none.
    @Test func aBoardOfNoGameHasNoScore() async throws {
      try await BrowserTests.run(
        #"""
        numbers = lambda: (text("#score"), text("#moves"))
        set_board("1100000000000000"); page.focus("#board"); page.keyboard.press("a"); settle()
        check(numbers() == ("4", "1"), f"{numbers()}"); own = board()
        view("analyze"); settle()
        check(numbers() == ("4", "1"), f"the game's board has the game's: {numbers()}")
        page.fill("#analysis-input", "2 4 8 16\n. . . 2\n. . . .\n. . . ."); page.click("#analysis-set"); settle()
        check(board() == "1234000100000000", f"the example is read: {board()}")
        check(numbers() == ("–", "–"), f"another board has none: {numbers()}")
        page.click("#analysis-game"); settle(); check(board() == own and numbers() == ("4", "1"), f"{numbers()}")
        view("play"); check(numbers() == ("4", "1"), "and Play has its own again")
        """#)
    }
  }
}
