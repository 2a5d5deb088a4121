import Foundation
import TestSupport
import Testing
import TupeloEngine
import TupeloNetwork
import TupeloWeb

extension BrowserTests {
  /// Reviews of games: their one number, learning from mistakes, and links to games.
  @Suite struct Reviews {
    /// A game that a careless player made, as a file in a folder, and its positions.
    private static func game(moves count: Int) throws -> (folder: TemporaryFolder, record: GameRecord) {
      let folder = try TemporaryFolder()
      var game = Game(seed: 4)
      var record = GameRecord(.init(rules: .standard, start: game.board, agent: "test"))
      while record.steps.count < count, let move = game.legalMoves.moves.last, let turn = game.play(move) {
        record.append(turn)
      }
      try write(Array(record.text.utf8), toFile: folder.file("game.txt"))
      return (folder, record)
    }

    /// Accuracy and counts follow from the server's answers, and each mistake is corrected by its best move.
    @Test func mistakesAreLearnedFrom() async throws {
      let (folder, record) = try Self.game(moves: 40)
      let boards = try record.replay().map { $0.board.hex() }
      try await BrowserTests.run(
        #"""
        def answer(board, plies):
            return page.evaluate("async (query) => (await fetch('/analyze?' + query)).json()",
                                 f"board={board}&plies={plies}&four=0.1")
        plies = page.input_value("#coach-plies")
        boards, tokens = "BOARDS".split(), open("FOLDER/game.txt").read().split("\n", 1)[1].split()
        played = [{"u": "up", "r": "right", "d": "down", "l": "left"}[one[0]] for one in tokens]
        said = [answer(board, plies) for board in boards[:-1]]
        value = [next(one["value"] for one in each["moves"] if one["move"] == each["best"]) for each in said]
        losses = [-each["moves"][["up", "right", "down", "left"].index(move)]["difference"]
                  for each, move in zip(said, played)]
        losses = [0 if loss < 0.05 else loss for loss in losses]
        wanted = sum(100 * 0.5 ** (loss / max(top, 100) / 0.01) for loss, top in zip(losses, value)) / len(losses)
        view("replay"); page.set_input_files("#record-file", "FOLDER/game.txt"); settle()
        page.click("#review"); page.wait_for_selector("#worst button"); settle()
        check(abs(float(text("#accuracy")[:-1]) - wanted) < 0.051, f"{text('#accuracy')}, not {wanted}")

        count = page.locator("#worst button").count(); page.click("#learn-start"); settle()
        keys = {"up": "w", "right": "d", "down": "s", "left": "a"}
        seen = []
        for number in range(count):
            index = int(page.input_value("#scrub-number")); seen.append(index)
            check(text("#learn-text").startswith(f"{number + 1} of {count}: move {index + 1} was {played[index]}."),
                  text("#learn-text"))
            check(page.get_attribute("#board", "data-hint") is None, "the answer is not shown")
            check(page.locator("#replay-values .best").count() == 0, "and neither are the values")
            page.focus("#board"); page.keyboard.press(keys[played[index]]); settle()
            check("Try another move" in text("#learn-text"), text("#learn-text"))
            if number % 2 == 0: page.keyboard.press(keys[said[index]["best"]])
            else:
                page.click("#learn-hint"); check(("vertical" if said[index]["best"] in ("up", "down") else "horizontal")
                                                 in text("#learn-text"), text("#learn-text"))
                page.click("#learn-hint")
            settle(); told = text("#learn-text")
            check(f"{said[index]['best'].title()} is the best move." in told, told)
            check(page.locator("#replay-values .best").count() == 1, "then the values are")
            page.click("#learn-next"); settle()
        check(seen == sorted(seen) and len(set(seen)) == count, f"in the order of the game: {seen}")
        check(page.is_visible("#worst") and not page.is_visible("#learn"), "after the last one the list is back")
        page.click("#learn-start"); settle(); page.keyboard.press("Home"); settle()
        check(not page.is_visible("#learn"), "looking elsewhere ends it")
        """#.replacing("FOLDER", with: folder.path).replacing("BOARDS", with: boards.joined(separator: " ")))
    }

    /// With a model in the page, the worst moves are judged at a greater depth, and the list and the values agree.
    @Test func theWorstMovesAreLookedAtDeeper() async throws {
      let (folder, _) = try Self.game(moves: 60)
      let (model, file) = (try NTupleNetwork(path: SiteModel.path), try SiteModel.bytes)
      try await BrowserTests.run(
        #"""
        page.keyboard.press("?")
        until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
        choose("#coach-plies", "1")
        view("replay"); page.set_input_files("#record-file", "FOLDER/game.txt"); settle()
        page.click("#review"); page.wait_for_selector("#worst button"); settle()
        for index, row in enumerate(page.locator("#worst button").all_inner_texts()):
            page.locator("#worst button").nth(index).click(); settle()
            check(text("#replay-depth") == "This position was looked at 3 moves ahead.", text("#replay-depth"))
            told = page.locator("#replay-values .played .number").inner_text()
            check(told == row.split("\n")[-1], f"{row!r}: {told}")
        """#.replacing("FOLDER", with: folder.path),
        service: WebService(
          agents: WebAgent.offered(model: model, title: "small"), pageModel: PageModel(agent: "network", file: file)))
    }

    /// A link contains the whole record, deflated; another page reads it, and reports errors in it.
    @Test func aGameIsALink() async throws {
      let (folder, _) = try Self.game(moves: 200)
      try await BrowserTests.run(
        #"""
        import base64, zlib
        home, record = base, open("FOLDER/game.txt").read()
        page = open_page(permissions=["clipboard-read", "clipboard-write"])
        view("replay"); page.set_input_files("#record-file", "FOLDER/game.txt"); settle()
        page.click("#share-game"); until(page, "!document.getElementById('toast').hidden")
        link = page.evaluate("navigator.clipboard.readText()")
        letters = link.split("#game=")[1]
        raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        check(zlib.decompress(raw, -15).decode() == record, "the link is the record")
        base = link; page = open_page()
        until(page, "document.getElementById('record-note').textContent.includes('link')")
        with page.expect_download() as saved: page.click("#save-record")
        check(open(saved.value.path()).read() == record, "and so is what is saved")
        for wrong in (letters[:-20], "abc", "%E0", "", "AAAA"):
            page.evaluate(f"location.hash = '#game={wrong}'")
            until(page, "document.getElementById('record-error').textContent.startsWith('This link has no game')")
            page.evaluate(f"location.hash = '#game={letters}'")
            until(page, "document.getElementById('record-error').textContent === ''")
        with page.expect_download() as picture: page.click("#share-picture")
        check(open(picture.value.path(), "rb").read(8) == b"\x89PNG\r\n\x1a\n", "a picture")
        # Unpacking stops at the size limit of a record, however small the link is.
        packed = zlib.compressobj(9, zlib.DEFLATED, -15); bomb = packed.compress(b" " * 5_000_000) + packed.flush()
        page.evaluate(f"location.hash = '#game={base64.urlsafe_b64encode(bomb).decode().rstrip('=')}'")
        until(page, "document.getElementById('record-error').textContent.startsWith('This link has no game')")
        """#.replacing("FOLDER", with: folder.path))
    }
  }
}
