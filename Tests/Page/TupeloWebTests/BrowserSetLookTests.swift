import Foundation
import TestSupport
import Testing
import TupeloWeb

extension BrowserTests.SetTable {
  /// Sizes, colours and motion of the table of Set.
  @Suite struct Look {
    @Test func theTableFitsTheWindow() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        # The engine looks for seeds whose tables need more cards.
        def with_more(page, count):
            for seed in range(400):
                game = {"seed": str(seed), "game": "0", "choices": [], "id": "x", "undone": [], "players": []}
                said = game_of(seed, [])
                while said["stuck"] and len(said["table"]) < count:
                    game["choices"].append("deal")
                    said = game_of(seed, game["choices"])
                if len(said["table"]) == count: return game
            check(False, f"no game starts with {count} cards")
        more = None
        for width, height in ((360, 640), (640, 360), (844, 390), (390, 844), (320, 568), (768, 1024), (1366, 650),
                              (1280, 720), (1920, 1080)):
            page = set_page(width, height)
            for count in (12, 15):
                if count == 15:
                    more = more or with_more(page, 15)
                    page.evaluate("(game) => localStorage.setItem('tupelo.set', JSON.stringify(game))", more)
                    page = open_tab(); page.click("#tab-set"); page.wait_for_selector(".set-card"); ready(page)
                name = f"{width}x{height} with {count}"
                page.evaluate("window.scrollTo(0, 0)"); settle()
                check(len(cards()) == count, f"{name}: {len(cards())}")
                boxes = [box.bounding_box() for box in page.locator(".set-card").all()]
                bottom = max(box["y"] + box["height"] for box in boxes)
                check(bottom <= height, f"{name}: the cards end at {bottom}")
                check(all(box["width"] >= 44 and box["height"] >= 30 for box in boxes), f"{name}: {boxes[0]}")
                check(all(abs(box["width"] / box["height"] - 1.5) < 0.05 for box in boxes), f"{name}: {boxes[0]}")
                fits(name)
                hint = page.locator("#set-deal").bounding_box()
                check(hint["y"] + hint["height"] <= height, f"{name}: the buttons end at {hint}")
            page.context.close()
        """#)
    }

    @Test func lettersNameColours() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        def letters():
            return page.locator("#set-cards .letter").evaluate_all("(all) => all.map((one) => [one.textContent,"
              "getComputedStyle(one).display, one.closest('button').dataset.card[1].toUpperCase()])")
        page = set_page()
        check(all(display == "none" for _, display, _ in letters()), "no letters unless asked")
        page.check("#set-letters")
        check(all(display == "block" and letter == colour for letter, display, colour in letters()), f"{letters()}")
        page.reload(); page.wait_for_selector(".set-card"); ready(page)
        check(all(display == "block" for _, display, _ in letters()), "they stay")
        page = set_page(forced_colors="active")
        check(all(display == "block" for _, display, _ in letters()), "forced colours have them")
        drawn = page.locator("#set-cards svg").evaluate_all("(all) => all.map((one) => getComputedStyle(one).color)")
        check(len(set(drawn)) == 1, f"and the system's colour alone: {drawn}")
        """#)
    }

    @Test func motionIsLeftOutOnRequest() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        # `count` makes the page count the cards that move to a place and the cards that leave.
        count = """() => {
          window.motions = { moved: 0, left: 0 };
          const { animate } = Element.prototype;
          Element.prototype.animate = function (...values) {
            if (this.closest(".set-stage")) motions.moved += 1;
            return animate.apply(this, values);
          };
          new MutationObserver((changes) => {
            const added = changes.flatMap((one) => [...one.addedNodes]);
            motions.left += added.filter((one) => one.classList?.contains("leaving")).length;
          }).observe(document.querySelector(".set-stage"), { childList: true, subtree: true });
        }"""
        for wanted in (True, False):
            page = set_page(reduced_motion="no-preference" if wanted else "reduce")
            while not sets(): deal()
            three, score = sets()[0], number("score")
            page.evaluate(count)
            for card in three: page.click(button(card))
            until(page, f"document.getElementById('set-score').textContent === '{score + 1}'")
            motions = page.evaluate("motions")
            check(motions["left"] == (3 if wanted else 0), f"cards leave when wanted: {wanted}, {motions}")
            check((motions["moved"] > 0) == wanted, f"cards move when wanted: {wanted}, {motions}")
            until(page, "document.querySelector('.leaving') === null")
        """#)
    }

    /// Each of the 81 cards is drawn differently.
    @Test func cardsAreDrawnApart() async throws {
      try await BrowserTests.SetTable.run(
        #"""
        page = set_page()
        drawings = {}
        for seed in range(1, 60):
            if len(drawings) == 81: break
            game = {"seed": str(seed), "game": "0", "choices": [], "id": "x"}
            before = ",".join(cards())
            page.evaluate("""(game) => {
              localStorage.setItem("tupelo.set", JSON.stringify(game));
              localStorage.setItem("tupelo.set-stamp", String(Math.random()));
              dispatchEvent(new StorageEvent("storage", { key: "tupelo.set-stamp" }));
            }""", game)
            until(page, "[...document.querySelectorAll('#set-cards .set-card')].map((one) => one.dataset.card).join()"
                        f" !== '{before}'"); ready(page)
            drawings |= page.locator("#set-cards .set-card").evaluate_all(
              "(all) => Object.fromEntries(all.map((one) => [one.dataset.card, one.querySelector('svg').outerHTML]))")
        check(len(drawings) == 81, f"all cards were seen: {len(drawings)}")
        check(len(set(drawings.values())) == 81, "and no two are drawn alike")
        for card, drawing in drawings.items():
            check(drawing.count("<g") == int(card[0]), f"{card}: {drawing.count('<g')} symbols")
            check(("filled" in drawing, "stripes" in drawing) == (card[2] == "s", card[2] == "t"), f"{card}: shading")
        """#)
    }
  }
}
