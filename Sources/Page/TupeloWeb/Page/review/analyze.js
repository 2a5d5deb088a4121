import { Analyses } from "../engine/analyses.js";
import { Chances, likelyNext } from "../engine/why.js";
import {
  attempt, byId, clicks, element, grouped, obey, plural, texts, orNull, uncapital
} from "../core/text.js";
import { bestMove, expectation, Game, isAsGood, lossText, Rules, typedBoard } from "../core/game.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";
import { ValuesView, Voice } from "../core/views.js";
import { Screen } from "../play/screen.js";
import { Table } from "../play/table.js";
import { Agents } from "../play/agents.js";
import { Share } from "../play/share.js";

// The view in which any position is analyzed. The address has the board: it is a link to the analysis.
export const Analyze = (() => {
  const values = new ValuesView(byId("analysis-values"));
  let board = null;
  let isGames = true; // whether the board is the game's: then a visit shows the game as it is now
  let past = []; // the boards before moves, for undo
  let screen = Screen.none;
  const searching = new Question("analyze");
  const chances = new Chances("analyze", "analysis-chances");
  const ADDRESSES = 50; // in a visit: some browsers refuse more than a hundred in half a minute
  let added = 0;
  let hasFailed = false; // whether the error is the last search's

  const address = () => `#analyze=${Rules.hex(board)}`;

  // The board of an address, as a link has it; null when it is none, and then the view says why.
  function linked(hash) {
    const text = hash.slice(1).split("=").slice(1).join("=");
    byId("analysis-error").textContent = "";
    if (!hash.startsWith("#analyze=")) return null;
    try {
      return Rules.parseTiles(decodeURIComponent(text));
    } catch ({ name, message }) {
      const reason = name === "URIError" ? "its address is damaged." : uncapital(message);
      byId("analysis-error").textContent = `This link has no board: ${reason}`;
      return null;
    }
  }

  // Shows a board and analyzes it. Each board is an entry of the browser's history, but not each step of an edit.
  function set(next, { isEdit = false } = {}) {
    board = next;
    byId("analysis-error").textContent = "";
    if (location.hash !== address()) keep(isEdit || (added += 1) > ADDRESSES ? "replaceState" : "pushState");
    show();
  }

  // Puts the address into the browser's history. A browser may refuse many of them; the board stays.
  function keep(how) { orNull(() => history[how](null, "", address())); }

  function show() {
    if (!screen.isOn) return;
    screen.show(board);
    Editor.show(board);
    const { game } = Table;
    isGames = Rules.hex(board) === Rules.hex(game.board);
    const [score, moves] = isGames ? [game.score, game.steps.length] : [null, null];
    screen.numbers(board, score, moves, { ...Settings.values, four: game.four });
    byId("analysis-link").value = new URL(address(), location.href).href;
    byId("analysis-undo").disabled = past.length === 0;
    search();
  }

  async function search() {
    searching.end();
    screen.hint(null);
    Lines.clear();
    chances.clear();
    values.wait();
    tell("");
    const here = Analyses.at(board, Table.game.four);
    if (hasFailed) byId("analysis-error").textContent = "";
    hasFailed = false;
    texts({ "analysis-plies": "–", "analysis-nodes": "–" });
    if (Rules.largest(board) === 0 || !Agents.hasValues) {
      values.clear();
      return tell(Agents.hasValues ? "Place a tile." : Agents.needsValues);
    }
    if (here !== undefined) showAnswer(here);
    const wanted = Number(byId("analysis-time").value);
    const settings = Agents.coachQuestion(Table.game, wanted * 1000);
    try {
      if (settings.milliseconds < wanted * 1000) {
        tell(`The server searches for at most ${settings.milliseconds / 1000} s.`);
      }
      await searching.ask(async (signal) => {
        const final = await Analyses.of(board, settings, signal);
        if (signal.aborted) return;
        showAnswer(final);
        const best = bestMove(final);
        Voice.say(best === null ? "No move is legal." : `Best move: ${Rules.MOVES[best]}.`);
        await Lines.show(board, final, settings, signal);
        // The chances go on as long as the board is looked at.
        if (!signal.aborted) chances.show(board, settings.four, best);
      });
    } catch (error) {
      values.clear();
      hasFailed = true;
      byId("analysis-error").textContent = error.message;
    }
  }

  function showAnswer(answer) {
    values.show(answer, board);
    screen.hint(bestMove(answer));
    byId("analysis-plies").textContent = answer.plies > 0 ? plural(answer.plies, "move") : "–";
    byId("analysis-nodes").textContent = answer.nodes === undefined ? "–" : grouped(answer.nodes);
    if (answer.over) tell("No move is legal: the game is over here.");
  }

  function tell(text) { byId("analysis-note").textContent = text; }

  function move(way) {
    if (Editor.isOn) return Editor.step(way);
    const trace = new Game({ four: Table.game.four, start: board }).play(way);
    if (trace === null) {
      screen.refuse(way);
    } else {
      past.push(board);
      set(trace.board);
    }
  }

  function undo() {
    if (past.length > 0) set(past.pop());
  }

  function fresh(next) {
    past = [];
    set(next);
  }

  const read = (text) => attempt("analysis-error", () => fresh(typedBoard(text)));

  function playOnFromHere() {
    if (Rules.largest(board) === 0) return;
    const start = board;
    location.hash = "#play";
    Table.replace(new Game({ ...Settings.values, start }), "Play on from this board.");
    isGames = true;
  }

  // What is known of the position while a search is on its way, and what it finds.
  Analyses.onChange((changed) => {
    if (screen.isOn && Rules.hex(changed) === Rules.hex(board)) showAnswer(Analyses.at(board, Table.game.four));
  });

  // The board of the game at hand: the one that Review shows or that is played.
  const gameBoard = () => (Rules.isSmall(Table.game.board) ? Rules.startBoard(0.1) : Table.game.board);

  clicks({
    "analysis-set": () => read(byId("analysis-input").value), "analysis-game": () => fresh(Table.game.board),
    "analysis-undo": undo, "analysis-copy": () => Share.position(board), "analysis-play": playOnFromHere,
    "analysis-picture": () => Share.picture(board, null, null),
  });
  byId("analysis-time").addEventListener("change", show);

  return {
    // Without a link, the view shows the board of the game, unless another one was set here.
    enter(lease) {
      screen = lease;
      screen.duration(0);
      [added, byId("analysis-game").hidden] = [0, Rules.isSmall(Table.game.board)];
      const link = linked(location.hash);
      board = link ?? (isGames || board === null ? gameBoard() : board);
      // A wrong link stays in the address, where it can be mended.
      const isWrong = byId("analysis-error").textContent !== "";
      if (!isWrong) keep(location.hash.startsWith("#analyze") ? "replaceState" : "pushState");
      show();
    },
    leave() {
      Editor.end();
      if (Rules.largest(board) === 0) board = null;
    },
    refresh: show,
    // The browser went to another address of this view.
    follow() {
      const next = linked(location.hash);
      if (next === null || board === null || Rules.hex(next) === Rules.hex(board)) return;
      past = [];
      board = next;
      show();
    },
    move,
    // After a change by the editor, and along a line.
    edit: (next) => set(next, { isEdit: true }),
    visit(boards) {
      past.push(board, ...boards.slice(0, -1));
      set(boards.at(-1));
    },
    get board() { return board; },
    command: (key) => (Editor.isOn && Editor.command(key)) || obey({ u: undo }, key),
  };
})();

// The board of Analyze as 16 buttons, to place tiles by clicking, touch and keys: a tile is chosen, then its cells.
const Editor = (() => {
  const layer = byId("editor");
  const list = (count, make) => Array.from({ length: count }, (_, index) => element("button", {
    "data-keeps-focus": true, ...make(index) }));
  const cells = list(16, (cell) => ({ onclick: () => place(cell, chosen), onfocus: () => rove(cell) }));
  const palette = list(Rules.LARGEST + 1, (exponent) => ({
    class: "tile", "data-exponent": exponent, onclick: () => choose(exponent) }));
  let chosen = 1;
  let isOn = false;
  let at = 0; // the cell that has or had the focus

  palette.forEach((one, exponent) => {
    one.textContent = exponent === 0 ? "Erase" : Rules.tile(exponent);
    one.style.setProperty("--tile", `var(--tile-${exponent})`);
  });
  layer.append(...cells);
  byId("palette").append(...palette);
  // Without this the board would take the pointer for a swipe.
  layer.addEventListener("pointerdown", (event) => event.stopPropagation());

  function rove(cell) {
    at = cell;
    cells.forEach((one, index) => { one.tabIndex = index === cell ? 0 : -1; });
  }

  function choose(exponent) {
    chosen = exponent;
    palette.forEach((one, index) => one.setAttribute("aria-pressed", String(index === exponent)));
  }

  // Once more on such a tile takes it away.
  function place(cell, exponent) {
    const { board } = Analyze;
    Analyze.edit(board.with(cell, board[cell] === exponent ? 0 : Math.min(exponent, Rules.LARGEST)));
  }

  function turn(isEditing) {
    isOn = isEditing;
    layer.hidden = byId("editor-tools").hidden = !isOn;
    byId("edit").textContent = isOn ? "Done" : "Edit the board";
    if (!isOn) return;
    cells[at].focus({ preventScroll: true });
    byId("board").scrollIntoView({ block: "nearest" });
  }

  const rotated = (board) => board.map((_, cell) => board[(3 - (cell % 4)) * 4 + Math.floor(cell / 4)]);

  clicks({
    edit: () => turn(!isOn), "edit-done": () => turn(false), "edit-rotate": () => Analyze.edit(rotated(Analyze.board)),
    "edit-clear": () => Analyze.edit(new Array(16).fill(0)),
  });
  choose(1);
  rove(0);

  return {
    get isOn() { return isOn; },
    end: () => turn(false),
    show: (board) => cells.forEach((one, cell) => one.setAttribute("aria-label",
      `Row ${Math.floor(cell / 4) + 1}, column ${(cell % 4) + 1}: ${Rules.tile(board[cell]) || "empty"}`)),
    // Arrow keys go from cell to cell.
    step(way) {
      const [row, column] = [Math.floor(at / 4) + [-1, 0, 1, 0][way], (at % 4) + [0, 1, 0, -1][way]];
      if (row >= 0 && row < 4 && column >= 0 && column < 4) cells[row * 4 + column].focus({ preventScroll: true });
    },
    // Digits place a tile by its power of two, plus and minus change one, a dot or Delete takes it away.
    command(key) {
      const tile = Analyze.board[at];
      const next = { "+": tile + 1, "-": Math.max(tile - 1, 0), ".": 0, Delete: 0, Backspace: 0 }[key]
        ?? (/^[0-9]$/.test(key) ? Number(key) : null);
      if (next !== null && next !== tile) place(at, next);
      return next !== null;
    },
  };
})();

// Candidate lines of an analysis: each legal move, a tile that may follow, the best answer, and so on.
const Lines = (() => {
  const [MOVES, PLIES] = [5, 3]; // moves of a line, and how far the search of each of its positions looks

  // Each line grows by one move in turn, so that all are seen early.
  async function show(board, analysis, { milliseconds, ...question }, signal) {
    const settings = { ...question, plies: Agents.plies(Agents.coach, PLIES) };
    const lines = analysis.moves.map((said, move) => ({ ...said, boards: [board], next: move, steps: element("span") }))
      .filter(({ value }) => value !== undefined).sort((a, b) => b.value - a.value);
    byId("lines").replaceChildren(...lines.map((line) => element("li", { "aria-label": `Line of ${line.move}` },
      element("b", {}, isAsGood(line) ? expectation(line.value) : `−${lossText(-line.difference)}`), line.steps)));
    for (let count = 0; count < MOVES; count += 1) {
      for (const line of lines) if (line.next >= 0 && !signal.aborted) await grow(line, settings, signal);
    }
  }

  async function grow(line, settings, signal) {
    const usual = await likelyNext(line.boards.at(-1), line.next, settings, signal);
    const [move, boards] = [line.next, [...line.boards.slice(1), usual.board]];
    line.boards.push(usual.board);
    line.next = usual.best;
    const tile = `${Rules.tile(usual.exponent)} at ${"abcd"[usual.cell % 4]}${Math.floor(usual.cell / 4) + 1}`;
    line.steps.append(element("button", {
      "data-keeps-focus": true, onclick: () => Analyze.visit(boards),
      "aria-label": `${Rules.MOVES[move]}, then a ${tile}.`,
    }, `${Rules.ARROWS[move]} ${tile}`));
  }

  return { show, clear: () => byId("lines").replaceChildren() };
})();
