import { Analyses } from "../engine/analyses.js";
import { coachOfDay } from "../engine/answers.js";
import { Chances, lineOf, reasonFor } from "../engine/why.js";
import { byId, capital, clicks, clock, element, grouped, obey, plural, remark } from "../core/text.js";
import { bestMove, Game, isAsGood, lossText, Rules, Verdicts } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";
import { orToast, toast, ValuesView } from "../core/views.js";
import { Table } from "./table.js";
import { Agents, ahead } from "./agents.js";
import { Screen } from "./screen.js";
import { Share } from "./share.js";

// The view in which a person plays, with a coach.
export const Play = (() => {
  const LEVELS = { all: ["inaccuracy", "mistake", "blunder", "good", "best"], mistakes: ["mistake", "blunder"],
    blunders: ["blunder"], none: [] }; // the verdicts that the coach says
  const values = new ValuesView(byId("play-values"), [...document.querySelectorAll("[data-move]")]);
  const [advice, asking] = [new Question("play"), new Question("play")]; // of the switch, and of the button
  const chances = new Chances("play", "chances");
  let screen = Screen.none;
  let hinted = null; // the board that a hint was asked for
  let retry = null; // asks again when the server did not answer
  let isPlayed = false; // whether the person has played since the page came: before, a judge is not asked

  const judges = () => Settings.values.judges !== "none";
  const isSame = (one, other) => one === other || one.every((exponent, cell) => exponent === other[cell]);

  function refresh() {
    const { game } = Table;
    byId("undo").disabled = !game.canUndo;
    byId("redo").disabled = !game.canRedo;
    byId("times").textContent = game.times.length === 0 ? "" : `Times of this game: ${game.times.map(
      ([exponent, time]) => `${grouped(Rules.tile(exponent))} in ${clock(time / 1000)}`).join(", ")}.`;
    byId("demo").hidden = game.hasStarted || !Agents.hasValues || Rules.isSmall(game.board);
    showTally();
    showToday();
    if (!screen.isOn) return;
    showVerdict();
    clearTimeout(retry);
    // Values of another board are not advice for this one.
    if (hinted !== game.board) forget();
    byId("play-values").hidden = byId("values-note").hidden = !Settings.values.hints;
    // Without a move by the player, or without a coach, the page sends no requests and loads no model.
    const isWanted = Settings.values.hints || (judges() && isPlayed);
    if (Agents.hasValues && isWanted) return advise(game.board);
    advice.end();
    values.clear();
    if (Agents.hasValues) remark("coach-note", "");
  }

  function forget() {
    hinted = null;
    screen.hint(null);
    asking.end();
    chances.clear();
    byId("why").hidden = true;
  }

  // The coach knows the board before the person moves, so that the move can be judged at once.
  async function advise(board) {
    values.wait();
    const analysis = await advice.ask((signal) => Analyses.of(board, Agents.coachQuestion(Table.game), signal))
      .catch((error) => error);
    if (analysis === null) return;
    if (analysis instanceof Error) {
      const { isFinal, message } = analysis;
      values.clear();
      if (!isFinal) retry = setTimeout(refresh, 2000);
      return remark("coach-note", isFinal ? message : `${message} The coach asks again.`, true);
    }
    remark("coach-note", Rules.isSmall(board) ? "A heuristic judges small boards: its values are not points." : "");
    showAdvice(board);
  }

  function showAdvice(board) {
    if (!Settings.values.hints) return values.clear();
    const analysis = Analyses.at(board, Table.game.four);
    const best = bestMove(analysis);
    values.show(analysis, board);
    screen.hint(best);
    byId("live-coach").textContent = best === null ? "" : `Best move now: ${Rules.MOVES[best]}.`;
  }

  // Judges each move that was made from a board. The verdict belongs to the move: it is undone and redone with it.
  function judge(board) {
    const { positions, steps, four } = Table.game;
    let isJudged = false;
    steps.forEach((step, index) => {
      if (step.player !== "person" || !isSame(positions[index].board, board)) return;
      step.judged = Analyses.verdict(board, step.move, four);
      isJudged = true;
    });
    if (!isJudged) return;
    showTally();
    showVerdict();
    Table.touch();
  }

  // The stored verdicts on a game that has come onto the table.
  async function load() {
    const { game } = Table;
    await Analyses.load(game.positions.map(({ board }) => board), game.four);
    game.steps.forEach((step, index) => {
      step.judged ??= Analyses.verdict(game.positions[index].board, step.move, game.four);
    });
    if (game === Table.game) refresh();
  }

  // Says the verdict on the last move, if it is one that the coach says.
  function showVerdict() {
    const { hasStarted, shape, steps } = Table.game;
    if (!screen.isOn || hinted === Table.game.board) return;
    const { move, judged: one } = steps.at(-1) ?? {};
    const isSaid = one && LEVELS[Settings.values.judges]?.includes(one.name);
    if (!isSaid) {
      byId("verdict").textContent = hasStarted || shape !== "4x4" ? "" : "2048, with a coach";
      return;
    }
    const { name, loss, best } = one;
    const by = shape === "4x4" ? ` by ${lossText(loss)} points` : ""; // a heuristic's values are not points
    const better = ["best", "good"].includes(name) ? "" : ` ${capital(Rules.MOVES[best])} was better${by}.`;
    byId("verdict").replaceChildren(
      element("strong", { class: name }, name === "best" ? "You found the best move" : capital(name)),
      `: ${capital(Rules.MOVES[move])}.${better}`);
  }

  // Counts the moves that the coach has judged.
  function showTally() {
    const all = judges() ? Table.game.judged : [];
    const others = Verdicts.count(Verdicts.tally(all));
    const matched = all.filter(({ name }) => name === "best").length;
    byId("tally").textContent = !judges() ? "" : all.length === 0
      ? "Move, and the coach judges it: “Mistake: Down. Left was better.”"
      : `Best moves: ${grouped(matched)} of ${grouped(all.length)}${others ? `, others: ${others}` : ""}.`;
  }

  Table.onChange(({ kind, trace, player }) => {
    if (player === "person") isPlayed = true;
    if (kind === "move" && player === "person" && judges() && Agents.hasValues) {
      // The newest board comes first; boards before it are analyzed when there is time.
      Analyses.of(trace.before, Agents.coachQuestion(Table.game)).then(() => judge(trace.before), () => {});
    }
    if (kind === "new") load();
    refresh();
  });
  Analyses.onChange((board) => {
    judge(board);
    if (screen.isOn && !advice.isOpen && isSame(board, Table.game.board)) showAdvice(board);
  });

  byId("verdict-words").textContent = Verdicts.words();
  Settings.bind("show-hints", "hints", refresh);
  Settings.bind("judges", "judges", refresh);
  clicks({
    "new-game": () => Table.restart(), today, "share-day": () => orToast(shareToday), hint, undo: () => Table.undo(),
    redo: () => Table.redo(),
  });

  // Puts today's game on the table, unless it is there already, and shows the board. A game that was begun goes on.
  async function today() {
    const begun = Ledger.day(Game.today).find(({ isOver }) => !isOver);
    const isOn = Table.game.isDaily && Table.game.seed === Game.today && !Table.game.isOver;
    if (!isOn) {
      const game = begun && Game.restore(await Ledger.saved(begun.id));
      Table.replace(game ?? new Game({ seed: Game.today }), "Today’s game: everybody gets the same tiles.");
    }
    byId("board").scrollIntoView({ block: "nearest" });
  }

  // One line: the result, and what the coach made of the same tiles.
  async function shareToday() {
    const { day, result } = Ledger.day(daySeed())[0];
    const coach = await coachOfDay(day).catch(() => null);
    const date = String(day).replace(/(....)(..)(..)/, "$1-$2-$3");
    return Share.words(`2048 of ${date}: ${plural(result.score, "point")}, ${result.help ? "with" : "without"} help.${
      coach === null ? "" : ` The coach made ${grouped(coach)} with the same tiles.`}`);
  }

  const daySeed = () => (Table.game.isDaily ? Table.game.seed : Game.today);

  // The result of a day is that of the first game that was finished; the day is the one on which the game began.
  function showToday() {
    const seed = daySeed();
    const { result } = Ledger.day(seed)[0] ?? {};
    byId("share-day").hidden = result === undefined;
    const hours = 24 - new Date().getUTCHours();
    const name = seed === Game.today ? "Today’s game" : "The game of that day";
    byId("today-note").textContent = result === undefined ? ""
      : `${name}: ${plural(result.score, "point")}${result.help ? `, with help: ${result.help}` : ""}. `
        + `The next one comes at midnight UTC, within ${plural(hours, "hour")}.`;
  }
  Ledger.onChange(showToday);

  // Shows the best move until the next move.
  async function hint() {
    if (!Agents.hasValues) return toast(Agents.needsValues);
    const { board } = Table.game;
    hinted = board;
    await orToast(() => asking.ask(async (signal) => {
      const settings = Agents.coachQuestion(Table.game);
      const analysis = await Analyses.of(board, settings, signal);
      const move = bestMove(analysis);
      if (move === null || signal.aborted) return;
      const tell = (text) => byId("verdict").replaceChildren(
        element("strong", {}, "Hint"), `: ${capital(Rules.MOVES[move])}.${text}`);
      screen.hint(move);
      tell("");
      if (Table.game.exemption === null) screen.note("Games with hints don’t count for Best.");
      if (Rules.isSmall(board)) return;
      // The why: a reason and a line, then the chances for as long as the board stands.
      const { milliseconds, ...quick } = settings;
      const line = await lineOf(board, move, { ...quick, plies: Agents.plies(Agents.coach, 2) }, signal);
      if (signal.aborted) return;
      const reason = reasonFor(board, analysis, line);
      const { plies, moves } = analysis;
      const next = -Math.max(...moves.filter((one) => one.legal && !isAsGood(one)).map((one) => one.difference));
      tell(reason !== "" ? ` ${reason}` : !(next > 0) ? " Another move is as good."
        : ` It is worth ${lossText(next)} points more, ${ahead(plies)}.`);
      screen.line(line.map((one) => one.move));
      byId("why").hidden = false;
      chances.show(board, Table.game.four, move);
    }));
  }

  load();

  return {
    enter(lease) {
      screen = lease;
      Table.enter(lease);
    },
    leave() {
      clearTimeout(retry);
      forget();
    },
    move: (way) => Table.play(way),
    command: (key) => obey({
      u: () => Table.undo(), r: () => Table.redo(), n: () => Table.restart(), "?": hint }, key),
    refresh,
  };
})();
