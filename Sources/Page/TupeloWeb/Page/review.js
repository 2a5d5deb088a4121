// What the coach says of each move of a record: the graph under the board, one number, and where most was lost.
const Review = (() => {
  // Positions at a time, by the plies of the search: progress shows, and each step is short.
  const CHUNKS = { 1: 256, 2: 256, 3: 64 };
  const SLOW_CHUNK = 16; // of deeper searches, and of agents that play whole games for a thought
  const DEEPER = { moves: 20, plies: 2, milliseconds: 400 }; // the worst moves are looked at once more
  const INVITATION = "The coach looks at every move, and says where the game turned.";
  const HALF = 0.01; // the loss that halves the accuracy of a move, as a share of the position's value
  let record = null;
  let positions = [];
  let running = null; // an AbortController
  let asked = null; // how the coach was asked for this review; null before
  let judged = []; // by move: its index, the best move, the value of the position, the loss
  const deeper = new Map(); // the values of positions that were looked at once more, by index

  function reset(nextRecord, nextPositions) {
    stop();
    [record, positions, asked] = [nextRecord, nextPositions, null];
    show([]);
    byId("review-note").textContent = INVITATION;
  }

  async function start() {
    stop();
    if (record === null) return;
    if (!Agents.hasValues) {
      byId("review-note").textContent = Agents.needsValues;
      return;
    }
    asked = Agents.recordQuestion;
    const mine = (running = new AbortController());
    const found = [];
    deeper.clear();
    Learn.end();
    showProgress(0);
    const settings = { ...asked, four: record.four };
    try {
      await read(found, settings, mine.signal);
      if (Answers.isHere(settings)) await readDeeper(found, settings, mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) {
        running = null;
        hideProgress();
        byId("review-note").textContent = error.message;
        return;
      }
    }
    if (running !== mine) return;
    running = null;
    hideProgress();
    show(found);
    Replay.refresh();
  }

  async function read(found, settings, signal) {
    const { steps } = record;
    const size = Agents.coach.maximumPlies > 0 ? CHUNKS[settings.plies] ?? SLOW_CHUNK : SLOW_CHUNK;
    for (let first = 0; first < steps.length; first += size) {
      showProgress(first / steps.length);
      const chunk = steps.slice(first, first + size)
        .map(({ move }, index) => ({ board: positions[first + index].board, move }));
      const { moves } = await Answers.review(chunk, settings, signal);
      moves.forEach((said, index) => {
        const loss = isAsGood(said) ? 0 : -said.difference;
        found.push({ index: first + index, best: Rules.LETTERS.indexOf(said.best), value: said.value, loss });
      });
    }
  }

  // The verdict on a position is what was seen deepest, in the list as well as beside the board.
  async function readDeeper(found, settings, signal) {
    const plies = settings.plies + DEEPER.plies;
    for (const [number, one] of worst(found, DEEPER.moves).entries()) {
      showProgress(number / DEEPER.moves, "The worst moves are looked at once more.");
      const { board } = positions[one.index];
      const analysis = await Answers.analyze(board, { ...settings, plies, milliseconds: DEEPER.milliseconds }, signal);
      if (analysis.plies <= settings.plies) continue;
      deeper.set(one.index, analysis);
      const candidate = analysis.moves[record.steps[one.index].move];
      one.best = bestMove(analysis);
      one.value = analysis.moves[one.best].value;
      one.loss = isAsGood(candidate) ? 0 : -candidate.difference;
    }
  }

  const worst = (moves, count) => moves.filter(({ loss }) => loss > 0).sort((a, b) => b.loss - a.loss).slice(0, count);

  // What was found so far stays; with another record it does not.
  function stop() {
    if (running === null) return;
    running.abort();
    running = null;
    hideProgress();
  }

  function showProgress(share, text = "The coach looks at every move.") {
    byId("review-progress").hidden = false;
    byId("review-progress").value = share;
    byId("review").textContent = "Stop";
    byId("review-note").textContent = text;
  }

  function hideProgress() {
    byId("review-progress").hidden = true;
    byId("review").textContent = asked === null ? "Review" : "Again";
  }

  function show(found) {
    judged = found;
    if (found.length === 0) deeper.clear();
    Learn.end();
    LossGraph.show(judged, positions);
    byId("review").textContent = asked === null ? "Review" : "Again";
    byId("review-facts").hidden = judged.length === 0;
    const mean = (part) => judged.reduce((sum, one) => sum + part(one), 0) / judged.length;
    byId("accuracy").textContent = `${mean(accuracy).toFixed(1)}%`;
    const names = judged.map(({ loss, value }) => Verdicts.of(loss, value).name);
    for (const name of ["inaccuracy", "mistake", "blunder"]) {
      byId(`count-${name}`).textContent = grouped(names.filter((one) => one === name).length);
    }
    if (asked !== null) tell(mean(({ loss }) => loss));
    const list = worst(judged, 10);
    byId("learn-start").hidden = list.length === 0;
    byId("worst").replaceChildren(...list.map(({ index, best, loss, value }) => {
      const text = `Move ${grouped(index + 1)}: ${Rules.MOVES[record.steps[index].move]}, best ${Rules.MOVES[best]}`;
      return element("li", {}, element(
        "button", { "data-index": index, onclick: () => visit(index) }, element("span", {}, text),
        element("small", {}, Verdicts.of(loss, value).name), element("b", {}, `−${lossText(loss)}`)));
    }));
  }

  const accuracy = ({ loss, value }) => 100 * 0.5 ** (Verdicts.share(loss, value) / HALF);

  function tell(lost) {
    const [count, all] = [judged.length, record.steps.length];
    const matched = judged.filter(({ loss }) => loss === 0).length;
    const part = count < all ? ` Stopped after ${grouped(count)} of ${plural(all, "move")}.` : "";
    byId("review-note").textContent = all === 0 ? "There are no moves yet." : count === 0 ? INVITATION
      : `${grouped(matched)} of ${plural(count, "move")} were the best move to ${Agents.nameOf(asked)}; `
        + `on average ${lossText(lost)} points were lost per move.${part}`;
  }

  // Shows a position, and the board with it: on a phone it is out of sight.
  function visit(index) {
    Replay.jump(index);
    byId("board").scrollIntoView({ block: "nearest" });
  }

  // The entry of the position that is on the board.
  function mark(at) {
    for (const button of byId("worst").querySelectorAll("button")) {
      button.setAttribute("aria-current", String(Number(button.dataset.index) === at));
    }
  }

  byId("review").addEventListener("click", () => (running === null ? start() : running.abort()));
  byId("learn-start").addEventListener("click", () => {
    Learn.start(worst(judged, 10).sort((a, b) => a.index - b.index), record, visit);
  });

  // Removes what another coach, or a coach with other settings, has found.
  function refresh() {
    const isOld = asked !== null && JSON.stringify(asked) !== JSON.stringify(Agents.recordQuestion);
    if (isOld) reset(record, positions);
  }

  return {
    reset, refresh, start, mark, stop: () => running?.abort(),
    // What was seen of a position that was looked at once more.
    deeper: (index) => deeper.get(index),
  };
})();
