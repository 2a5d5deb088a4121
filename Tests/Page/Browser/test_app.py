"""A site as an app: it is kept for use without a network, and its first model gives hints until the other is there."""

import shutil


def test_a_site_that_was_visited_needs_no_network(open_page, site, models):
    host = site("--model", models / "17x4", "--set-model", models / "set")
    page = open_page(at=host.address, keeps=True)
    page.press("?")
    page.until_hint()
    kept = """(async () => {
      const counts = [];
      for (const name of await caches.keys()) counts.push((await (await caches.open(name)).keys()).length);
      return String(counts.sort()) === "1,8";
    })()"""
    page.until(kept)
    page.until("navigator.serviceWorker.controller !== null")

    def model_requests():
        return [path for path in host.requests if "model.safetensors" in path]

    assert len(model_requests()) == 1, "the model was requested once"
    page.context.set_offline(True)
    page.reload()
    page.until_ready()
    page.press("?")
    page.until_hint()
    page.click("#open-settings")
    page.until("document.getElementById('app-note').textContent !== ''")
    note = page.text("#app-note")
    assert "works without a network, with 17x4." in note
    page.click("#close-settings")
    page.view("learn")
    page.select_option("#learner-network", "small")
    page.click("#learner-run")
    page.until("parseInt(document.getElementById('learner-games').textContent) >= 100")
    page.click("#learner-run")
    page.until_text("#learner-run", "Go on")
    page.context.set_offline(False)

    # The host has a newer version of the files, with the same model. The page offers it, and the visitor accepts it.
    version = note.split()[1].rstrip(".")
    for name in ("offline.js", "index.html"):
        path = host.folder / name
        path.write_text(path.read_text().replace(version, "0newer00"))
    page.reload()
    page.wait_for_selector("#toast:not([hidden])")
    assert "A newer version" in page.text("#toast")
    page.click("#open-settings")
    page.until_text("#app-note", version)
    page.click("#close-settings")
    with page.expect_navigation():
        page.click("#toast button >> nth=0")
    page.until_ready()
    page.click("#open-settings")
    page.until_text("#app-note", "0newer00")
    page.until(kept)
    assert "with 17x4." in page.text("#app-note") and len(model_requests()) == 1, "the model was not requested again"


def test_the_first_model_comes_first(open_page, site, models, tmp_path):
    """The first model gives hints while the other model is loaded, which then takes its place."""
    shutil.copytree(models / "17x4", tmp_path / "first")
    host = site("--model", models / "17x4", "--first-model", tmp_path / "first")
    page = open_page(at=host.address)
    held = []
    page.context.route("**/model.safetensors*", lambda route: held.append(route))
    page.check("#show-hints")
    page.until_hint()
    name = page.text("#model-name")
    assert "; first until then" in name and "MB in this page" in name
    assert page.is_visible("#loading") and not page.is_visible("#news-text"), "a bar says that more comes"
    page.set_board("1123000000000000")
    page.settle()

    def until_kept(coach):
        """Waits until the page has kept an analysis of a coach."""
        while not any(one["by"] == coach for one in page.table("analyses")):
            page.wait_for_timeout(20)

    until_kept("network model first")
    page.until_text("#model-name", "loading")
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.until("!document.getElementById('model-name').textContent.includes('until then')")
    page.settle()
    assert "MB in this page" in page.text("#model-name") and not page.is_visible("#loading"), "no more comes"
    until_kept("network model 17x4")  # The values are asked for again.
    order = [path.split("?")[0] for path in host.requests if "safetensors" in path]
    assert order == ["/first.safetensors", "/model.safetensors"]
