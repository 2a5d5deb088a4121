import { byId, uncapital } from "../core/text.js";
import { Game, isHuman, RuleNames, Rules } from "../core/game.js";
import { LastGame, Ledger } from "../core/ledger.js";
import { Settings } from "../core/storage.js";
import { toast, Voice } from "../core/views.js";
import { Notice, sayMove, showEnd, showGain } from "./notices.js";
import { Screen } from "./screen.js";

// A game that a view shows on its board: moves are played, drawn, said and kept. Play has one with the person's game,
// Watch one with the agent's. The browser has the game under `key`, for the next visit.
export class Playing {
  #listeners = [];
  #isDirty = false; // whether this tab has changed the game since it was stored
  #saving = null;
  screen = Screen.none;

  constructor(key, isPersons) {
    [this.last, this.isPersons] = [new LastGame(key), isPersons];
    const restored = Game.restore(this.last.stored);
    if (restored === null) this.last.setAside();
    this.game = restored ?? this.fresh();
    addEventListener("pagehide", () => this.save());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.save(); });
  }

  fresh() { return new Game(Settings.values); }

  onChange(listener) { this.#listeners.push(listener); }

  changed(what) {
    this.numbers();
    this.notice();
    if (what.kind !== "show") this.touch(what.kind === "move" && this.game.isOver);
    for (const listener of this.#listeners) listener(what);
  }

  // Notes that the game is to be written. At every move of fast play that would be too much: four times a second is
  // enough, and when the page goes. The move that finishes a game is written at once.
  touch(isFinish = false) {
    this.#isDirty = true;
    if (isFinish) this.save(true);
    else this.#saving ??= setTimeout(() => this.save(), 250);
  }

  numbers() {
    const { game } = this;
    this.screen.numbers(game.board, game.score, game.steps.length, game);
  }

  notice() {
    this.screen.notice(showEnd(this.game, {
      restart: () => this.restart(), undo: () => this.undo(),
      keepGoing: () => {
        this.game.celebrated = true;
        this.changed({ kind: "note" });
      },
    }));
  }

  // Writes the game, for the next visit and into the list of games. A game that another tab plays on with is its own:
  // this tab's becomes another one. The game that another tab has written is in the list.
  save(isFinish = false) {
    clearTimeout(this.#saving);
    this.#saving = null;
    if (!this.#isDirty) return;
    const { others } = this.last;
    if (others !== null && others.id !== this.game.id) this.list(others, Game.restore(others)?.about);
    else if (others !== null && !isContinued(others, this.game.text)) this.game.rename();
    const saved = this.game.save();
    if (this.last.write(saved)) this.#isDirty = false;
    this.list(saved, this.game.about, isFinish);
  }

  // Writes a game into the list. It is an agent's while no person has moved in it.
  list(saved, about, isFinish = false) {
    const isAgents = !this.isPersons || (saved.players?.length > 0 && !saved.players.some(isHuman));
    Ledger.put("2048", saved, about && { ...about, isAgents }, isFinish);
  }

  // Plays a move; false when it is illegal or a notice waits for a choice.
  play(move, player = "person") {
    const { game, screen } = this;
    if (game.isOver || (Notice.isShown && player === "person")) return false;
    if (Notice.isShown) game.celebrated = true;
    const isHinted = player === "person" && "hint" in byId("board").dataset;
    const trace = game.play(move, player);
    if (!trace) {
      screen.finish();
      screen.refuse(move);
      if (player === "person") Voice.say(`${Rules.MOVES[move]} changes nothing.`);
      return false;
    }
    if (isHinted) game.hints += 1;
    screen.move(trace);
    this.changed({ kind: "move", trace, player });
    if (player === "person" && screen.isOn) {
      showGain(trace.reward);
      screen.moment(trace.before, game);
    }
    sayMove(game, trace, player);
    return true;
  }

  // Plays what an agent has chosen, with the tiles that appeared, and draws it once.
  playAll(steps, player) {
    const { game } = this;
    let trace = null;
    if (Notice.isShown) game.celebrated = true;
    for (const [move, cell, exponent] of steps) trace = game.play(move, player, { cell, exponent });
    if (trace === null) return;
    if (steps.length === 1) this.screen.move(trace);
    else this.screen.show(game.board);
    this.changed({ kind: "move", trace, player });
    sayMove(game, trace, player);
  }

  undo() {
    if (!this.game.undo()) return;
    this.screen.show(this.game.board);
    this.changed({ kind: "undo" });
    Voice.say(`Undone. Score ${this.game.score}.`);
  }

  redo() {
    const trace = this.game.redo();
    if (!trace) return;
    this.screen.move(trace);
    this.changed({ kind: "redo" });
  }

  // Puts another game in the place of this one, which is kept.
  replace(next, text) {
    if (this.#isDirty) this.save();
    else if (Ledger.entry(this.game.id) === undefined) this.list(this.game.save(), this.game.about);
    this.game = next;
    this.screen.duration(1000);
    this.screen.show(next.board);
    if (this.screen.isOn) Voice.say(text);
    this.changed({ kind: "new" });
  }

  restart() { this.replace(this.fresh(), "New game."); }

  enter(screen) {
    this.screen = screen;
    screen.show(this.game.board);
    this.changed({ kind: "show" });
  }
}

// Whether a game's record continues a saved one, or is equal to it. The header changes when another player joins.
const isContinued = ({ record }, text) => {
  const moves = (all) => all.slice(all.indexOf("\n") + 1).trimEnd();
  return typeof record === "string" && moves(text).startsWith(moves(record));
};

// The person's game. Play has it on its board; all views can look at it.
export const Table = new (class extends Playing {
  numbers() {
    super.numbers();
    const { game } = this;
    const rule = RuleNames.of(game);
    const reason = game.hasStarted ? game.exemption : null;
    this.screen.note(game.isDaily ? "Today’s game does not count for Best."
      : reason !== null ? `Not for Best: ${reason}.` : game.canRedo ? "Redo the move, or this game will not count."
        : rule === RuleNames.USUAL ? "" : `Best: ${uncapital(RuleNames.text(rule))}`);
  }

  // The game before can be brought back.
  replace(next, text) {
    const before = this.game;
    super.replace(next, text);
    if (!before.hasStarted || before.isOver || before === next) return;
    toast(text, { label: "Back to the last one", run: () => this.replace(before, "The game before.") });
  }
})("game", true);
Ledger.onChange(() => Table.numbers());
