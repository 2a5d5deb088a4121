import { byId, clicks } from "../core/text.js";
import { RuleNames } from "../core/game.js";
import { modelStore, Settings, Site, Store } from "../core/storage.js";
import { toast } from "../core/views.js";
import { Table } from "./table.js";

// Light or dark: as the system says, or as chosen in the settings.
(() => {
  const choice = byId("theme");
  const bars = [...document.querySelectorAll("meta[name=theme-color]")];
  const medias = bars.map((bar) => bar.media);

  function show(theme) {
    const isForced = theme === "light" || theme === "dark";
    choice.value = isForced ? theme : "";
    document.documentElement.dataset.theme = choice.value;
    // The bars of a phone's browser have the page's colour, too.
    bars.forEach((bar, index) => {
      bar.media = !isForced ? medias[index] : medias[index].includes(theme) ? "all" : "not all";
    });
  }

  choice.addEventListener("change", () => {
    Store.write("theme", choice.value);
    show(choice.value);
  });
  addEventListener("storage", ({ key }) => { if (key === "tupelo.theme") show(Store.read("theme")); });
  show(Store.read("theme"));
})();

// The page as an app, where it was written to be one: kept for use without a network, installed where the browser
// offers that, and replaced by a newer version when somebody says so.
const App = (() => {
  const workers = modelStore === null ? undefined : navigator.serviceWorker;
  let invitation = null; // the browser's, to install
  let isUpdating = false;

  // Shows the version, and whether the worker has stored the page and its models.
  async function show() {
    if (!workers) return;
    const isKept = (await workers.getRegistration())?.active;
    const kept = isKept ? await models() : [];
    byId("app-note").textContent = `Version ${Site.version}. `
      + (!isKept ? "It is not stored in this browser yet."
        : `It is stored in this browser and works without a network, ${kept.length === 0
          ? "without hints until a model has loaded." : `with ${kept.join(" and ")}.`}`);
  }

  // The titles of the models that are kept.
  async function models() {
    const all = [Site.first, Site, Site.set].filter((one) => one?.model);
    const found = await Promise.all(all.map(({ model }) => caches.match(new URL(model, document.baseURI))));
    return all.filter((_, index) => found[index]).map(({ title }) => title);
  }

  function offer(worker) {
    toast("A newer version of this page is here.", {
      label: "Update",
      run() {
        isUpdating = true;
        worker.postMessage("update");
      },
    });
  }

  async function begin() {
    const registration = await workers.register("offline.js");
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed" && workers.controller) offer(worker);
      });
    });
  }

  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    invitation = event;
    byId("install").hidden = false;
  });
  clicks({ install() {
    byId("install").hidden = true;
    invitation.prompt();
  } });
  addEventListener("appinstalled", () => workers?.controller?.postMessage("keep models"));

  if (workers) {
    workers.addEventListener("controllerchange", () => { if (isUpdating) location.reload(); });
    // A page that cannot be kept is played all the same, and Settings says so.
    begin().catch(() => {});
  }
  return { show };
})();

// The panel of settings: rules, coach, colours, and what the page has loaded. It stands beside the board, and over the
// page where that is too small for both.
(() => {
  const panel = byId("settings");
  const button = byId("open-settings");
  const isSmall = matchMedia("(max-width: 860px), (max-height: 520px)");

  function open() {
    if (panel.open) return panel.close();
    App.show();
    panel[isSmall.matches ? "showModal" : "show"]();
    button.setAttribute("aria-expanded", "true");
  }

  // Other rules are the next game's.
  function showRules() {
    const isOther = RuleNames.of(Settings.values) !== RuleNames.of(Table.game) && Table.game.hasStarted;
    byId("rules-next").hidden = !isOther;
  }

  Table.onChange(showRules);
  clicks({ "open-settings": open, "close-settings": () => panel.close(), "rules-restart": () => Table.restart() });
  panel.addEventListener("close", () => button.setAttribute("aria-expanded", "false"));
  // Beside the dialog's content there is only what is around it.
  panel.addEventListener("click", ({ target }) => { if (target === panel) panel.close(); });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && panel.open) panel.close(); });
  isSmall.addEventListener("change", () => panel.close());

  Settings.bind("vibrates", "vibrates");
  byId("vibrates").parentElement.hidden = navigator.vibrate === undefined;

  Settings.bind("arrows", "arrows");
  // A screen reader's way to them on a touch screen, whose swipes are the reader's.
  clicks({ "show-arrows": () => byId("arrows").click() });

  for (const [id, name] of [["odds", "four"], ["start-tiles", "startTiles"], ["shape", "shape"]]) {
    Settings.bind(id, name, () => (Table.game.hasStarted ? showRules() : Table.restart()));
  }
})();
