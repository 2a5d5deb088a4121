// The page as an app, where it was written to be one: kept for use without a network, installed where the browser
// offers that, and replaced by a newer version when somebody says so.
const App = (() => {
  const workers = Site?.version && isSecureContext ? navigator.serviceWorker : undefined;
  let invitation = null; // the browser's, to install
  let isUpdating = false;

  // Whether models have loaded here, which the worker then keeps.
  async function show() {
    const note = byId("app-note");
    if (!workers) return;
    const isKept = (await workers.getRegistration())?.active;
    const kept = isKept ? await models() : [];
    note.textContent = `Version ${Site.version}. `
      + (!isKept ? "It is not stored in this browser yet."
        : `It is stored in this browser and works without a network, ${kept.length === 0
          ? "without hints until a model has loaded." : `with ${kept.join(" and ")}.`}`);
  }

  const offered = () => [Site.first, Site, Site.set].filter((one) => one?.model);

  // The titles of the models that are kept.
  async function models() {
    const found = await Promise.all(offered().map(({ model }) => caches.match(new URL(model, document.baseURI))));
    return offered().filter((_, index) => found[index]).map(({ title }) => title);
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
    addEventListener("load", () => begin().catch(() => {}));
  }
  // The store of models, which the worker knows by this name.
  return { show, get store() { return workers ? `tupelo-models ${new URL(".", document.baseURI).href}` : null; } };
})();
