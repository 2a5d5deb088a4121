// What the coach says of each move of a record: the graph under the board, one number, and where most was lost.
const Review = (() => {
  // Positions at a time, by the plies of the search: progress shows, and each step is short.
  const CHUNKS = { 1: 256, 2: 256, 3: 64 };
  const SLOW_CHUNK = 16; // of deeper searches, and of agents that play whole games for a thought
  const DEEPER = { moves: 20, plies: 2, milliseconds: 400, most: 100 }; // the worst moves are looked at once more
  const INVITATION = "The coach looks at every move, and says where the game turned.";
  const HALF = 0.01; // the loss that halves the accuracy of a move, as a share of the position's value
  let record = null;
  let positions = [];
  let running = null; // an AbortController
  let asked = null; // how the coach was asked for this review; null before
  let judged = []; // by move: index, the moves played and best, the position's value, the loss
  let deeper = new Map(); // the values of positions that were looked at once more, by index

  const tell = (text) => { byId("review-note").textContent = text; };
  const lossOf = (candidate) => (isAsGood(candidate) ? 0 : -candidate.difference);
  const accuracy = ({ loss, value }) => 100 * 0.5 ** (Verdicts.share(loss, value) / HALF);
  const worst = (moves, count) => moves.filter(({ loss }) => loss > 0).sort((a, b) => b.loss - a.loss).slice(0, count);

  function reset(nextRecord, nextPositions) {
    running?.abort();
    [record, positions, asked, deeper, running] = [nextRecord, nextPositions, null, new Map(), null];
    show([]);
    tell(INVITATION);
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
    Replay.refresh();
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
        loss: lossOf(said),
      })));
    }
  }

  // The verdict on a position is what was seen deepest, in the list as well as beside the board. Moves that are among
  // the worst once others turn out to be better are looked at, too.
  async function readDeeper(found, settings, signal) {
    const further = { ...settings, plies: settings.plies + DEEPER.plies, milliseconds: DEEPER.milliseconds };
    const seen = new Set();
    const left = () => worst(found, DEEPER.moves).filter((one) => !seen.has(one));
    for (let [one, ...others] = left(); one && seen.size < DEEPER.most; [one, ...others] = left()) {
      showProgress(seen.size / (seen.size + others.length + 1), "The coach looks at the worst moves once more.");
      seen.add(one);
      const analysis = await Answers.analyze(positions[one.index].board, further, signal);
      if (analysis.plies <= settings.plies) continue;
      deeper.set(one.index, analysis);
      const best = bestMove(analysis);
      Object.assign(one, { best, value: analysis.moves[best].value, loss: lossOf(analysis.moves[one.played]) });
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
    const verdict = ({ loss, value }) => Verdicts.of(loss, value).name;
    for (const name of ["inaccuracy", "mistake", "blunder"]) {
      byId(`count-${name}`).textContent = grouped(judged.filter((one) => verdict(one) === name).length);
    }
    byId("worst").replaceChildren(...worst(judged, 10).map((one) => element("li", {}, element(
      "button", { "data-index": one.index, onclick: () => visit(one.index) },
      element("span", {}, `Move ${grouped(one.index + 1)}: ${Rules.MOVES[one.played]}, best ${Rules.MOVES[one.best]}`),
      element("small", {}, verdict(one)), element("b", {}, `−${lossText(one.loss)}`)))));
    Learn.end();
    const [count, all] = [judged.length, record.steps.length];
    const part = count < all ? ` Stopped after ${grouped(count)} of ${plural(all, "move")}.` : "";
    const losses = judged.map(({ loss }) => loss);
    tell(all === 0 ? "There are no moves yet." : count === 0 ? INVITATION
      : `${grouped(losses.filter((loss) => loss === 0).length)} of ${plural(count, "move")} were the best move to `
        + `${Agents.nameOf(asked)}; on average ${lossText(mean(losses))} points lost per move.${part}`);
  }

  // Shows a position, and the board with it: on a phone it is out of sight.
  function visit(index) {
    Replay.jump(index);
    byId("board").scrollIntoView({ block: "nearest" });
  }

  function endLearning() {
    Learn.end();
    Replay.refresh();
  }

  clicks({
    review: () => (running === null ? start() : running.abort()), "learn-end": endLearning,
    "learn-start": () => Learn.start(worst(judged, 10).sort((a, b) => a.index - b.index), visit),
  });

  return {
    reset, start,
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
    // What was seen of a position that was looked at once more.
    deeper: (index) => deeper.get(index),
  };
})();
