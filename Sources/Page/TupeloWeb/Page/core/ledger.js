import { byId, element, grouped } from "./text.js";
import { RuleNames, Rules } from "./game.js";
import { Database, Store } from "./storage.js";

// The game on a table, for the next visit, under a key. Each tab plays its own game, and the next visit continues the
// one that was written last.
export class LastGame {
  #stamp; // of the stored game as this tab last read or wrote it

  constructor(key) {
    this.key = key;
    this.#stamp = Store.read(`${key}-stamp`);
  }

  get stored() { return Store.read(this.key); }

  // The game that another tab has written since; null for none.
  get others() { return Store.read(`${this.key}-stamp`) === this.#stamp ? null : this.stored; }

  // A stored game that cannot be read, of a newer version perhaps, is not written over.
  setAside() { if (this.stored !== null) Store.write(`${this.key}-unread`, this.stored); }

  // Writes a game; whether the browser keeps it.
  write(saved) {
    this.#stamp = `${Date.now()} ${Math.random()}`;
    return Store.write(this.key, saved) && Store.write(`${this.key}-stamp`, this.#stamp);
  }
}

// All games of a person, by id, and the games of agents that a person has kept: an entry of facts for each, and the
// game itself as it was saved. An entry is written while its game is played; its `result` is written by the move that
// finishes the game, once. Best scores, statistics and results of the day follow from the entries.
export const Ledger = (() => {
  const entries = new Map();
  const unwritten = new Map(); // saved games, by id, until the browser has them
  const listeners = [];
  const MOST = 20; // games of agents

  // The entries of a kind, newest first.
  const list = (kind) => [...entries.values()].filter((one) => one.kind === kind).sort((a, b) => b.when - a.when);
  const most = (numbers) => Math.max(0, ...numbers);

  function changed() { for (const listener of listeners) listener(); }

  // Best is the largest score at which a game counted. It stays, like the result, when moves are undone.
  function entryOf(kind, saved, about, isFinish = false) {
    const before = entries.get(saved.id);
    const best = Math.max(before?.best ?? 0, about.counts ? about.score : 0);
    const { score, largest, seconds, help, counts, isAgents } = about;
    const result = before?.result ?? (isFinish ? { score, largest, seconds, help, counts, isAgents } : undefined);
    return { when: Date.now(), verdicts: before?.verdicts, ...about, id: saved.id, kind, best, result };
  }

  // Writes a saved game with the facts `about` it; `isFinish` when its last move has just been made.
  async function put(kind, saved, about, isFinish) {
    if (!about) return;
    const entry = entryOf(kind, saved, about, isFinish);
    await keep(entry, saved);
    if (!entry.isAgents) return;
    for (const { id } of list(kind).filter(({ isAgents }) => isAgents).slice(MOST)) await remove(id);
  }

  // Writes an entry, and its game if it is given or not written yet.
  async function keep(entry, game) {
    const { id } = entry;
    entries.set(id, entry);
    if (game !== undefined) unwritten.set(id, game);
    changed();
    const saved = unwritten.get(id);
    const pairs = { games: [[id, entry]], ...(saved && { saved: [[id, saved]] }) };
    if (!Store.note("games", await Database.write(pairs))) return;
    if (unwritten.get(id) === saved) unwritten.delete(id);
    Store.write("ledger", Math.random()); // other tabs read again
  }

  async function remove(id) {
    entries.delete(id);
    unwritten.delete(id);
    changed();
    Store.note("games", await Database.write({ games: [[id, undefined]], saved: [[id, undefined]] }));
    Store.write("ledger", Math.random());
  }

  async function load() {
    for (const one of await Database.read("games")) {
      if (typeof one?.id === "string" && !unwritten.has(one.id)) entries.set(one.id, one);
    }
    changed();
  }

  addEventListener("storage", ({ key }) => { if (key === "tupelo.ledger") load(); });

  // The numbers of finished games that count, by rule.
  function statistics(kind) {
    const rules = {};
    for (const { rule, best = 0, result } of list(kind)) {
      const sum = (rules[rule] ??= { games: 0, total: 0, best: 0, largest: 0, fastest: Infinity });
      sum.best = Math.max(sum.best, best);
      if (!result?.counts) continue;
      sum.games += 1;
      sum.total += result.score;
      sum.largest = Math.max(sum.largest, result.largest ?? 0);
      if (result.seconds > 0) sum.fastest = Math.min(sum.fastest, result.seconds);
    }
    return rules;
  }

  return {
    put, statistics,
    open: load, // before it, there are no entries
    onChange: (listener) => listeners.push(listener),
    list,
    entry: (id) => entries.get(id),
    // The games of a day by persons, the first one that was finished first. An agent may have ended a copy of one.
    day: (seed) => [...entries.values()]
      .filter(({ day, isAgents, result }) => day === seed && !isAgents && !result?.isAgents)
      .sort((a, b) => Number(!a.result) - Number(!b.result) || a.when - b.when),
    // A promise of a game as it was saved; undefined when it is not there.
    saved: async (id) => unwritten.get(id) ?? (await Database.read("saved", [id]))[0],
    // The best score by the rules of a game, and the largest tile of other games that count.
    best: (rule) => most([...entries.values()].map((one) => (one.rule === rule ? one.best ?? 0 : 0))),
    largest: (rule, id) => most([...entries.values()].filter((one) => one.rule === rule && one.id !== id)
      .flatMap(({ counts, largest, result }) => [counts ? largest : 0, result?.counts ? result.largest : 0])),
    // Adds what was found out about a game since.
    async note(id, facts) { if (entries.has(id)) await keep({ ...entries.get(id), ...facts }); },
    remove,
    putBack: keep,
  };
})();

// The statistics of Play: finished games of a person that count for Best, by their rules.
Ledger.onChange(() => {
  const all = Object.entries(Ledger.statistics("2048")).filter(([, { games }]) => games > 0);
  byId("statistics").hidden = all.length === 0;
  byId("statistics-note").hidden = all.length > 0;
  byId("statistics").querySelector("tbody").replaceChildren(...all.map(([rule, { games, total, best, largest }]) => {
    const cells = [games, total / games, best, Rules.tile(largest)];
    return element("tr", {}, element("th", { scope: "row" }, RuleNames.text(rule)),
      ...cells.map((cell) => element("td", {}, grouped(cell))));
  }));
});
