import { Analyses } from "../engine/analyses.js";
import { Server } from "../engine/answers.js";
import {
  attempt, byId, capital, clicks, dated, download, element, entry, grouped, isShown, obey, onFile, pause,
  plural, Running, shortened
} from "../core/text.js";
import { bestMove, Game, GameText, Rules } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";
import { ValuesView } from "../core/views.js";
import { Screen } from "../play/screen.js";
import { Table } from "../play/table.js";
import { Agents, ahead } from "../play/agents.js";
import { Share } from "../play/share.js";
import { readRecord } from "./formats.js";
import { Learn, LossGraph, Review } from "./review.js";

// The view in which a recorded game is looked back at: which position is shown, what was played there, what is best.
export const Replay = (() => {
  const looking = new Question("replay");
  const values = new ValuesView(byId("replay-values"));
  const running = new Running("replay-run");
  const LOOK = 60; // milliseconds that a position stands before the coach is asked: scrubbing asks for the last one
  const [OWN, LINKED] = ["This game", "A game by link"]; // names: of the game on the table, and of one in the address
  let screen = Screen.none;
  let record = null; // with name, and game(): the record as a game that can be continued
  let positions = [];
  let at = 0;
  let timer = null;
  let isHeld = false; // whether a pointer holds the slider

  function load(next, name, game) {
    stop();
    [record, positions] = [{ ...next, name, game }, GameText.replay(next)];
    Review.reset(record, positions);
    byId("record-error").textContent = "";
    for (const id of ["analyze-this", "coach-name"]) byId(id).hidden = Rules.isSmall(next.start);
    const last = positions.at(-1);
    byId("record-note").textContent =
      `${shortened(name)}: ${shortened(next.agent || "unknown player")}, ${plural(next.steps.length, "move")}, `
      + `${plural(last.score, "point")}, largest tile ${grouped(Rules.tile(Rules.largest(last.board)))}.`;
    for (const id of ["scrub", "scrub-number"]) byId(id).max = next.steps.length;
    byId("scrub-total").textContent = `of ${grouped(next.steps.length)}`;
    // A game that somebody has shared is told from its start.
    byId("shared").hidden = name !== LINKED;
    byId("shared-text").textContent = `${capital(shortened(next.agent || "unknown player"))} made ${
      plural(last.score, "point")} and the tile ${grouped(Rules.tile(Rules.largest(last.board)))}.`;
    go(name === LINKED ? 0 : positions.length - 1);
  }

  // A new game that begins like the record, with the tiles of the record as long as there are any.
  function playSame() {
    const game = new Game({ start: record.start, four: record.four, startTiles: record.startTiles });
    game.luck = record.steps.map(({ cell, exponent }) => ({ cell, exponent }));
    location.hash = "#play";
    Table.replace(game, "The same tiles, as long as the moves are the same.");
  }

  // Shows position `index`; a single step on is shown as a move.
  function go(index, { isMove = false } = {}) {
    if (record === null) return;
    const next = Math.min(Math.max(Math.round(index), 0), positions.length - 1);
    if (isMove && next === at + 1) {
      const step = record.steps[at];
      screen.move({ slides: Rules.slide(positions[at].board, step.move).slides, step });
    } else if (next !== at || !isMove) {
      screen.show(positions[next].board);
    }
    at = next;
    const { board, score } = positions[at];
    screen.numbers(board, score, at, record);
    byId("scrub").value = at;
    byId("scrub-number").value = at;
    const following = record.steps[at];
    const played = following ? `Move ${grouped(at + 1)} was ${Rules.MOVES[following.move]}` : "The record ends here";
    byId("played").textContent = `${played}.`;
    byId("scrub").setAttribute("aria-valuetext", `After ${plural(at, "move")}. ${played}`);
    Review.mark(at);
    look();
  }

  // Shows the coach's values of the position beside the move that was played.
  async function look() {
    screen.hint(null);
    looking.end();
    if (running.isOn || !Agents.hasValues) return values.clear();
    const { board } = positions[at];
    const [settings, isHere] = [Agents.recordQuestion(record), Analyses.at(board, record.four) !== undefined];
    values.wait();
    byId("replay-depth").textContent = "";
    byId("replay-error").textContent = "";
    try {
      const analysis = await looking.ask(async (signal) => {
        if (!isHere) await pause(LOOK);
        return signal.aborted ? null : Analyses.of(board, settings, signal);
      });
      if (analysis !== null) showValues(analysis);
    } catch (error) {
      values.clear();
      byId("replay-error").textContent = error.message;
    }
  }

  function showValues(analysis) {
    const played = record.steps[at]?.move ?? null;
    if (Learn.hides(at, analysis)) return values.clear();
    const isDeep = analysis.plies > (Agents.recordQuestion(record).plies ?? 0);
    if (isDeep) byId("replay-depth").textContent = `This position was looked at ${ahead(analysis.plies)}.`;
    values.show(analysis, positions[at].board, played);
    screen.hint(bestMove(analysis), played);
  }

  Analyses.onChange((board) => {
    if (record === null) return;
    Review.update(board);
    const isHere = screen.isOn && !running.isOn && !looking.isOpen;
    if (isHere && Rules.hex(board) === Rules.hex(positions[at].board)) showValues(Analyses.at(board, record.four));
  });

  // More moves a second than frames are shown several at a time.
  function play() {
    if (record === null) return;
    if (at === positions.length - 1) go(0);
    const speed = Settings.values.replaySpeed;
    const interval = Math.max(1000 / speed, 20);
    const stride = Math.max(1, Math.round((speed * interval) / 1000));
    screen.duration(interval);
    running.begin();
    timer = setInterval(() => {
      go(at + stride, { isMove: stride === 1 });
      if (at === positions.length - 1) stop();
    }, interval);
    look();
  }

  function stop() {
    const wasPlaying = running.isOn;
    clearInterval(timer);
    running.end();
    if (wasPlaying && screen.isOn) look();
  }

  const toggle = () => (running.isOn ? stop() : play());

  function jump(index) {
    stop();
    screen.duration(1000);
    go(index, { isMove: index === at + 1 });
  }

  function loadCurrent() {
    const { game } = Table;
    load(GameText.read(game.text), OWN, () => Game.restore(game.save()));
  }

  byId("scrub").addEventListener("pointerdown", () => { isHeld = true; });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { isHeld = false; });
  byId("scrub").addEventListener("input", () => {
    stop();
    const index = Number(byId("scrub").value);
    go(isHeld ? LossGraph.near(index) : index);
  });
  byId("scrub-number").addEventListener("change", () => jump(Number(byId("scrub-number").value)));
  Settings.bind("replay-speed", "replaySpeed", () => {
    if (!running.isOn) return;
    stop();
    play();
  });

  function playOnFromHere() {
    const isWhole = record.name === OWN && at === record.steps.length;
    const game = record.game().cut(at);
    location.hash = "#play";
    if (!isWhole) Table.replace(game, "Play on from here.");
  }

  // After agents or their settings have changed.
  function refresh() {
    if (!screen.isOn || record === null) return;
    Review.refresh();
    look();
  }

  Review.connect({ jump, look });
  // From when the view is entered there is a record.
  clicks({
    "to-first": () => jump(0), "to-back": () => jump(at - 1), "to-forth": () => jump(at + 1),
    "to-last": () => jump(positions.length - 1), "replay-run": toggle, "load-current": loadCurrent,
    "shared-watch": toggle, "shared-play": playSame,
    "save-record": () => download("2048-game.txt", record.text), "play-on": playOnFromHere,
    "share-game": () => Share.game(record.text,
      `A game of 2048: ${plural(positions.at(-1).score, "point")} in ${plural(record.steps.length, "move")}`),
    "share-picture": () => Share.picture(positions[at].board, positions[at].score, at),
    "analyze-this": () => { location.hash = `#analyze=${Rules.hex(positions[at].board)}`; },
  });

  return {
    load, refresh,
    reviewCurrent() {
      loadCurrent();
      Review.start();
    },
    enter(lease) {
      screen = lease;
      listPast();
      listRunGames();
      Review.refresh();
      // The record at hand stays while it is still that game: position, review and all.
      const isCurrent = record !== null && (record.name !== OWN || record.text === Table.game.text);
      if (isCurrent) go(at);
      else loadCurrent();
      this.follow();
    },
    // A link to a game: the address has it.
    follow() { if (location.hash.startsWith("#game=")) openLink(); },
    leave() {
      stop();
      Learn.end();
    },
    move(way) {
      if (Learn.isOn) Learn.tryMove(way);
      else if (way === 1) jump(at + 1);
      else if (way === 3) jump(at - 1);
    },
    command: (key) => obey({ " ": toggle, Home: () => jump(0), End: () => jump(positions.length - 1) }, key),
  };
})();

// Opens records: files, the clipboard, links, and games that left the table. Of several, the newest one counts.
const LARGEST_RECORD = 500_000; // characters: some 120,000 moves
const opening = new Question("replay");

const openRecord = (name, size, read) => attempt("record-error", async () => {
  if (size > LARGEST_RECORD) throw new Error("The file is too large for a game record.");
  const input = await opening.ask(read);
  if (input === null) return;
  const record = readRecord(input);
  Replay.load(record, name.startsWith("This link") ? "A game by link" : name, () => Game.from(record));
  byId("board").scrollIntoView({ block: "nearest" }); // on a phone it is out of sight
}, `${name}: `);

// The record in the address. Its problems are shown in the same way as those of a file.
const openLink = () => openRecord("This link has no game", 0, () => Share.read(location.hash));

const openFile = (file) => openRecord(file.name, file.size, () => file.arrayBuffer());

// A game of the list.
const openGame = (id) => attempt("record-error", async () => {
  const saved = await opening.ask(() => Ledger.saved(id));
  if (saved !== null) Replay.load(GameText.read(saved.record), "A game of an agent", () => Game.restore(saved));
}, "This game cannot be read: ");

// The games of agents, newest first.
function listPast() {
  const past = Ledger.list("2048").filter(({ isAgents }) => isAgents);
  byId("past-note").hidden = past.length > 0;
  byId("past").replaceChildren(...past.map(({ id, moves, largest, isOver, score, when }) => {
    const about = `${plural(moves, "move")}, tile ${grouped(Rules.tile(largest))}`;
    const state = isOver ? "" : ", not over";
    return entry(() => openGame(id), element("b", {}, grouped(score)),
      element("span", {}, about, state), element("small", {}, dated(when)));
  }));
}
Ledger.onChange(() => { if (isShown("replay")) listPast(); });

onFile("load-file", "record-file", openFile);
for (const name of ["dragover", "drop"]) {
  document.addEventListener(name, (event) => {
    if (!isShown("replay")) return;
    event.preventDefault();
    if (name === "drop" && event.dataTransfer.files.length > 0) openFile(event.dataTransfer.files[0]);
  });
}
const openText = (text) => openRecord("What was pasted", text.length, async () => text);
clicks({ "read-record": () => openText(byId("record-input").value) });

// The games that the server's runs have kept: the best, the median and the worst of their evaluations.
const RUN_GAMES = { best: "Best game", median: "Median game", worst: "Worst game" };
const runChoice = byId("run-choice");
let runsWithGames = [];

async function listRunGames() {
  if (!Agents.hasRuns) return;
  try {
    runsWithGames = (await Server.runs()).runs.filter(({ games }) => games.length > 0);
  } catch {
    return; // Training shows the error.
  }
  const before = runChoice.value;
  runChoice.replaceChildren(...runsWithGames.map(({ name }) => element("option", { value: name }, name)));
  if (runsWithGames.some(({ name }) => name === before)) runChoice.value = before;
  byId("run-games").hidden = runsWithGames.length === 0;
  showRunGames();
}

// A game that is opened is checked like a file.
function showRunGames() {
  const run = runsWithGames.find(({ name }) => name === runChoice.value);
  byId("run-buttons").replaceChildren(...(run?.games ?? []).map((game) => {
    const onclick = () => openRecord(`${RUN_GAMES[game]} of ${run.name}`, 0, () => Server.game(run.name, game));
    return element("button", { "data-game": game, onclick }, RUN_GAMES[game]);
  }));
}

runChoice.addEventListener("change", showRunGames);
