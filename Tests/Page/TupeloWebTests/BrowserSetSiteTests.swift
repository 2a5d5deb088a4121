import Testing

extension BrowserTests {
  /// Set in a page without a server.
  @Suite struct SetSite {
    private static let table =
      SetTable.table + #"""
        def set_site(name, **options):
            page = site(name, **options)
            page.click("#tab-set"); page.wait_for_selector("#panel-set:not([hidden])"); ready(page)
            return page

        """#

    @Test func aWholeGameByHintsWithTheNetworkOff() async throws {
      try await Site.run(
        Self.table + #"""
          phone = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
          for name, options in (("host", phone), ("disk", {})):
              page = set_site(name, **options)
              until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
              check(text("#model-name").startswith("Network set, "), text("#model-name"))
              count = len(requests); page.context.set_offline(True)
              check(len(cards()) == 12 and number("deck") == 69, "twelve cards of 81")
              while not sets(): deal()
              before = cards()
              wrong = next(three for three in itertools.combinations(before, 3) if not is_set(three))
              for card in wrong: page.click(button(card))
              until(page, "document.getElementById('set-message').textContent.startsWith('No Set: ')")
              check(cards() == before and "1 wrong claim" in text("#set-note"), "a wrong claim takes nothing")
              page.click("#set-deal"); settle()
              check("There is a Set" in text("#set-message"), "no three more while there is a Set")
              hints = 0
              while not page.is_visible("#set-notice"):
                  if not sets():
                      page.click("#set-hint"); settle(); hints += 1
                      check("deal three more" in text("#set-message"), text("#set-message"))
                      deal(); continue
                  for shown in (1, 2, 3):
                      page.click("#set-hint"); hints += 1
                      until(page, f"document.querySelectorAll('.set-card.hinted').length === {shown}")
                  hinted = listed(".set-card.hinted")
                  check(tuple(hinted) in sets(), f"{name}: hints are a Set: {hinted}")
                  take(hinted)
              check(sets() == [] and number("deck") == 0, "the game ends when nothing is left to take")
              check(number("score") * 3 + len(cards()) == 81, "no card is lost")
              check(f"{hints} hints" in text("#set-note"), text("#set-note"))
              score, left = number("score"), cards()
              check(page.evaluate("document.documentElement.scrollWidth") <= (options.get("width") or 1100), "wide")
              check(len(requests) == count, "nothing was asked for")
              page.context.set_offline(False)
              page.reload(); page.wait_for_selector("#set-notice:not([hidden])")
              check(number("score") == score and cards() == left, f"{name}: a reload keeps the game")
              page.click("#set-back"); ready(page)
              until(page, f"document.getElementById('set-score').textContent === '{score - 1}'")
              page.click("#set-new"); until(page, "document.getElementById('set-deck').textContent === '69'")
              page.context.close()
          """#)
    }

    @Test func agentsAreWatched() async throws {
      try await Site.run(
        Self.table + #"""
          for name in ("host", "disk"):
              page = set_site(name)
              until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
              while not sets(): deal()
              names = page.locator("#set-agent option").evaluate_all("(all) => all.map((one) => one.value)")
              check(names == ["network", "heuristic", "counting", "most-left", "random"], f"{names}")
              page.check("#set-values")
              for agent in names:
                  page.select_option("#set-agent", agent); settle(); settle()
                  rows = page.locator("#set-choices .choice").count()
                  check(rows == len(sets()), f"{agent}: every Set: {rows}")
                  chosen = listed(".set-card.chosen")
                  check(tuple(chosen) in sets(), f"{agent}: one is chosen: {chosen}")
                  numbers = page.locator("#set-choices .number").all_inner_texts()
                  if agent in ("network", "heuristic"):
                      check(20 < float(numbers[0]) < 27, f"{agent}: {numbers}")
                      check(20 < float(text("#set-expected")) < 27, f"{agent}: {text('#set-expected')}")
                  elif agent == "random": check(set(numbers) == {""}, f"{agent}: {numbers}")
                  else: check(numbers[0].endswith(("Set", "Sets")), f"{agent}: {numbers}")
              page.select_option("#set-agent", "network"); page.select_option("#set-speed", index=4)
              page.click("#set-run"); page.wait_for_selector("#set-notice:not([hidden])")
              check(number("score") >= 20 and sets() == [], f"a whole game is watched: {number('score')}")
              with page.expect_download() as file: page.click("#set-save")
              file.value.save_as("FOLDER/watched.txt")
              page.click("#set-again"); until(page, "document.getElementById('set-score').textContent === '0'")
              page.set_input_files("#set-file", "FOLDER/watched.txt")
              page.wait_for_selector("#set-notice:not([hidden])")
              open("FOLDER/bad.txt", "w").write("nonsense")
              page.set_input_files("#set-file", "FOLDER/bad.txt"); settle()
              check("header" in text("#set-record-error"), f"why a record is refused: {text('#set-record-error')}")
              page.context.close()
          """#)
    }

    @Test func withoutAModelTheHeuristicPlays() async throws {
      try await Site.run(
        Self.table + #"""
          page = set_site("disk")
          check(text("#model-name") == "No model of Set loaded", text("#model-name"))
          while not sets(): deal()
          page.click("#set-hint"); page.wait_for_selector(".set-card.hinted")
          """#, hasSetModel: false)
    }

    /// The page reports a model whose file is missing, other agents play, and the page requests the model again.
    @Test func aMissingModelIsTold() async throws {
      try await Site.run(
        Self.table + #"""
          import os
          os.rename("FOLDER/set.safetensors", "FOLDER/away")
          page = set_site("host")
          until(page, "document.getElementById('model-name').textContent.includes('did not load')")
          while not sets(): deal()
          page.check("#set-values"); page.wait_for_selector("#set-choices-error:not(:empty)")
          told = text("#set-choices-error")
          check(told == "The model did not load: its file is not there (status 404). It is asked again.", told)
          page.select_option("#set-agent", "counting"); page.wait_for_selector("#set-choices .choice")
          os.rename("FOLDER/away", "FOLDER/set.safetensors")
          page.select_option("#set-agent", "network"); page.wait_for_selector("#set-choices .choice")
          until(page, "document.getElementById('model-name').textContent.includes('MB in this page')")
          errors[:] = [error for error in errors if "404" not in error]
          """#)
    }
  }
}
