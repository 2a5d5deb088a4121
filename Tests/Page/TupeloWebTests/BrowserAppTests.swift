import Testing
import TupeloWeb

extension BrowserTests {
  /// A site as an app: it is kept for use without a network, and its models are loaded in the order that is best for a
  /// visitor.
  @Suite struct App {
    @Test func aSiteThatWasVisitedNeedsNoNetwork() async throws {
      try await Site.run(
        #"""
        base = bases["host"]; page = open_page(keeps=True); page.keyboard.press("?")
        until(page, "document.getElementById('board').dataset.hint !== undefined")
        kept = """(async () => {
          const counts = [];
          for (const name of await caches.keys()) counts.push((await (await caches.open(name)).keys()).length);
          return String(counts.sort()) === "1,6";
        })()"""
        until(page, kept); until(page, "navigator.serviceWorker.controller !== null")
        def models(): return [path for path in requests if "model.safetensors" in path]
        check(len(models()) == 1, f"the model came once: {models()}")
        page.context.set_offline(True)
        page.reload(); until(page, "document.querySelector('#agent option') !== null"); page.keyboard.press("?")
        until(page, "document.getElementById('board').dataset.hint !== undefined")
        page.click("#open-settings"); until(page, "document.getElementById('app-note').textContent !== ''")
        note = text("#app-note")
        check("works without a network, with small." in note, note)
        page.click("#close-settings"); page.context.set_offline(False)

        # There is a newer version of the files: it is offered, and comes when the visitor wants it. The model does not
        # change.
        version = note.split()[1].rstrip(".")
        for name in ("offline.js", "index.html"):
            with open(f"FOLDER/{name}") as file: old = file.read()
            with open(f"FOLDER/{name}", "w") as file: file.write(old.replace(version, "0newer00"))
        page.reload(); page.wait_for_selector("#toast:not([hidden])")
        check("A newer version" in text("#toast"), text("#toast"))
        def told(version):
            page.click("#open-settings")
            until(page, f"document.getElementById('app-note').textContent.includes('{version}')")
        told(version); page.click("#close-settings")
        with page.expect_navigation(): page.click("#toast button >> nth=0")
        until(page, "document.querySelector('#agent option') !== null")
        told("0newer00")
        until(page, kept)
        check("with small." in text("#app-note") and len(models()) == 1, f"{text('#app-note')} {models()}")
        """#)
    }

    /// The small model gives hints while the larger one is loaded, which then takes its place.
    @Test func theSmallModelComesFirst() async throws {
      try await Site.run(
        #"""
        base = bases["host"]; page = open_page(); held = []
        page.context.route("**/model.safetensors*", lambda route: held.append(route))
        page.check("#show-hints")
        until(page, "document.getElementById('board').dataset.hint !== undefined")
        name = text("#model-name")
        check("; first until then" in name and "MB in this page" in name, name)
        check(page.is_visible("#loading") and not page.is_visible("#news-text"), "a bar says that more comes")
        set_board("1123000000000000"); settle(); before = page.locator("#play-values .number").all_inner_texts()
        until(page, "document.getElementById('model-name').textContent.includes('loading')")
        while not held: page.wait_for_timeout(20)
        held[0].continue_()
        until(page, "!document.getElementById('model-name').textContent.includes('until then')"); settle()
        check("MB in this page" in text("#model-name") and not page.is_visible("#loading"), text("#model-name"))
        # Both models have the same network here.
        check(page.locator("#play-values .number").all_inner_texts() == before, "the values are asked for again")
        order = [path.split("?")[0] for path in requests if "safetensors" in path]
        check(order == ["/first.safetensors", "/model.safetensors"], f"{order}")
        """#, hasFirstModel: true)
    }
  }
}
