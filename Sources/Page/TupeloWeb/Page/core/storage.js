import { byId, orNull } from "./text.js";
import { Rules } from "./game.js";

// The facts about a page without a server; null where there is a server.
export const Site = JSON.parse(byId("site").textContent);

// The cache for the models of a site that works without a network. The worker of the site builds the same name.
export const modelStore = Site?.version && isSecureContext && navigator.serviceWorker
  ? `tupelo-models ${new URL(".", document.baseURI).href}` : null;

// Values that are kept from visit to visit. The page also works in a browser that keeps nothing, and says so.
export const Store = {
  NAMES: { game: "your game", set: "your game of Set", games: "your games", watched: "the game of Watch" },
  refused: new Set(), // keys whose newest values the browser does not keep
  onWrite() {},

  // What is not kept, for people; empty when all is.
  get problem() {
    const names = new Set([...this.refused].map((key) => this.NAMES[key] ?? "your choices and results"));
    return names.size === 0 ? ""
      : `This browser does not keep ${[...names].join(", ")}: its storage is full, or this window is private.`;
  },

  read: (key) => orNull(() => JSON.parse(localStorage.getItem(`tupelo.${key}`))),

  // Writes a value; whether the browser keeps it. A value that is undefined is removed.
  write(key, value) {
    const name = `tupelo.${key}`;
    const write = () => (value === undefined ? localStorage.removeItem(name)
      : localStorage.setItem(name, JSON.stringify(value)));
    return this.note(key, orNull(write) !== null);
  },

  // Notes whether the browser keeps something.
  note(key, isKept) {
    this.refused[isKept ? "delete" : "add"](key);
    this.onWrite();
    return isKept;
  },
};

// The database of the browser, with more room than its values of above: games and analyses. Each table has values by
// key. The page also works where there is none.
export const Database = (() => {
  const TABLES = ["games", "saved", "analyses"];
  const opened = new Promise((done) => {
    const request = indexedDB.open("tupelo", 1);
    request.onupgradeneeded = () => { for (const name of TABLES) request.result.createObjectStore(name); };
    request.onsuccess = () => done(request.result);
    request.onerror = request.onblocked = () => done(null);
  }).catch(() => null);
  const answer = (request) => new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });

  return {
    // The values of a table by keys, undefined for keys without one; or all of its values.
    async read(table, keys = null) {
      try {
        const store = (await opened).transaction(table).objectStore(table);
        return await (keys === null ? answer(store.getAll()) : Promise.all(keys.map((key) => answer(store.get(key)))));
      } catch {
        return (keys ?? []).map(() => undefined);
      }
    },

    // Writes pairs of key and value into tables, all or none; whether the browser keeps them. A value that is undefined
    // is removed.
    async write(tables) {
      try {
        const change = (await opened).transaction(Object.keys(tables), "readwrite");
        const end = new Promise((done, fail) => {
          change.oncomplete = done;
          change.onabort = () => fail(change.error);
        });
        for (const [table, pairs] of Object.entries(tables)) {
          const store = change.objectStore(table);
          for (const [key, value] of pairs) value === undefined ? store.delete(key) : store.put(value, key);
        }
        await end;
        return true;
      } catch {
        return false;
      }
    },
  };
})();

// The choices of a person on this page. All views read them.
export const Settings = (() => {
  const DEFAULTS = {
    four: 0.1, startTiles: 2, shape: "4x4", agent: null, plies: 2, coach: null, hints: false, judges: "mistakes",
    speed: 2, replaySpeed: 6, vibrates: true, arrows: false, endless: true, setAgent: null, setSpeed: 1,
    setValues: false, setLetters: false, axis: "games", smoothing: 1, scale: "linear", seeds: "single",
  };
  const values = { ...DEFAULTS, ...(Store.read("settings") ?? {}) };

  // Stored settings may be invalid.
  if (!(values.four >= 0 && values.four <= 1)) values.four = 0.1;
  if (![2, 3].includes(values.startTiles)) values.startTiles = 2;
  if (!Rules.SHAPES.includes(values.shape)) values.shape = "4x4";

  // Another tab's settings stay, but for those that are set here.
  function set(changes) {
    Object.assign(values, changes);
    Store.write("settings", { ...values, ...(Store.read("settings") ?? {}), ...changes });
  }

  // A control shows a setting and changes it. A value that another version has stored may not be among the choices.
  function bind(id, name, changed = () => {}) {
    const control = byId(id);
    const isSwitch = control.type === "checkbox";
    const value = () => (isSwitch ? control.checked
      : Number.isNaN(Number(control.value)) ? control.value : Number(control.value));
    control[isSwitch ? "checked" : "value"] = values[name];
    if (control.options?.length > 0 && control.selectedIndex < 0) {
      control.value = DEFAULTS[name];
      set({ [name]: value() });
    }
    control.addEventListener(control.type === "range" ? "input" : "change", () => {
      set({ [name]: value() });
      changed();
    });
  }

  return { values, set, bind };
})();
