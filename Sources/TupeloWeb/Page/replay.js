// The view in which a recorded game is looked back at.
const Replay = (() => {
  const analyst = new Analyst();
  const CHUNK = 256; // positions reviewed per request
  let record = null;
  let positions = [];
  let at = 0;
  let timer = null;
  let review = 0; // number of the review in progress; a newer one ends it
  let isShown = false;

  function load(next, name) {
    pause();
    review += 1;
    record = { ...next, name };
    positions = GameText.replay(next);
    byId("worst").replaceChildren();
    byId("review-progress").hidden = true;
    byId("review-note").textContent = "The coach looks at every move and says where most was lost.";
    byId("record-error").textContent = "";
    const last = positions[positions.length - 1];
    byId("record-note").textContent =
      `${name}: ${next.agent || "unknown player"}, ${plural(next.steps.length, "move")}, ${grouped(last.score)} points, `
      + `largest tile ${grouped(Rules.tile(Rules.largest(last.board)))}.`;
    byId("scrub").max = next.steps.length;
    go(positions.length - 1);
  }

  // Shows position `index`; a single step on is shown as a move.
  function go(index, { isMove = false } = {}) {
    if (record === null) return;
    const next = Math.min(Math.max(index, 0), positions.length - 1);
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
    byId("scrub-text").textContent = `${grouped(at)} of ${grouped(record.steps.length)}`;
    const following = record.steps[at];
    byId("scrub").setAttribute(
      "aria-valuetext", `Position ${at}${following ? `, next move ${Rules.MOVES[following.move]}` : ", the end"}`);
    for (const button of byId("worst").querySelectorAll("button")) {
      button.setAttribute("aria-current", String(Number(button.dataset.index) === at));
    }
    showHint(board);
  }

  async function showHint(board) {
    Table.view.hint(null);
    if (timer !== null || !Agents.hasValues) return;
    try {
      const analysis = await analyst.of(board, { ...Table.question(), four: record.four });
      if (isShown && timer === null && positions[at]?.board === board) Table.view.hint(bestMove(analysis));
    } catch (error) {
      byId("record-error").textContent = error.message;
    }
  }

  function play() {
    if (record === null) return;
    if (at === positions.length - 1) go(0);
    Table.duration(160);
    timer = setInterval(() => {
      go(at + 1, { isMove: true });
      if (at === positions.length - 1) pause();
    }, 160);
    showButton();
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    showButton();
  }

  function showButton() {
    icon(byId("replay-run").querySelector("use"), timer === null ? "play" : "pause");
    byId("replay-run").setAttribute("aria-label", timer === null ? "Play the record" : "Pause");
  }

  const toggle = () => (timer === null ? play() : pause());
  const jump = (index) => () => {
    pause();
    Table.duration(1000);
    go(index(), { isMove: index() === at + 1 });
  };

  // What is no record is told at once; what looks like one, the server's engine checks as well.
  async function open(file) {
    try {
      if (file.size > 500_000) throw new Error("The file is too large for a game record.");
      const text = await file.text();
      const read = GameText.read(text);
      GameText.replay(read);
      await Server.replay(text);
      load(read, file.name);
    } catch (error) {
      byId("record-error").textContent = `${file.name}: ${error.message}`;
    }
  }

  // The moves in pieces, so that progress shows and no request takes long.
  async function findWorst() {
    if (record === null) return;
    const { steps, four } = record;
    const mine = (review += 1);
    const note = byId("review-note");
    const bar = byId("review-progress");
    if (!Agents.hasValues) {
      note.textContent = Agents.needsValues;
      return;
    }
    const settings = { agent: Table.settings.agent, plies: Math.min(Table.settings.plies, 2), four };
    const { maximumPlies, title } = Agents.current;
    // Agents that do not search play whole games for a thought, and may be asked little at a time.
    const chunkSize = maximumPlies > 0 ? CHUNK : 16;
    const losses = [];
    bar.hidden = false;
    try {
      for (let first = 0; first < steps.length; first += chunkSize) {
        bar.value = first / steps.length;
        const chunk = steps.slice(first, first + chunkSize)
          .map((step, index) => Rules.hex(positions[first + index].board) + Rules.LETTERS[step.move]);
        const { moves } = await Server.review(chunk, settings);
        if (mine !== review) return;
        moves.forEach((candidate, index) => {
          const loss = isAsGood(candidate) ? 0 : -candidate.difference;
          losses.push({ index: first + index, best: Rules.LETTERS.indexOf(candidate.best), loss });
        });
      }
    } catch (error) {
      note.textContent = error.message;
      bar.hidden = true;
      return;
    }
    bar.hidden = true;
    showWorst(losses, maximumPlies > 0 ? `${title} at ${settings.plies}-ply` : title);
  }

  function showWorst(losses, judge) {
    const total = losses.reduce((sum, { loss }) => sum + loss, 0);
    const matched = losses.filter(({ loss }) => loss === 0).length;
    byId("review-note").textContent = losses.length === 0 ? "There are no moves yet."
      : `${matched} of ${grouped(losses.length)} were the best move to ${judge}; ${lossText(total / losses.length)} `
        + "points were lost a move.";
    const worst = losses.filter(({ loss }) => loss > 0).sort((a, b) => b.loss - a.loss).slice(0, 10);
    byId("worst").replaceChildren(...worst.map(({ index, best, loss }) => {
      const text = `Move ${grouped(index + 1)}: ${Rules.MOVES[record.steps[index].move]}, best ${Rules.MOVES[best]}`;
      return element("li", {}, element(
        "button", { "data-index": index, onclick: jump(() => index) }, element("span", {}, text),
        element("b", {}, `−${lossText(loss)}`)));
    }));
  }

  function loadCurrent() {
    load(GameText.read(Table.game.text), "This game");
  }

  byId("load-current").addEventListener("click", loadCurrent);
  byId("load-file").addEventListener("click", () => byId("record-file").click());
  byId("record-file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) open(file);
    event.target.value = "";
  });
  byId("save-record").addEventListener("click", () => {
    if (record !== null) download("2048-game.txt", GameText.write(record));
  });
  byId("scrub").addEventListener("input", () => {
    pause();
    go(Number(byId("scrub").value));
  });
  byId("to-first").addEventListener("click", jump(() => 0));
  byId("to-back").addEventListener("click", jump(() => at - 1));
  byId("to-forth").addEventListener("click", jump(() => at + 1));
  byId("to-last").addEventListener("click", jump(() => positions.length - 1));
  byId("replay-run").addEventListener("click", toggle);
  byId("review").addEventListener("click", findWorst);
  byId("play-on").addEventListener("click", () => {
    if (record === null) return;
    const start = positions[at].board;
    location.hash = "#play";
    Table.replace(new Game({ four: record.four, start }), "Play on from here.");
  });

  return {
    enter() {
      isShown = true;
      Table.hideNotice();
      if (record === null || record.name === "This game") loadCurrent();
      else go(at);
    },
    leave() {
      isShown = false;
      pause();
      Table.view.hint(null);
    },
    move(move) {
      if (move === 1) jump(() => at + 1)();
      if (move === 3) jump(() => at - 1)();
      return move === 1 || move === 3;
    },
    command(key) {
      if (key === " ") toggle();
      return key === " ";
    },
  };
})();
