import { Answers } from "../engine/answers.js";
import { byId, capital, clicks, drawing, element, grouped, mean, plural } from "../core/text.js";
import { bestMove, isAsGood, lossText, Rules, Verdicts } from "../core/game.js";
import { lost } from "../core/views.js";
import { thin } from "../core/chart.js";
import { Table } from "../play/table.js";
import { Agents } from "../play/agents.js";

// The graph under the board: the final score that is expected after each move, or the score before a review, as a line.
// A bar is the share that a move lost, or the largest one of neighbours where there are more moves than room.
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
    const points = judged.length === 0 ? positions.map(({ score }, index) => [index, score])
      : judged.map(({ index, value }) => [index, positions[index].score + value]);
    const scale = (HEIGHT - 6) / most(points, ([, value]) => value);
    const path = thin(points, width())
      .map(([at, value]) => `${x(at).toFixed(1)} ${(HEIGHT - 2 - value * scale).toFixed(1)}`).join("L");
    const end = x(points.at(-1)[0]).toFixed(1);
    const size = Math.max(1, Math.ceil(positions.length / Math.floor(width() / STEP)));
    const groups = Map.groupBy(judged.filter(({ loss }) => loss > 0), ({ index }) => Math.floor(index / size));
    const share = ({ loss, scale: points }) => Verdicts.share(loss, points);
    bars = [...groups.values()].map((group) => group.reduce((worst, one) => (share(one) > share(worst) ? one : worst)));
    const largest = most(bars, share);
    svg.replaceChildren(drawing("path", { class: "value-area", d: `M${x(0)} ${HEIGHT}L${path}L${end} ${HEIGHT}Z` }),
      drawing("path", { class: "value-line", d: `M${path}` }), ...bars.map((one) => drawing("line", {
        class: "loss", x1: x(one.index), x2: x(one.index), y1: HEIGHT - (share(one) / largest) * BARS, y2: HEIGHT })));
    const worst = bars.find((one) => share(one) === largest);
    svg.setAttribute("aria-label", judged.length === 0 ? "Score over the game."
      : `Expected score over the game, and what was lost. ${worst === undefined ? "Hardly anything was lost."
        : `Most was lost at move ${grouped(worst.index + 1)}: ${lost(worst.loss, worst.scale)}.`}`);
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
    byId("learn").hidden = !isOn;
    byId("worst").hidden = isOn;
    byId("learn-start").hidden = isOn || byId("worst").children.length === 0;
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
    if (!legal) Table.view.refuse(move);
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

// The coach's verdict on each move of a record: the graph under the board, the accuracy, and the worst moves.
export const Review = (() => {
  // Positions at a time, by the plies of the search: progress shows, and each step is short.
  const CHUNKS = { 1: 256, 2: 256, 3: 64 };
  const SLOW_CHUNK = 16; // of deeper searches, and of agents that play whole games for a thought
  const MILLISECONDS = 100; // for a second look at each move that is not good, as Play looks at every move
  const INVITATION = "The coach looks at every move, and says where the game turned.";
  const HALF = 0.01; // the loss that halves the accuracy of a move, as a share of the position's value
  let view = null; // with `jump` to a position, and `refresh`
  let record = null;
  let positions = [];
  let running = null; // an AbortController
  let asked = null; // how the coach was asked for this review; null before
  let judged = []; // by move: index, the moves played and best, the position's value, the loss
  let deeper = new Map(); // the values of positions that were looked at once more, by index

  const tell = (text) => { byId("review-note").textContent = text; };
  const lossOf = (candidate) => (isAsGood(candidate) ? 0 : -candidate.difference);
  const accuracy = ({ loss, scale }) => 100 * 0.5 ** (Verdicts.share(loss, scale) / HALF);
  const verdict = ({ loss, scale }) => Verdicts.of(loss, scale).name;
  const worst = (moves) => moves.filter(({ loss }) => loss > 0)
    .sort((a, b) => b.loss / b.scale - a.loss / a.scale).slice(0, 10);

  function reset(nextRecord, nextPositions) {
    running?.abort();
    [record, positions, asked, deeper, running] = [nextRecord, nextPositions, null, new Map(), null];
    show([]);
    byId("review").hidden = Rules.isSmall(record.start);
    tell(byId("review").hidden ? "Only games on a 4x4 board are reviewed." : INVITATION);
  }

  async function start() {
    if (record === null) return;
    reset(record, positions);
    if (!Agents.hasValues) return tell(Agents.needsValues);
    const mine = (running = new AbortController());
    const found = [];
    let failure = null;
    asked = Agents.recordQuestion;
    try {
      const settings = { ...asked, four: record.four };
      await read(found, settings, mine.signal);
      if (Answers.isHere(settings)) await readDeeper(found, settings, mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) failure = error.message;
    }
    // The results so far stay, unless there is another record.
    if (running !== mine) return;
    running = null;
    show(found);
    if (failure !== null) tell(failure);
    view.refresh();
  }

  async function read(found, settings, signal) {
    const { steps } = record;
    const size = Agents.coach.maximumPlies > 0 ? CHUNKS[settings.plies] ?? SLOW_CHUNK : SLOW_CHUNK;
    for (let first = 0; first < steps.length; first += size) {
      showProgress(first / steps.length, "The coach looks at every move.");
      const chunk = steps.slice(first, first + size).map(({ move }, index) => ({ ...positions[first + index], move }));
      const { moves } = await Answers.review(chunk.map(({ board, move }) => ({ board, move })), settings, signal);
      found.push(...moves.map((said, index) => ({
        index: first + index, played: chunk[index].move, best: Rules.LETTERS.indexOf(said.best), value: said.value,
        scale: Verdicts.scale(said.value, chunk[index].board), loss: lossOf(said),
      })));
    }
  }

  // The verdict on a position is what was seen deepest, in the list as well as beside the board.
  async function readDeeper(found, settings, signal) {
    const longer = { ...settings, plies: undefined, milliseconds: MILLISECONDS };
    const list = found.filter((one) => !["best", "good"].includes(verdict(one)));
    for (const [number, one] of list.entries()) {
      showProgress(number / list.length, "The coach looks longer at moves that are not good.");
      const { board } = positions[one.index];
      const analysis = await Answers.analyze(board, longer, signal);
      if (analysis.plies <= settings.plies) continue;
      deeper.set(one.index, analysis);
      const best = bestMove(analysis);
      const { value } = analysis.moves[best];
      const scale = Verdicts.scale(value, board);
      Object.assign(one, { best, value, scale, loss: lossOf(analysis.moves[one.played]) });
    }
  }

  function showProgress(share, text) {
    byId("review-progress").value = share;
    showButton();
    tell(text);
  }

  function showButton() {
    byId("review-progress").hidden = running === null;
    byId("review").textContent = running !== null ? "Stop" : asked === null ? "Review" : "Again";
  }

  function show(found) {
    judged = found;
    LossGraph.show(judged, positions);
    showButton();
    byId("review-facts").hidden = judged.length === 0;
    byId("accuracy").textContent = `${mean(judged.map(accuracy)).toFixed(1)}%`;
    for (const name of ["inaccuracy", "mistake", "blunder"]) {
      byId(`count-${name}`).textContent = grouped(judged.filter((one) => verdict(one) === name).length);
    }
    byId("worst").replaceChildren(...worst(judged).map((one) => element("li", {}, element(
      "button", { "data-index": one.index, onclick: () => visit(one.index) },
      element("span", {}, `Move ${grouped(one.index + 1)}: ${Rules.MOVES[one.played]}, best ${Rules.MOVES[one.best]}`),
      element("small", {}, verdict(one)), element("b", {}, lost(one.loss, one.scale))))));
    Learn.end();
    const [count, all] = [judged.length, record.steps.length];
    const part = count < all ? ` Stopped after ${grouped(count)} of ${plural(all, "move")}.` : "";
    tell(all === 0 ? "There are no moves yet." : count === 0 ? INVITATION
      : `${grouped(judged.filter(({ loss }) => loss === 0).length)} of ${plural(count, "move")} were the best move to `
        + `${Agents.nameOf(asked)}.${part}`);
  }

  // Shows a position, and the board with it: on a phone it is out of sight.
  function visit(index) {
    view.jump(index);
    byId("board").scrollIntoView({ block: "nearest" });
  }

  clicks({
    review: () => (running === null ? start() : running.abort()),
    "learn-start": () => Learn.start(worst(judged).sort((a, b) => a.index - b.index), visit, view.refresh),
    "learn-end"() {
      Learn.end();
      view.refresh();
    },
  });

  return {
    reset, start,
    connect(replay) { view = replay; },
    stop: () => running?.abort(),
    // Marks the entry of the position that is on the board.
    mark(at) {
      for (const button of byId("worst").querySelectorAll("button")) {
        button.setAttribute("aria-current", String(Number(button.dataset.index) === at));
      }
    },
    // Removes what another coach, or a coach with other settings, has found.
    refresh() {
      const isOld = asked !== null && JSON.stringify(asked) !== JSON.stringify(Agents.recordQuestion);
      if (isOld) reset(record, positions);
    },
    // The deeper analysis of a position, if there is one.
    deeper: (index) => deeper.get(index),
  };
})();
