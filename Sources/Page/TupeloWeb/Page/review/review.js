import { Analyses } from "../engine/analyses.js";
import { Answers } from "../engine/answers.js";
import { byId, capital, clicks, drawing, element, grouped, mean, plural } from "../core/text.js";
import { isAsGood, lossText, Rules, Verdicts } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { Question } from "../core/question.js";
import { animate, lost } from "../core/views.js";
import { thin } from "../core/chart.js";
import { Agents } from "../play/agents.js";

// The graph under the board: the final score that is expected after each move, or the score before a review, as a line.
// A bar is the points that a move lost, or the largest one of neighbours where there are more moves than room.
export const LossGraph = (() => {
  const svg = byId("loss-graph");
  const [HEIGHT, BARS, STEP] = [72, 44, 3]; // in points: the whole height, the largest bar, and the step between bars
  const HANDLE = 4; // the width of the slider's handle: it stands with its middle over a position
  let judged = []; // what the review says of moves
  let positions = [];
  let bars = []; // the worst move of each bar

  const width = () => svg.clientWidth || 400;
  const x = (index) => (index / Math.max(positions.length - 1, 1)) * (width() - HANDLE) + HANDLE / 2;
  const most = (list, part) => list.reduce((sum, one) => Math.max(sum, part(one)), 1e-9);

  function draw() {
    if (positions.length === 0) return;
    svg.setAttribute("viewBox", `0 0 ${width()} ${HEIGHT}`);
    const curve = judged.length === 0 ? positions.map(({ score }, index) => [index, score])
      : judged.map(({ index, value }) => [index, positions[index].score + value]);
    const scale = (HEIGHT - 6) / most(curve, ([, value]) => value);
    const path = thin(curve, width())
      .map(([at, value]) => `${x(at).toFixed(1)} ${(HEIGHT - 2 - value * scale).toFixed(1)}`).join("L");
    const end = x(curve.at(-1)[0]).toFixed(1);
    const size = Math.max(1, Math.ceil(positions.length / Math.floor(width() / STEP)));
    const groups = Map.groupBy(judged.filter(({ loss }) => loss > 0), ({ index }) => Math.floor(index / size));
    const points = ({ loss }) => loss;
    bars = [...groups.values()].map((group) => group.reduce((worst, one) => (one.loss > worst.loss ? one : worst)));
    const largest = most(bars, points);
    svg.replaceChildren(drawing("path", { class: "value-area", d: `M${x(0)} ${HEIGHT}L${path}L${end} ${HEIGHT}Z` }),
      drawing("path", { class: "value-line", d: `M${path}` }), ...bars.map((one) => drawing("line", {
        class: "loss", x1: x(one.index), x2: x(one.index), y1: HEIGHT - (one.loss / largest) * BARS, y2: HEIGHT })));
    const worst = bars.find(({ loss }) => loss === largest);
    svg.setAttribute("aria-label", judged.length === 0 ? "Score over the game."
      : `Expected score over the game, and what was lost. ${worst === undefined ? "Hardly anything was lost."
        : `Most was lost at move ${grouped(worst.index + 1)}: ${lost(worst.loss)} points.`}`);
  }

  new ResizeObserver(draw).observe(svg);

  return {
    show(nextJudged, nextPositions) {
      [judged, positions] = [nextJudged, nextPositions];
      draw();
    },
    // The position that a pointer at `index` means. On a bar, it is the move of the bar.
    near(index) {
      const distance = (bar) => Math.abs(x(bar.index) - x(index));
      const [bar] = bars.filter((one) => distance(one) <= STEP).sort((a, b) => distance(a) - distance(b));
      return bar?.index ?? index;
    },
  };
})();

// Learning from mistakes: the position before each of the worst moves of a record, and a better move to be found.
export const Learn = (() => {
  let mistakes = []; // as the review found them
  let at = 0;
  let hints = 0; // 2 when the answer is shown
  let visit = null; // shows a position
  let refresh = null; // shows what is known of the position
  let analysis = null; // of the position

  const name = (move) => capital(Rules.MOVES[move]);
  const tell = (text) => { byId("learn-text").textContent = text; };

  function show(isOn) {
    document.body.toggleAttribute("data-learn", isOn);
    byId("learn-mistakes").hidden = !isOn;
    byId("worst").hidden = isOn;
    byId("learn-start").hidden = isOn || byId("worst").querySelector(".bad") === null;
    byId("learn-hint").disabled = false;
  }

  function ask(number) {
    if (number === mistakes.length) return end();
    [at, hints, analysis] = [number, 0, null];
    const { index, played } = mistakes[at];
    tell(`${at + 1} of ${mistakes.length}: move ${grouped(index + 1)} was ${Rules.MOVES[played]}. Find a better move.`);
    show(true);
    visit(index);
  }

  function end() {
    mistakes = [];
    show(false);
  }

  // A move that is tried. It is right if it is the best one, or nearly.
  function tryMove(move) {
    if (analysis === null || hints === 2) return;
    const { legal, difference } = analysis.moves[move];
    const { best, scale, played } = mistakes[at];
    const isRight = isAsGood({ difference }) || Verdicts.of(-difference, scale).name === "good";
    if (!legal) animate(document.querySelector("#board .tiles"), "nudge");
    else if (move === played) tell(`${name(move)} was played in the game. Try another move.`);
    else if (isRight) solve(move === best ? `${name(move)} is the best move.` : `${name(move)} is good, too.`);
    else tell(`${name(move)} loses about ${lossText(-difference)} points. Try again.`);
  }

  function solve(text) {
    const { played, loss } = mistakes[at];
    hints = 2;
    byId("learn-hint").disabled = true;
    tell(`${text} ${name(played)} lost about ${lossText(loss)} points.`);
    refresh();
  }

  // First the axis, then the move itself.
  function hint() {
    const { best } = mistakes[at];
    hints += 1;
    if (hints === 2) solve(`${name(best)} is the best move.`);
    else tell(`The best move is ${best % 2 === 0 ? "vertical" : "horizontal"}.`);
  }

  clicks({ "learn-hint": hint, "learn-next": () => ask(at + 1) });

  return {
    end, tryMove,
    start(list, ...functions) {
      [mistakes, visit, refresh] = [list, ...functions];
      ask(0);
    },
    get isOn() { return mistakes.length > 0; },
    // Whether the values of a position are still hidden. A visit to any other position ends the exercise.
    hides(index, said) {
      if (mistakes.length > 0 && index !== mistakes[at].index) end();
      analysis = said;
      return mistakes.length > 0 && hints < 2;
    },
  };
})();

// The coach's verdict on each move of a record: the graph under the board, the accuracy, and the worst moves. The
// verdicts are those of the analyses that all views share.
export const Review = (() => {
  // Positions at a time, by the plies of the search: progress shows, and each step is short.
  const CHUNKS = { 1: 256, 2: 256, 3: 64 };
  const SLOW_CHUNK = 16; // of deeper searches
  const MILLISECONDS = 100; // for a second look at each move that is not good, as Play looks at every move
  const INVITATION = "The coach looks at every move, and says where the game turned.";
  const HALF = 0.01; // the loss that halves the accuracy of a move, as a share of the verdict's scale
  const reviewing = new Question("replay");
  let view = null; // with `jump` to a position, and `look`
  let record = null;
  let positions = [];
  let asked = null; // how the coach was asked for this review; null before
  let judged = []; // the verdicts, with index and the move played

  const tell = (text) => { byId("review-note").textContent = text; };
  const accuracy = ({ loss, scale }) => 100 * 0.5 ** (Verdicts.share(loss, scale) / HALF);
  const isBad = ({ name }) => !["best", "good"].includes(name);
  const isMistake = ({ name }) => ["mistake", "blunder"].includes(name);
  const worst = (moves) => moves.filter(({ loss }) => loss > 0)
    .sort((a, b) => b.loss / b.scale - a.loss / a.scale).slice(0, 10);

  function reset(nextRecord, nextPositions) {
    reviewing.end();
    [record, positions, asked] = [nextRecord, nextPositions, null];
    show([]);
    byId("review").hidden = Rules.isSmall(record.start);
    tell(byId("review").hidden ? "Only games on a 4x4 board are reviewed." : INVITATION);
  }

  async function start() {
    if (record === null) return;
    reset(record, positions);
    if (!Agents.hasValues) return tell(Agents.needsValues);
    asked = Agents.recordQuestion(record);
    let failure = "";
    try {
      await reviewing.ask(read);
    } catch ({ message }) {
      failure = message;
    }
    showButton();
    if (failure !== "") tell(failure);
    view.look();
  }

  // The results so far stay when the review is stopped, unless there is another record.
  async function read(signal) {
    const [{ steps }, settings] = [record, asked];
    const size = CHUNKS[settings.plies] ?? SLOW_CHUNK;
    const found = [];
    const isMine = () => asked === settings;
    try {
      for (let first = 0; first < steps.length; first += size) {
        showProgress(first / steps.length, "The coach looks at every move.");
        const boards = positions.slice(first, Math.min(first + size, steps.length)).map(({ board }) => board);
        await Analyses.all(boards, settings, signal);
        boards.forEach((_, index) => found.push(verdictOn(first + index)));
      }
      if (Answers.isHere(settings)) await readDeeper(found.filter(isBad), settings, signal);
    } finally {
      if (isMine()) show(found.map(({ index }) => verdictOn(index)));
    }
  }

  function verdictOn(index) {
    const { move } = record.steps[index];
    return { index, played: move, ...Analyses.verdict(positions[index].board, move, record.four) };
  }

  async function readDeeper(list, { plies, ...settings }, signal) {
    for (const [number, { index }] of list.entries()) {
      showProgress(number / list.length, "The coach looks longer at moves that are not good.");
      await Analyses.of(positions[index].board, { ...settings, milliseconds: MILLISECONDS }, signal);
      signal.throwIfAborted();
    }
  }

  function showProgress(share, text) {
    byId("review-progress").value = share;
    showButton();
    tell(text);
  }

  function showButton() {
    byId("review-progress").hidden = !reviewing.isOpen;
    byId("review").textContent = reviewing.isOpen ? "Stop" : asked === null ? "Review" : "Again";
  }

  function show(found) {
    judged = found;
    LossGraph.show(judged, positions);
    showButton();
    byId("review-facts").hidden = judged.length === 0;
    byId("accuracy").textContent = `${mean(judged.map(accuracy)).toFixed(1)}%`;
    for (const name of ["inaccuracy", "mistake", "blunder"]) {
      byId(`count-${name}`).textContent = grouped(judged.filter((one) => one.name === name).length);
    }
    byId("worst").replaceChildren(...worst(judged).map((one) => element("li", {}, element(
      "button", { "data-index": one.index, onclick: () => visit(one.index) },
      element("span", {}, `Move ${grouped(one.index + 1)}: ${Rules.MOVES[one.played]}, best ${Rules.MOVES[one.best]}`),
      element("small", {}, one.name), element("b", { class: isMistake(one) ? "bad" : "" }, lost(one.loss))))));
    Learn.end();
    const [count, all] = [judged.length, record.steps.length];
    const part = count < all ? ` Stopped after ${grouped(count)} of ${plural(all, "move")}.` : "";
    tell(all === 0 ? "There are no moves yet." : count === 0 ? INVITATION
      : `${grouped(judged.filter(({ loss }) => loss === 0).length)} of ${plural(count, "move")} were the best move to `
        + `${Agents.nameOf(asked)}.${part}`);
    if (count === all && record.id) Ledger.note(record.id, { verdicts: Verdicts.tally(judged) });
  }

  // Shows a position, and the board with it: on a phone it is out of sight.
  function visit(index) {
    view.jump(index);
    byId("board").scrollIntoView({ block: "nearest" });
  }

  // The exercises: mistakes and blunders, in the order of the game.
  const exercises = () => worst(judged.filter(isMistake)).sort((a, b) => a.index - b.index);

  clicks({
    review: () => (reviewing.isOpen ? reviewing.end() : start()),
    "learn-start": () => Learn.start(exercises(), visit, view.look),
    "learn-end"() {
      Learn.end();
      view.look();
    },
  });

  return {
    reset, start,
    connect(replay) { view = replay; },
    // Marks the entry of the position that is on the board.
    mark(at) {
      for (const button of byId("worst").querySelectorAll("button")) {
        button.setAttribute("aria-current", String(Number(button.dataset.index) === at));
      }
    },
    // Removes what another coach, or a coach with other settings, has found.
    refresh() {
      const isOld = asked !== null && JSON.stringify(asked) !== JSON.stringify(Agents.recordQuestion(record));
      if (isOld) reset(record, positions);
    },
    // A position has another analysis: so have the moves that were made there.
    update(board) {
      if (reviewing.isOpen || Learn.isOn) return;
      const isOf = ({ index }) => Rules.hex(positions[index].board) === Rules.hex(board);
      if (judged.some(isOf)) show(judged.map((one) => (isOf(one) ? verdictOn(one.index) : one)));
    },
  };
})();
