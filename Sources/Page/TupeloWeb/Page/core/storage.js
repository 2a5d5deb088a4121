import { byId, element, grouped, orNull, percent } from "./text.js";
import { Game, Rules } from "./game.js";

// The facts about a page without a server; null where there is a server.
export const Site = JSON.parse(byId("site").textContent);

// The cache for the models of a site that works without a network. The worker of the site builds the same name.
export const modelStore = Site?.version && isSecureContext && navigator.serviceWorker
  ? `tupelo-models ${new URL(".", document.baseURI).href}` : null;

// Values that are kept from visit to visit. The page also works in a browser that keeps nothing, and says so.
export const Store = {
  NAMES: { game: "your game", set: "your game of Set", past: "your earlier games", "past-agents": "games of agents" },
  refused: new Set(), // keys whose newest values the browser does not keep
  onWrite() {},

  // What is not kept, for people; empty when all is.
  get problem() {
    const names = new Set([...this.refused].map((key) => this.NAMES[key] ?? "your choices and results"));
    return names.size === 0 ? ""
      : `This browser does not keep ${[...names].join(", ")}: its storage is full, or this window is private.`;
  },

  read: (key) => orNull(() => JSON.parse(localStorage.getItem(`tupelo.${key}`))),

  // Writes a value; whether the browser keeps it. In a full browser `makeRoom` gives up something else, while it can.
  write(key, value, makeRoom = () => Games.makeRoom(false)) {
    const text = JSON.stringify(value);
    do {
      this.refused.delete(key);
      if (orNull(() => localStorage.setItem(`tupelo.${key}`, text)) === null) this.refused.add(key);
    } while (this.refused.has(key) && makeRoom());
    this.onWrite();
    return !this.refused.has(key);
  },
};

// The choices of a person on this page. All views read them.
export const Settings = (() => {
  const DEFAULTS = {
    four: 0.1, startTiles: 2, shape: "4x4", agent: null, plies: 2, coach: null, hints: false, judges: true,
    speed: 2, unit: "percent", replaySpeed: 6, setAgent: null, setSpeed: 1, setValues: false, setLetters: false,
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

// The games of one kind that the browser keeps. Each tab plays its own game, and the next visit continues the one that
// was changed last. Earlier games are listed, newest first, so that none is lost: finished ones, those that gave way to
// another, and those of other tabs. Agents' games have a place of their own, so that no agent takes a person's place.
export class GameStore {
  static PLACES = ["past", "past-agents"];
  static MOST = 20; // games in each place

  // A kind of game has the `key` of the game on the table, and a `prefix` of all other keys. Its functions: whether
  // something stored `isGame`, the `moves` of a saved game as a text that grows, and what a list says `about` a game,
  // which is null for a game without moves. A saved game may say whether it `isWatched`: an agent's, by its last moves.
  constructor(kind) {
    Object.assign(this, kind);
    this.stamp = Store.read(`${this.prefix}stamp`); // of the stored game as this tab last read or wrote it
  }

  get stored() { return Store.read(this.key); }

  // Whether no other tab has written a game since.
  get isAlone() { return Store.read(`${this.prefix}stamp`) === this.stamp; }

  // Whether a game is a saved one that was played on, or is equal to it.
  continues(game, saved) { return game?.id === saved.id && this.moves(game).startsWith(this.moves(saved)); }

  // A stored game that cannot be read, of a newer version perhaps, is not written over.
  setAside() { if (this.stored !== null) Store.write(`${this.prefix}unread`, this.stored); }

  // Writes the game on the table; whether the browser keeps it. The game that another tab has written is not lost.
  write(saved) {
    const other = this.stored;
    if (!this.isAlone && this.isGame(other) && !this.continues(saved, other)) this.keep({ isWatched: false, ...other });
    this.stamp = `${Date.now()} ${Math.random()}`;
    const write = (key, value) => Store.write(key, value, () => Games.makeRoom(true));
    return write(this.key, saved) && write(`${this.prefix}stamp`, this.stamp);
  }

  // The earlier games, newest first. There was no room for the moves of those that are `isGone`.
  get past() {
    const stored = GameStore.PLACES.map((place) => Store.read(this.prefix + place));
    return stored.filter(Array.isArray).flat().filter((one) => one?.isGone === true || this.isGame(one))
      .sort((a, b) => b.when - a.when);
  }

  // Keeps a game that leaves the table, with what else is known of it. It takes the place of its earlier states.
  keep(saved, known = null) {
    const about = this.about(saved, known);
    const { past } = this;
    if (about === null || past.some((one) => !this.continues(saved, one) && this.continues(one, saved))) return;
    const entry = { ...saved, when: Date.now(), ...about };
    const games = [entry, ...past.filter((one) => !this.continues(saved, one))];
    while (!this.#put(games)) if (!this.#giveUp(games, placeOf(entry) === "past")) return;
  }

  // Gives up the moves of one game: an agent's or, for the game on the table, a person's. False if that makes no room.
  makeRoom(isPersons) {
    const { past } = this;
    return this.#giveUp(past, isPersons) && this.#put(past);
  }

  // Takes the moves from an agent's oldest game or, if there is none, from a person's; false when none has moves.
  #giveUp(games, isPersons) {
    const oldest = (name) => games.findLastIndex((one) => !one.isGone && placeOf(one) === name);
    const index = oldest("past-agents") >= 0 || !isPersons ? oldest("past-agents") : oldest("past");
    if (index >= 0) games[index] = withoutMoves(games[index]);
    return index >= 0;
  }

  // Writes the earlier games; whether the browser keeps them. A place that shrinks may make room for the other.
  #put(games) {
    const put = (place) => Store.write(
      this.prefix + place, games.filter((one) => placeOf(one) === place).slice(0, GameStore.MOST), () => false);
    return (put("past") && put("past-agents")) || (put("past-agents") && put("past"));
  }
}

export const hasAgent = ({ players }) => [players ?? []].flat().some((player) => player !== "person");
const placeOf = (game) => ((game.isWatched ?? hasAgent(game)) ? "past-agents" : "past");
const withoutMoves = ({ record, judged, redo, times, choices, undone, ...known }) => ({ ...known, isGone: true });

// Games of 2048, as `Game.save` gives them.
export const Games = new GameStore({
  key: "game", prefix: "",
  isGame: (saved) => typeof saved?.record === "string",
  // The record without its header, which changes when another player joins.
  moves: ({ record = "" }) => record.slice(record.indexOf("\n") + 1).trimEnd(),
  about(saved) {
    const game = Game.restore(saved);
    if (!game?.canUndo) return null;
    const { score, isOver, steps, board } = game;
    return { score, isOver, moves: steps.length, largest: Rules.largest(board) };
  },
});

// The best score under each rule. Other tabs of the page have theirs: the higher one stays.
export const Bests = (() => {
  const USUAL = "0.1";
  const ODDS = { 0.1: "mostly 2", 0.5: "2 or 4", 0: "2 only" };
  const bests = {};

  function merge() {
    for (const [rule, score] of Object.entries(Store.read("best") ?? {})) {
      if (Number.isFinite(score)) bests[rule] = Math.max(bests[rule] ?? 0, score);
    }
  }

  const rule = ({ four, startTiles, shape }) =>
    four + (startTiles === 2 ? "" : ` ${startTiles}`) + (shape === "4x4" ? "" : ` ${shape}`);
  const by = (name) => bests[name] ?? 0;

  // A rule for people, such as "Usual rules" or "2 only, 3 tiles at the start".
  function nameOf(name) {
    if (name === USUAL) return "Usual rules";
    const [four, ...others] = name.split(" ");
    const words = others.map((one) => `, ${one} ${one.includes("x") ? "board" : "tiles at the start"}`);
    return (ODDS[four] ?? `4 in ${percent(four)}`) + words.join("");
  }

  merge();
  addEventListener("storage", ({ key }) => { if (key === "tupelo.best") merge(); });

  return {
    USUAL, rule, by, nameOf,
    of: (game) => by(rule(game)),
    add(game) { bests[rule(game)] = Math.max(bests[rule(game)] ?? 0, game.score); },
    save() {
      merge();
      Store.write("best", bests);
    },
  };
})();

// Results of a person's finished games that count for Best, by their rules. The browser keeps them.
export const Statistics = (() => {
  const REMEMBERED = 50; // games that are over: none counts twice
  const number = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

  function read() {
    const stored = Store.read("statistics");
    const rules = {};
    for (const [rule, one] of Object.entries(stored?.rules ?? {})) {
      const [games, total, largest] = [one?.games, one?.total, one?.largest].map(number);
      rules[rule] = { games, total, largest: Math.min(largest, Rules.LARGEST) };
    }
    return { rules, ids: Array.isArray(stored?.ids) ? stored.ids : [] };
  }

  function write(game, change) {
    const stored = read();
    const rule = Bests.rule(game);
    const before = stored.rules[rule] ?? { games: 0, total: 0, largest: 0 };
    stored.rules[rule] = { ...before, ...change(before, stored) };
    Store.write("statistics", stored);
    show();
  }

  // Notes the largest tile of a game; whether no game by these rules had such a tile before.
  function reach(game) {
    const tile = Rules.largest(game.board);
    if (game.exemption !== null || tile <= (read().rules[Bests.rule(game)]?.largest ?? 0)) return false;
    write(game, () => ({ largest: tile }));
    return true;
  }

  function add(game) {
    if (read().ids.includes(game.id)) return;
    write(game, ({ games, total }, stored) => {
      stored.ids = [game.id, ...stored.ids].slice(0, REMEMBERED);
      return { games: games + 1, total: total + game.score };
    });
  }

  function show() {
    const all = Object.entries(read().rules).filter(([, { games }]) => games > 0);
    byId("statistics").hidden = all.length === 0;
    byId("statistics-note").hidden = all.length > 0;
    byId("statistics").querySelector("tbody").replaceChildren(...all.map(([rule, { games, total, largest: tile }]) => {
      const cells = [games, total / games, Bests.by(rule), Rules.tile(tile)];
      return element("tr", {}, element("th", { scope: "row" }, Bests.nameOf(rule)),
        ...cells.map((cell) => element("td", {}, grouped(cell))));
    }));
  }

  addEventListener("storage", ({ key }) => { if (key === "tupelo.statistics") show(); });
  show();
  return { reach, add };
})();
