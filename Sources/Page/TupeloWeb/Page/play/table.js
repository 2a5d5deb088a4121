import { byId, grouped, texts, uncapital } from "../core/text.js";
import { Game, Rules } from "../core/game.js";
import { Bests, Games, Settings, Statistics, Store } from "../core/storage.js";
import { BoardView, calm, toast, Voice } from "../core/views.js";
import { Moment, Notice, sayMove, showEnd, showGain } from "./notices.js";

// The person's game, which Play and Replay share, its board on the screen, and its scores. Watch puts a game of its own
// on the table while it is shown.
export const Table = (() => {
  const view = new BoardView(byId("board"));
  const listeners = [];
  const cells = [...byId("board-table").querySelectorAll("td")];
  const restored = Game.restore(Games.stored);
  let own = restored ?? new Game(Settings.values);
  let game = own; // on the table
  let isLent = false; // to a view that shows other games on the board
  let isDirty = restored === null; // whether the person's game has changed since it was stored
  let saving = null;

  if (restored === null) Games.setAside();

  // Writing at every move of fast play would be too much: four times a second is enough, and when the page goes.
  function save() {
    isDirty = true;
    saving ??= setTimeout(saveNow, 250);
  }

  function saveNow() {
    clearTimeout(saving);
    saving = null;
    if (!isDirty) return;
    if (Games.write(own.save())) isDirty = false;
    Bests.save();
  }

  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", () => { if (document.hidden) saveNow(); });
  // Another tab may have a better score.
  addEventListener("storage", ({ key }) => { if (key === "tupelo.best" && !isLent) showScores(); });

  // Motion that fits between moves `interval` milliseconds apart; none when so asked, or when it would not be seen.
  function duration(interval) {
    const wanted = Math.min(110, interval * 0.6);
    view.setDuration(calm.matches || wanted < 30 ? 0 : wanted);
  }

  // For a board without a game, score and moves are null.
  function showNumbers(board, score, moves) {
    const number = (value) => (value === null ? "–" : grouped(value));
    texts({ score: number(score), moves: number(moves), best: grouped(Bests.of(game)) });
    const name = (exponent) => String(Rules.tile(exponent) || "empty");
    const rows = Rules.rows(board).map((row, index) => `Row ${index + 1}: ${row.map(name).join(", ")}.`);
    byId("board-text").textContent = rows.join(" ");
    cells.forEach((cell, at) => { if (cell.textContent !== name(board[at])) cell.textContent = name(board[at]); });
    byId("board").dataset.board = Rules.hex(board);
  }

  function showScores() {
    showNumbers(game.board, game.score, game.steps.length);
    const [rule, reason] = [Bests.rule(game), game.hasStarted && game === own ? game.exemption : null];
    byId("best-note").textContent = game === own && game.seed === Game.today ? "Today’s game does not count for Best."
      : reason !== null ? `Not for Best: ${reason}.` : game === own && game.canRedo ? "Only Redo still counts for Best."
        : rule === Bests.USUAL ? "" : `Best: ${uncapital(Bests.nameOf(rule))}`;
  }

  function changed(what) {
    if (game === own && game.exemption === null) {
      Bests.add(game);
      if (game.isOver && game.hasStarted) Statistics.add(game);
    }
    const isResult = game === own && game.isOver && game.isPersons && game.seed === Game.today;
    if (isResult) Store.write("today", { [game.seed]: Math.max(game.score, Store.read("today")?.[game.seed] ?? 0) });
    if (!isLent) {
      showScores();
      notice();
    }
    if (what.kind !== "show" && game === own) save();
    for (const listener of listeners) listener(what);
  }

  const notice = () => showEnd(game, { restart, undo, keepGoing });

  function keepGoing() {
    game.celebrated = true;
    save();
    notice();
  }

  // Plays a move; false when it is illegal or a notice waits for a choice.
  function play(move, player = "person") {
    if (game.isOver || (Notice.isShown && player === "person")) return false;
    if (Notice.isShown) game.celebrated = true;
    const isHinted = player === "person" && "hint" in byId("board").dataset;
    const trace = game.play(move, player);
    if (!trace) {
      view.finish();
      view.refuse(move);
      if (player === "person") Voice.say(`${Rules.MOVES[move]} changes nothing.`);
      return false;
    }
    if (isHinted) game.hints += 1;
    view.move(trace);
    changed({ kind: "move", trace, player });
    if (player === "person") {
      showGain(trace.reward);
      Moment.note(trace.before, game);
    }
    sayMove(game, trace, player);
    return true;
  }

  // Plays what an agent has chosen, with the tiles that appeared, and draws it once.
  function playAll(steps, player) {
    let trace = null;
    if (Notice.isShown) game.celebrated = true;
    for (const [move, cell, exponent] of steps) trace = game.play(move, player, { cell, exponent });
    if (trace === null) return;
    if (steps.length === 1) view.move(trace);
    else view.show(game.board);
    changed({ kind: "move", trace, player });
    sayMove(game, trace, player);
  }

  function undo() {
    if (!game.undo()) return;
    view.show(game.board);
    changed({ kind: "undo" });
    Voice.say(`Undone. Score ${game.score}.`);
  }

  function redo() {
    const trace = game.redo();
    if (!trace) return;
    view.move(trace);
    changed({ kind: "redo" });
  }

  // Puts another game on the table. The one before is kept, and can be brought back.
  function replace(next, text) {
    const before = game;
    Games.keep({ ...before.save(), isWatched: before !== own || !before.players.has("person") });
    Moment.hide();
    if (game === own) own = next;
    game = next;
    duration(1000);
    view.show(game.board);
    Voice.say(text);
    changed({ kind: "new" });
    if (game === own && before.hasStarted && !before.isOver) {
      toast(text, { label: "Back to the last one", run: () => replace(before, "The game before.") });
    }
  }

  const restart = () => replace(new Game({ ...Settings.values, ...(game !== own && { shape: "4x4" }) }), "New game.");

  function show(kind = "show") {
    if (!isLent) view.show(game.board);
    changed({ kind });
  }

  return {
    view, play, playAll, undo, redo, restart, replace, duration, showNumbers, save,
    get game() { return game; },
    get own() { return own; },
    // Puts a game of a view on the table; null takes it away, and the person's game is there again.
    watch(other) {
      game = other ?? own;
      show();
    },
    onChange: (listener) => listeners.push(listener),
    // Lends the board to a view that shows other games on it, and takes it back.
    lend() {
      isLent = true;
      Notice.show(null);
      Moment.hide();
      byId("best-note").textContent = "";
    },
    takeBack() {
      isLent = false;
      show();
    },
    show,
  };
})();
