import Foundation
import Testing
import TupeloNetwork
import TupeloWeb

extension BrowserTests {
  /// When the page loads a model, and its messages when it cannot.
  @Suite struct Models {
    private static let named = "document.getElementById('model-name').textContent"

    /// A page on which a person only plays requests no model; a coach and the views of agents do.
    @Test func theModelComesWhenItIsAskedFor() async throws {
      try await Site.run(
        #"""
        base = bases["host"]; page = open_page(); settle()
        check(not any("safetensors" in path for path in requests), f"a page that nobody plays on: {requests}")
        check(page.input_value("#coach-plies") == "3", "the coach looks as far ahead as the server's")
        view("watch"); check(page.input_value("#plies") == "3", "and so does the agent")
        view("play"); page.uncheck("#show-verdicts")
        def asked(name): return any(path.startswith(f"/{name}.safetensors?") for path in requests)
        requests.clear(); page = open_tab()
        page.focus("#board")
        for key in "asdwasdw": page.keyboard.press(key)
        settle(); page.wait_for_timeout(300)
        check(moves() > 3 and not asked("model") and not asked("set"), f"play asks for nothing: {requests}")
        check(text("#model-name") == "Network small", f"and no memory is taken: {text('#model-name')}")
        page.click("#hint"); until(page, "document.getElementById('board').dataset.hint !== undefined")
        check(asked("model") and "MB in this page" in text("#model-name"), f"a hint asks for it: {requests}")
        def judged():
            page.check("#show-verdicts"); page.focus("#board")
            for key in "ad": page.keyboard.press(key)
        for ask in (judged, lambda: view("watch"), lambda: view("analyze")):
            page.click("#tab-play"); page.uncheck("#show-verdicts"); page = open_tab(); requests.clear()
            ask(); until(page, "NAMED.includes('MB in this page')")
            check(asked("model"), f"asked for: {requests}")
        check(not asked("set"), "the model of Set is asked for in Set")
        view("set"); until(page, "NAMED.includes('MB in this page')")
        check(asked("set"), f"{requests}")
        """#.replacing("NAMED", with: Self.named))
    }

    /// Without a server, the page reports a missing model, and loads it as soon as it can.
    @Test func aModelThatIsAwayIsAskedForAgain() async throws {
      try await Site.run(
        #"""
        import os
        os.rename("FOLDER/model.safetensors", "FOLDER/away")
        base = bases["host"]; page = open_page()
        page.check("#show-hints")
        page.wait_for_selector("#coach-note.error")
        told = "The model did not load: its file is not there (status 404)."
        check(text("#coach-note") == told + " The coach asks again.", text("#coach-note"))
        check(text("#model-name") == "Network small. " + told, text("#model-name"))
        page = open_page(390, 844); page.keyboard.press("?"); page.wait_for_selector("#retry:not([hidden])")
        name = page.evaluate("""(() => { const one = document.getElementById("news-text");
          return [one.scrollWidth - one.clientWidth, document.documentElement.scrollWidth]; })()""")
        check(name[0] <= 0 and name[1] <= 390, f"the reason can be read on a phone: {name}")
        check(text("#news-text") == told, text("#news-text"))
        requests.clear(); page.click("#retry"); settle()
        check(any("model" in path for path in requests), f"another try is made at once: {requests}")
        view("analyze"); page.wait_for_selector("#analysis-error:not(:empty)")
        check(text("#analysis-error") == told, text("#analysis-error"))
        view("watch"); check("random" in page.inner_text("#agent").lower(), "other agents are there")
        page.select_option("#agent", "random"); page.click("#step"); settle(); check(moves() == 1, "and play")
        view("play"); page.check("#show-hints"); view("analyze"); page.wait_for_selector("#analysis-error:not(:empty)")
        os.rename("FOLDER/away", "FOLDER/model.safetensors")
        for _ in range(100):
            page.select_option("#analysis-time", "5"); page.select_option("#analysis-time", "1"); settle()
            if text("#analysis-error") == "": break
        until(page, "parseInt(document.getElementById('analysis-plies').textContent) > 2")
        check(text("#analysis-error") == "", f"another try takes the error away: {text('#analysis-error')}")
        os.rename("FOLDER/model.safetensors", "FOLDER/away"); page.reload(); view("play")
        page.wait_for_selector("#coach-note.error"); os.rename("FOLDER/away", "FOLDER/model.safetensors")
        until(page, "document.getElementById('board').dataset.hint !== undefined")
        check(text("#coach-note") == "" and "MB in this page" in text("#model-name"), "it comes by itself")
        check(not page.is_visible("#retry") and text("#news-text") == "", "and the message goes")
        check(not any(path.startswith(("/analyze", "/api")) for path in requests), f"no server is asked: {requests}")
        errors[:] = [error for error in errors if "404" not in error]
        """#)
    }

    /// A folder that is opened from the disk cannot read its models, and the page says what helps.
    @Test func aFolderOnTheDiskSaysWhatHelps() async throws {
      try await Site.run(
        #"""
        base = "file://FOLDER/index.html"; page = open_page()
        page.check("#show-hints"); page.wait_for_selector("#coach-note.error")
        check(text("#model-name").endswith("cannot read other files."), text("#model-name"))
        check("--single-file" in text("#coach-note") and "web server" in text("#coach-note"), text("#coach-note"))
        check("asks again" not in text("#coach-note"), "what cannot work is not promised")
        set_board("1100000000000000"); page.focus("#board"); page.keyboard.press("a"); settle()
        check(moves() == 1, "the game can be played")
        view("analyze"); page.wait_for_selector("#analysis-error:not(:empty)")
        check("--single-file" in text("#analysis-error"), text("#analysis-error"))
        view("set"); page.wait_for_selector(".set-card"); page.check("#set-values"); settle()
        """#)
    }

    /// With a server, hints come from the server, and the model is tried again.
    @Test func theServerHelpsOutMeanwhile() async throws {
      let network = try NTupleNetwork(path: SiteModel.path)
      try await BrowserTests.run(
        #"""
        page = open_page(); page.uncheck("#show-verdicts")
        page.context.route("**/model.safetensors", lambda route: route.abort())
        page.reload(); until(page, "document.querySelector('#agent option') !== null")
        page.check("#show-hints"); set_board("1123000000000000")
        until(page, "NAMED.includes('did not load')")
        wanted = "Network small. Hints come from the server; the model did not load: its file cannot be read."
        check(text("#model-name") == wanted, text("#model-name")); settle()
        check(page.get_attribute("#board", "data-hint") is not None, "the server gives hints")
        view("analyze"); until(page, "parseInt(document.getElementById('analysis-plies').textContent) > 2")
        check(page.evaluate("window.asked") > 0, "and analyzes")
        page.context.unroute("**/model.safetensors"); view("play")
        for _ in range(100):
            if "MB in this page" in text("#model-name"): break
            set_board("1123000000000000"); page.focus("#board"); page.keyboard.press("a"); page.wait_for_timeout(100)
        check("MB in this page" in text("#model-name"), f"it is tried again: {text('#model-name')}")
        errors[:] = [error for error in errors if "ERR_FAILED" not in error and "model.safetensors" not in error]
        """#.replacing("NAMED", with: Self.named),
        service: WebService(
          agents: WebAgent.offered(model: network, title: "small"),
          pageModel: PageModel(agent: "network", file: try SiteModel.bytes)))
    }
  }
}
