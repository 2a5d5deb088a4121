import { EngineWorker, LoadedModel, Refused } from "../engine/worker.js";
import { byId, option } from "../core/text.js";
import { LastGame, Ledger } from "../core/ledger.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";

// Set by an engine in a worker of this page: its games, its agents, and its model. It needs no server.
export const SetLocal = (() => {
  let worker = null;

  const start = () => (worker ??= new EngineWorker());
  const model = new LoadedModel((place, options) => start().ask("loadSet", place, options), "set-model");
  const ask = (name, values, options) => start().ask("set", { name, values }, options);

  // The agents that play without a model.
  const AGENTS = [
    { name: "heuristic", title: "Hand-written heuristic", criterion: "value" },
    { name: "counting", title: "Card counting", criterion: "setsLeft" },
    { name: "most-left", title: "Keeps most Sets on the table", criterion: "tableSets" },
    { name: "random", title: "Random Sets", criterion: "none" },
  ];

  return Object.assign(model, {
    hasModel: false,
    // Gets the model of a server or a site, with its title and address, if there is one. Returns the agents.
    offer(given) {
      [this.hasModel, this.address] = [Boolean(given), given?.model];
      return given ? [{ name: "network", title: `Network ${given.title}`, criterion: "value" }, ...AGENTS] : AGENTS;
    },
    // Loads the model, if there is one, before the first question: it is small, and the network may be off later.
    open() { if (this.hasModel) this.begin(); },
    game: ({ seed, game, choices, player: name }) => ask("game", { seed, game, choices, player: name }),
    record: (text) => ask("record", { text }),
    claim: (cards) => ask("claim", { cards }),
    // All Sets on a table as an agent values them; `unseen` are the cards of the deck.
    async analyze(cards, unseen, agent) {
      if (agent === "network") await this.load();
      const seed = [...crypto.getRandomValues(new Uint32Array(2))];
      return ask("analyze", { cards, unseen, agent, seed });
    },
  });
})();

// A game of Set as the page keeps it: the seed of its deck, the choices made, and counts of time and mistakes. The
// engine computes the position. A round never changes: each choice makes a new round.
export class SetRound {
  constructor(values = {}) {
    Object.assign(this, {
      id: Math.random().toString(36).slice(2), seed: SetRound.randomSeed(), game: "0", choices: [], undone: [],
      players: [], undos: 0, hints: 0, wrong: 0, seconds: 0, fresh: true,
    }, values);
  }

  static randomSeed() {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return String((BigInt(high) << 32n) | BigInt(low));
  }

  get canUndo() { return this.choices.length > 0; }
  get canRedo() { return this.undone.length > 0; }
  get hasStarted() { return this.canUndo || this.canRedo; }
  get isPersons() { return this.players.every((player) => player === "person"); }

  // The players and the help that they had, for the record.
  get player() {
    const notes = [[this.undos, "undone"], [this.hints, this.hints === 1 ? "hint" : "hints"]]
      .flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
    return [...(this.players.length === 0 ? ["person"] : this.players), ...notes].join(", ").slice(0, 200);
  }

  making(choice, player) {
    const players = this.players.includes(player) ? this.players : [...this.players, player].sort();
    const isWatched = player !== "person"; // by its last choice
    return new SetRound({ ...this, choices: [...this.choices, choice], undone: [], players, isWatched });
  }

  // One choice back or on; null when there is none.
  undoing() {
    if (!this.canUndo) return null;
    const undone = [...this.undone, this.choices.at(-1)];
    return new SetRound({ ...this, choices: this.choices.slice(0, -1), undone, undos: this.undos + 1 });
  }

  redoing() {
    if (!this.canRedo) return null;
    const choices = [...this.choices, this.undone.at(-1)];
    return new SetRound({ ...this, choices, undone: this.undone.slice(0, -1) });
  }

  // A game with this one's cards, from the start.
  again() { return new SetRound({ seed: this.seed, game: this.game }); }

  // A game of its own that continues from here.
  copy() { return new SetRound({ ...this, id: new SetRound().id, fresh: false }); }

  // Whether this round is a saved one that was played on, or is equal to it.
  continues({ id, choices }) { return id === this.id && this.choices.join().startsWith((choices ?? []).join()); }

  // The facts that a list has of it, with what the engine says of it; null for a game without choices.
  about({ score, table, over } = {}) {
    if (!this.hasStarted) return null;
    const { fresh, isPersons, players, seconds, hints, choices } = this;
    const [isAgents, help] = [this.isWatched ?? !isPersons, hints > 0 ? "hints were shown" : null];
    return { rule: "set", score, left: table?.length, isOver: over === true, isAgents, players, seconds, help,
      choices: choices.length, counts: fresh && isPersons };
  }

  // Null when what was saved is not a game: it may be from another version, or damaged.
  static restore(saved) {
    const isChoices = (list) => Array.isArray(list) && list.length <= 50
      && list.every((choice) => /^(deal|[0-9a-z]{12})$/.test(choice));
    const isNumber = (text) => typeof text === "string" && /^\d{1,20}$/.test(text);
    if (!isNumber(saved?.seed) || !isNumber(saved.game) || !isChoices(saved.choices)) return null;
    const count = (value) => (Number.isFinite(value) && value >= 0 ? value : 0);
    const { id, seed, game, choices } = saved;
    return new SetRound({
      ...(typeof id === "string" ? { id } : {}), seed, game, choices,
      ...(typeof saved.isWatched === "boolean" ? { isWatched: saved.isWatched } : {}), fresh: saved.fresh !== false,
      undone: isChoices(saved.undone) ? saved.undone : [],
      players: Array.isArray(saved.players) ? saved.players.map(String) : [],
      undos: count(saved.undos), hints: count(saved.hints), wrong: count(saved.wrong), seconds: count(saved.seconds),
    });
  }
}

// The game of Set on the table, and what the engine says of it. The engine is asked after each choice; until it has
// answered, the table stays as it is and takes no other choice.
export const SetTable = (() => {
  const listeners = [];
  let round = null;
  let answer = null; // what the engine says of `round`
  let pending = null; // a round that the engine is asked about
  const asking = new Question("the table of Set"); // which stays when the view is left
  const last = new LastGame("set");
  let isDirty = false; // whether this tab has changed the game since
  let hasCounted = false; // whether only time, hints or mistakes have changed

  const showBusy = (isBusy) => byId("set-cards").setAttribute("aria-busy", String(isBusy));

  // Asks the engine about a round and makes it the game. The result is false if there was a newer request meanwhile. If
  // the engine refuses, its error is thrown and the game stays as it was.
  async function change(next, what) {
    pending = next;
    showBusy(true);
    const said = await asking.ask(() => SetLocal.game(next)).catch((error) => error);
    if (said === null) return false;
    pending = null;
    showBusy(false);
    if (said instanceof Error) throw said;
    if (what.kind === "new" && round !== null) Ledger.put("set", round, round.about(answer));
    [round, answer] = [next, said];
    if (what.kind !== "show") {
      isDirty = true;
      save(answer.over && ["take", "deal"].includes(what.kind));
    }
    for (const listener of listeners) listener(what);
    return true;
  }

  // `isFinish` when the last choice of a game has just been made.
  function save(isFinish = false) {
    const { others } = last;
    // Time that went by is not a reason to overwrite a game that another tab has played.
    if (round === null || !(isDirty || (hasCounted && others === null))) return;
    const other = SetRound.restore(others);
    if (other !== null && other.id === round.id && !round.continues(other)) round = round.copy();
    else if (other !== null && other.id !== round.id) Ledger.put("set", other, other.about());
    if (last.write(round)) isDirty = hasCounted = false;
    Ledger.put("set", round, round.about(answer), isFinish);
  }

  // The stored game, or a new one.
  async function open() {
    const restored = SetRound.restore(last.stored);
    try {
      if (restored !== null) return await change(restored, { kind: "show" });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    last.setAside();
    return change(new SetRound(), { kind: "new" });
  }

  const latest = () => pending ?? round;
  const step = (next, kind) => (next === null ? Promise.resolve(false) : change(next, { kind }));

  addEventListener("pagehide", () => save());
  document.addEventListener("visibilitychange", () => { if (document.hidden) save(); });

  return {
    open, save, showBusy,
    // Puts another game on the table. The one before is kept.
    replace: (next) => change(next, { kind: "new" }),
    get round() { return round; },
    get answer() { return answer; },
    get isAsking() { return pending !== null; },
    // A choice by `player`: three cards, or "deal". False while another one is asked about.
    make: (choice, player) => (answer === null || pending !== null ? Promise.resolve(false)
      : change(round.making(choice, player), { kind: choice === "deal" ? "deal" : "take", player })),
    undo: () => step(latest()?.undoing() ?? null, "undo"),
    redo: () => step(latest()?.redoing() ?? null, "redo"),
    // Counts an event of the game that is not a choice: a hint, a wrong claim, a second.
    count(name, by = 1) {
      if (round === null) return;
      round[name] += by;
      hasCounted = true;
    },
    // Continues the game as a new one; the earlier game keeps its identity.
    branch() { round = round.copy(); },
    onChange: (listener) => listeners.push(listener),
  };
})();

// The chosen agent’s values of a table, requested once for each table.
export const SetAdvice = {
  agents: [],
  known: new Map(), // answers by what was asked

  get current() { return this.agents.find(({ name }) => name === Settings.values.setAgent) ?? this.agents[0]; },
  get isReady() { return this.agents.length > 0; },
  get modelName() { return SetLocal.hasModel ? this.agents[0].title : "No model of Set loaded"; },

  load(agents) {
    this.agents = agents;
    const { name } = this.current;
    byId("set-agent").replaceChildren(...agents.map(option));
    if (name !== Settings.values.setAgent) Settings.set({ setAgent: name });
    byId("set-agent").value = name;
  },

  // A promise of what the agent says of what the engine says; null when there is nothing to choose.
  of({ table, unseen, stuck, over }) {
    if (stuck || over) return Promise.resolve(null);
    const cards = table.map(({ card }) => card);
    const { name } = this.current;
    // Agents without values choose at random: their choice is remembered, or a hint would change with each request.
    const key = `${cards.toSorted().join("")} ${unseen} ${name}`;
    if (!this.known.has(key)) {
      const answer = SetLocal.analyze(cards, unseen, name);
      this.known.set(key, answer);
      answer.catch(() => this.known.delete(key));
      if (this.known.size > 64) this.known.delete(this.known.keys().next().value);
    }
    return this.known.get(key);
  },
};
