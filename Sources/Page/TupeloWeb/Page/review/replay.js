import { Analyst, Server } from "../engine/answers.js";
import {
  attempt, byId, clicks, dated, download, element, entry, grouped, isShown, obey, onFile, onPaste, plural, Running,
  shortened
} from "../core/text.js";
import { bestMove, Game, GameText, Rules } from "../core/game.js";
import { Games, hasAgent, Settings } from "../core/storage.js";
import { ValuesView } from "../core/views.js";
import { Table } from "../play/table.js";
import { Agents, ahead } from "../play/agents.js";
import { Share } from "../play/share.js";
import { readRecord } from "./formats.js";
import { Learn, LossGraph, Review } from "./review.js";

// The view in which a recorded game is looked back at: which position is shown, what was played there, what is best.
export const Replay = (() => {
  const analyst = new Analyst();
  const values = new ValuesView(byId("replay-values"));
  const running = new Running("replay-run");
  const LOOK = 60; // milliseconds that a position stands before the coach is asked: scrubbing asks for the last one
  let record = null; // with name, and game(): the record as a game that can be continued
  let positions = [];
  let at = 0;
  let timer = null;
  let isHeld = false; // whether a pointer holds the slider

  function load(next, name, game) {
    pause();
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
    go(positions.length - 1);
  }

  // Shows position `index`; a single step on is shown as a move.
  function go(index, { isMove = false } = {}) {
    if (record === null) return;
    const next = Math.min(Math.max(Math.round(index), 0), positions.length - 1);
    if (isMove && next === at + 1) {
      const step = record.steps[at];
      Table.view.move({ slides: Rules.slide(positions[at].board, step.move).slides, step });
    } else if (next !== at || !isMove) {
      Table.view.show(positions[next].board);
    }
    at = next;
    const { board, score } = positions[at];
    Table.showNumbers(board, score, at);
    byId("scrub").value = at;
    byId("scrub-number").value = at;
    const following = record.steps[at];
    const played = following ? `Move ${grouped(at + 1)} was ${Rules.MOVES[following.move]}` : "The record ends here";
    byId("played").textContent = `${played}.`;
    byId("scrub").setAttribute("aria-valuetext", `After ${plural(at, "move")}. ${played}`);
    Review.mark(at);
    look(board);
  }

  // Shows the coach's values of the position beside the move that was played.
  async function look(board) {
    Table.view.hint(null);
    if (running.isOn || !Agents.hasValues) {
      analyst.forget();
      return values.clear();
    }
    values.wait();
    byId("replay-depth").textContent = "";
    try {
      const deeper = Review.deeper(at);
      const analysis = deeper ?? await analyst.newest(board, { ...Agents.recordQuestion, four: record.four }, LOOK);
      if (analysis === null || !isShown("replay") || running.isOn || positions[at]?.board !== board) return;
      const played = record.steps[at]?.move ?? null;
      byId("replay-error").textContent = "";
      if (Learn.hides(at, analysis)) return values.clear();
      if (deeper) byId("replay-depth").textContent = `This position was looked at ${ahead(deeper.plies)}.`;
      values.show(analysis, board, played);
      Table.view.hint(bestMove(analysis), played);
    } catch (error) {
      values.clear();
      byId("replay-error").textContent = error.message;
    }
  }

  // More moves a second than frames are shown several at a time.
  function play() {
    if (record === null) return;
    if (at === positions.length - 1) go(0);
    const speed = Settings.values.replaySpeed;
    const interval = Math.max(1000 / speed, 20);
    const stride = Math.max(1, Math.round((speed * interval) / 1000));
    Table.duration(interval);
    running.begin();
    timer = setInterval(() => {
      go(at + stride, { isMove: stride === 1 });
      if (at === positions.length - 1) pause();
    }, interval);
    look(positions[at].board);
  }

  function pause() {
    const wasPlaying = running.isOn;
    clearInterval(timer);
    running.end();
    if (wasPlaying && isShown("replay")) look(positions[at].board);
  }

  const toggle = () => (running.isOn ? pause() : play());

  function jump(index) {
    pause();
    Table.duration(1000);
    go(index, { isMove: index === at + 1 });
  }

  function loadCurrent() {
    const { game } = Table;
    load(GameText.read(game.text), "This game", () => Game.restore(game.save()));
  }

  byId("scrub").addEventListener("pointerdown", () => { isHeld = true; });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => { isHeld = false; });
  byId("scrub").addEventListener("input", () => {
    pause();
    const index = Number(byId("scrub").value);
    go(isHeld ? LossGraph.near(index) : index);
  });
  byId("scrub-number").addEventListener("change", () => jump(Number(byId("scrub-number").value)));
  Settings.bind("replay-speed", "replaySpeed", () => {
    if (!running.isOn) return;
    pause();
    play();
  });

  function playOnFromHere() {
    const isWhole = record.name === "This game" && at === record.steps.length;
    const game = record.game().cut(at);
    location.hash = "#play";
    if (!isWhole) Table.replace(game, "Play on from here.");
  }

  // After agents or their settings have changed.
  function refresh() {
    if (!isShown("replay") || record === null) return;
    Review.refresh();
    look(positions[at].board);
  }

  Review.connect({ jump, refresh });
  // From when the view is entered there is a record.
  clicks({
    "to-first": () => jump(0), "to-back": () => jump(at - 1), "to-forth": () => jump(at + 1),
    "to-last": () => jump(positions.length - 1), "replay-run": toggle, "load-current": loadCurrent,
    "save-record": () => download("2048-game.txt", record.text), "play-on": playOnFromHere,
    "share-game": () => Share.game(record.text,
      `A game of 2048: ${plural(positions.at(-1).score, "point")} in ${plural(record.steps.length, "move")}`),
    "share-picture": () => Share.picture(positions[at].board, positions[at].score, at),
    "analyze-this": () => { location.hash = `#analyze=${Rules.hex(positions[at].board)}`; },
  });

  return {
    load,
    reviewCurrent() {
      loadCurrent();
      Review.start();
    },
    enter() {
      Table.lend();
      listPast();
      listRunGames();
      Review.refresh();
      // The record at hand stays while it is still that game: position, review and all.
      const isCurrent = record !== null && (record.name !== "This game" || record.text === Table.game.text);
      if (isCurrent) go(at);
      else loadCurrent();
      this.follow();
    },
    // A link to a game: the address has it.
    follow() { if (location.hash.startsWith("#game=")) openLink(); },
    leave() {
      pause();
      Review.stop();
      Learn.end();
      Table.view.hint(null);
      Table.takeBack();
    },
    move(way) {
      if (Learn.isOn) Learn.tryMove(way);
      else if (way === 1) jump(at + 1);
      else if (way === 3) jump(at - 1);
    },
    command: (key) => obey({ " ": toggle, Home: () => jump(0), End: () => jump(positions.length - 1) }, key),
  };
})();

// Opens records: files, the clipboard, links, and games that left the table.
const LARGEST_RECORD = 500_000; // characters: some 120,000 moves

const openRecord = (name, size, read) => attempt("record-error", async () => {
  if (size > LARGEST_RECORD) throw new Error("The file is too large for a game record.");
  const record = readRecord(await read());
  Replay.load(record, name.startsWith("This link") ? "A game by link" : name, () => Game.from(record));
}, `${name}: `);

// The record in the address. Its problems are shown in the same way as those of a file.
const openLink = () => openRecord("This link has no game", 0, () => Share.read(location.hash));

const openFile = (file) => openRecord(file.name, file.size, () => file.arrayBuffer());

// The games that left the table, newest first.
function listPast() {
  const { past } = Games;
  byId("past-note").hidden = past.length > 0;
  byId("past").replaceChildren(...past.map((saved) => {
    const agent = hasAgent(saved) ? "by an agent, " : "";
    const about = `${agent}${plural(saved.moves, "move")}, tile ${grouped(Rules.tile(saved.largest))}`;
    const load = () => Replay.load(GameText.read(saved.record), "An earlier game", () => Game.restore(saved));
    const state = saved.isGone ? ", not kept: storage is full" : saved.isOver ? "" : ", not over";
    return entry(saved.isGone ? null : load, element("b", {}, grouped(saved.score)),
      element("span", {}, about, state), element("small", {}, dated(saved.when)));
  }));
}

onFile("load-file", "record-file", openFile);
for (const name of ["dragover", "drop"]) {
  document.addEventListener(name, (event) => {
    if (!isShown("replay")) return;
    event.preventDefault();
    if (name === "drop" && event.dataTransfer.files.length > 0) openFile(event.dataTransfer.files[0]);
  });
}
onPaste("replay", (text) => openRecord("What was pasted", text.length, async () => text));

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
