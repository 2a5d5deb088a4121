// Which moves of a record lost most: the coach judges each one.
const Review = (() => {
  // Positions at a time, by the plies of the search: progress shows, and each step is short.
  const CHUNKS = { 1: 256, 2: 256, 3: 64 };
  const SLOW_CHUNK = 16; // of deeper searches, and of agents that play whole games for a thought
  const INVITATION = "The coach looks at every move and says where most was lost.";
  let record = null;
  let positions = [];
  let running = null; // an AbortController
  let asked = null; // how the coach was asked for this review; null before

  function reset(nextRecord, nextPositions) {
    stop();
    [record, positions, asked] = [nextRecord, nextPositions, null];
    byId("worst").replaceChildren();
    LossGraph.clear();
    byId("review-note").textContent = INVITATION;
  }

  async function start() {
    stop();
    if (record === null) return;
    if (!Agents.hasValues) {
      byId("review-note").textContent = Agents.needsValues;
      return;
    }
    const question = Agents.recordQuestion;
    asked = question;
    const judge = Agents.nameOf(question);
    const mine = (running = new AbortController());
    const losses = [];
    showProgress(0);
    try {
      const size = Agents.coach.maximumPlies > 0 ? CHUNKS[question.plies] ?? SLOW_CHUNK : SLOW_CHUNK;
      await read(losses, { ...question, four: record.four }, mine.signal, size);
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
    showWorst(losses, judge);
  }

  async function read(losses, settings, signal, size) {
    const { steps } = record;
    for (let first = 0; first < steps.length; first += size) {
      showProgress(first / steps.length);
      const chunk = steps.slice(first, first + size)
        .map(({ move }, index) => ({ board: positions[first + index].board, move }));
      const { moves } = await Answers.review(chunk, settings, signal);
      moves.forEach((candidate, index) => {
        const loss = isAsGood(candidate) ? 0 : -candidate.difference;
        losses.push({ index: first + index, best: Rules.LETTERS.indexOf(candidate.best), loss });
      });
    }
  }

  // What was found so far stays; with another record it does not.
  function stop() {
    if (running === null) return;
    running.abort();
    running = null;
    hideProgress();
  }

  function showProgress(share) {
    byId("review-progress").hidden = false;
    byId("review-progress").value = share;
    byId("review").textContent = "Stop";
  }

  function hideProgress() {
    byId("review-progress").hidden = true;
    byId("review").textContent = "Find them";
  }

  function showWorst(losses, judge) {
    const total = losses.reduce((sum, { loss }) => sum + loss, 0);
    const matched = losses.filter(({ loss }) => loss === 0).length;
    const isPart = losses.length < record.steps.length;
    const part = isPart ? ` Stopped after ${grouped(losses.length)} of ${plural(record.steps.length, "move")}.` : "";
    byId("review-note").textContent = record.steps.length === 0 ? "There are no moves yet."
      : losses.length === 0 ? INVITATION
        : `${grouped(matched)} of ${plural(losses.length, "move")} were the best move to ${judge}; `
          + `on average ${lossText(total / losses.length)} points were lost per move.${part}`;
    LossGraph.show(losses, record.steps.length);
    const worst = losses.filter(({ loss }) => loss > 0).sort((a, b) => b.loss - a.loss).slice(0, 10);
    byId("worst").replaceChildren(...worst.map(({ index, best, loss }) => {
      const text = `Move ${grouped(index + 1)}: ${Rules.MOVES[record.steps[index].move]}, best ${Rules.MOVES[best]}`;
      return element("li", {}, element(
        "button", { "data-index": index, onclick: () => visit(index) }, element("span", {}, text),
        element("b", {}, `−${lossText(loss)}`)));
    }));
  }

  // Shows a position, and the board with it: on a phone it is out of sight.
  function visit(index) {
    Replay.jump(index);
    byId("board").scrollIntoView({ block: "nearest" });
  }

  // The entry of the position that is on the board.
  function mark(at) {
    LossGraph.mark(at);
    for (const button of byId("worst").querySelectorAll("button")) {
      button.setAttribute("aria-current", String(Number(button.dataset.index) === at));
    }
  }

  byId("review").addEventListener("click", () => (running === null ? start() : running.abort()));

  // Removes what another coach, or a coach with other settings, has found.
  function refresh() {
    const isOld = asked !== null && JSON.stringify(asked) !== JSON.stringify(Agents.recordQuestion);
    if (isOld) reset(record, positions);
  }

  return { reset, refresh, start, mark, visit, stop: () => running?.abort() };
})();
