import { Analyst } from "../engine/answers.js";
import { attempt, byId, capital, clicks, clock, element, grouped, isShown, obey, remark } from "../core/text.js";
import { bestMove, Game, isAsGood, Rules, typedBoard, Verdicts } from "../core/game.js";
import { Settings, Store } from "../core/storage.js";
import { lost, orToast, toast, ValuesView } from "../core/views.js";
import { Table } from "./table.js";
import { Agents } from "./agents.js";

// The view in which a person plays: the coach, the board set by hand.
export const Play = (() => {
  const values = new ValuesView(byId("play-values"), [...document.querySelectorAll("[data-move]")]);
  const analyst = new Analyst();
  let retry = null; // asks again when the server did not answer
  let isPlayed = false; // whether the person has played since the page came: before, a judge is not asked

  function refresh() {
    const { game } = Table;
    byId("undo").disabled = !game.canUndo;
    byId("redo").disabled = !game.canRedo;
    byId("times").textContent = game.times.length === 0 ? "" : `Times of this game: ${game.times.map(
      ([exponent, time]) => `${grouped(Rules.tile(exponent))} in ${clock(time / 1000)}`).join(", ")}.`;
    const score = Store.read("today")?.[Game.today];
    byId("today-note").textContent = score === undefined ? "" : `Today’s game: ${grouped(score)} points.`;
    byId("demo").hidden = game.hasStarted || !Agents.hasValues || Rules.isSmall(game.board);
    if (!isShown("play")) return;
    clearTimeout(retry);
    // Values of another board are not advice for this one.
    Table.view.hint(null);
    byId("play-values").hidden = byId("values-note").hidden = !Settings.values.hints;
    // Without a move by the player, or without a coach, the page sends no requests and loads no model.
    const isWanted = Settings.values.hints || (Settings.values.judges && isPlayed);
    if (Agents.hasValues && isWanted) return advise(game.board);
    values.clear();
    if (Agents.hasValues) remark("coach-note", "");
  }

  // The coach knows the board before the person moves, so that the move can be judged at once.
  async function advise(board) {
    values.wait();
    const isNews = () => board === Table.game.board && isShown("play");
    const analysis = await analyst.of(board, Agents.coachQuestion(Table.game)).catch((error) => error);
    if (!isNews()) return;
    if (analysis instanceof Error) {
      const { isFinal, message } = analysis;
      values.clear();
      if (!isFinal) retry = setTimeout(refresh, 2000);
      return remark("coach-note", isFinal ? message : `${message} The coach asks again.`, true);
    }
    remark("coach-note", Rules.isSmall(board) ? "A heuristic judges small boards: its values are not points." : "");
    if (!Settings.values.hints) return values.clear();
    const best = bestMove(analysis);
    values.show(analysis, board);
    Table.view.hint(best);
    byId("live-coach").textContent = best === null ? "" : `Best move now: ${Rules.MOVES[best]}.`;
  }

  // The verdict belongs to the move: it is undone and redone, kept and brought back with it.
  async function judge({ before, step }) {
    if (!Agents.hasValues || !Settings.values.judges) return;
    const { game } = Table;
    const analysis = await analyst.of(before, Agents.coachQuestion(Table.game)).catch(() => null);
    if (analysis === null) return; // advise() says what is wrong
    const candidate = analysis.moves[step.move];
    const scale = Verdicts.scale(analysis.moves[bestMove(analysis)].value, before);
    const loss = isAsGood(candidate) ? 0 : Math.round(-candidate.difference * 100) / 100; // as it is stored: short
    step.judged = { loss, best: analysis.best, scale: Math.round(scale) };
    if (Table.game !== game) return;
    Table.save();
    showTally();
    if (game.steps.at(-1) === step) showVerdict(step);
  }

  const verdict = ({ loss, scale }) => Verdicts.of(loss, scale);

  function showVerdict({ move, judged }) {
    const { name } = verdict(judged);
    const { loss, best, scale } = judged;
    const better = ["best", "good"].includes(name) ? "" : ` ${capital(best)} was better (${lost(loss, scale)}).`;
    byId("verdict").replaceChildren(
      element("strong", { class: name }, name === "best" ? "You found the best move" : capital(name)),
      `: ${capital(Rules.MOVES[move])}.${better}`);
  }

  // Counts the moves that the coach has judged.
  function showTally() {
    const steps = Settings.values.judges ? Table.game.steps : [];
    const all = steps.flatMap(({ judged }) => (judged ? [judged] : []));
    const others = Verdicts.count(all.map(verdict));
    const matched = all.filter(({ loss }) => loss === 0).length;
    const { hasStarted, shape } = Table.game;
    if (!hasStarted && shape === "4x4") byId("verdict").textContent = "2048 with a coach that plays to 32768";
    byId("tally").textContent = !Settings.values.judges ? "" : all.length === 0
      ? "Move, and the coach judges it: “Mistake: Down. Left was better.”"
      : `Best moves: ${grouped(matched)} of ${grouped(all.length)}${others ? `, others: ${others}` : ""}.`;
  }

  Table.onChange(({ kind, trace, player }) => {
    byId("verdict").textContent = "";
    showTally();
    if (player === "person") isPlayed = true;
    if (kind === "new") byId("board-error").textContent = "";
    if (kind === "move" && player === "person") judge(trace);
    refresh();
  });

  const setBoard = () => attempt("board-error", () => {
    const start = typedBoard(byId("board-input").value, Table.game.shape);
    Table.replace(new Game({ ...Settings.values, start }), "The board is set.");
    byId("board").scrollIntoView({ block: "nearest" });
  });

  byId("board-input").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) setBoard();
  });

  function readBoard() {
    const lines = Rules.rows(Table.game.board).map((row) => row.map(Rules.tile).join(" "));
    byId("board-input").value = lines.join("\n");
  }

  byId("verdict-words").textContent = Verdicts.words();
  Settings.bind("show-hints", "hints", refresh);
  Settings.bind("show-verdicts", "judges", () => {
    byId("verdict").textContent = "";
    showTally();
    refresh();
  });
  clicks({
    "new-game": Table.restart, today, undo: Table.undo, redo: Table.redo, hint, "set-board": setBoard,
    "read-board": readBoard,
  });

  // Puts today's game on the table, unless it is there already, and shows the board.
  function today() {
    const isOn = Table.game.seed === Game.today && !Table.game.isOver;
    if (!isOn) Table.replace(new Game({ seed: Game.today }), "Today’s game: everybody gets the same tiles.");
    byId("board").scrollIntoView({ block: "nearest" });
  }

  // Shows the best move until the next move.
  async function hint() {
    if (!Agents.hasValues) return toast(Agents.needsValues);
    const { board } = Table.game;
    await orToast(async () => {
      const move = bestMove(await analyst.of(board, Agents.coachQuestion(Table.game)));
      if (move === null || board !== Table.game.board || !isShown("play")) return;
      Table.view.hint(move);
      byId("verdict").replaceChildren(element("strong", {}, "Hint"), `: ${capital(Rules.MOVES[move])}.`);
      if (Table.game.exemption === null) byId("best-note").textContent = "Games with hints don’t count for Best.";
    });
  }

  return {
    enter() {
      Table.duration(1000);
      refresh();
    },
    leave() { Table.view.hint(null); },
    move: Table.play,
    command: (key) => obey({ u: Table.undo, r: Table.redo, n: Table.restart, "?": hint }, key),
    refresh,
  };
})();
