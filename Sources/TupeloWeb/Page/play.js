// The view in which a person plays: the coach, the rules, the board set by hand.
const Play = (() => {
  const values = new ValuesView(byId("play-values"));
  const analyst = new Analyst();
  let isShown = false;
  let played = 0; // moves of this game that were judged
  let matched = 0;
  let lost = 0; // points

  function refresh() {
    const { game } = Table;
    byId("undo").disabled = !game.canUndo;
    byId("redo").disabled = !game.canRedo;
    if (!isShown) return;
    const { hints } = Table.settings;
    byId("play-values").hidden = !hints;
    if (!hints) Table.view.hint(null);
    if (Agents.hasValues) advise(game.board);
  }

  // The coach knows the board before the person moves, so that the move can be judged at once.
  async function advise(board) {
    let analysis;
    try {
      analysis = await analyst.of(board, Table.question());
    } catch (error) {
      byId("coach-note").textContent = error.message;
      return;
    }
    byId("coach-note").textContent = "";
    if (board !== Table.game.board || !isShown || !Table.settings.hints) return;
    values.show(analysis);
    Table.view.hint(bestMove(analysis));
  }

  async function judge({ before, step }) {
    if (!Agents.hasValues) return;
    let analysis;
    try {
      analysis = await analyst.of(before, Table.question());
    } catch {
      return; // advise() says what is wrong
    }
    const candidate = analysis.moves[step.move];
    const loss = isAsGood(candidate) ? 0 : -candidate.difference;
    played += 1;
    lost += loss;
    if (loss === 0) matched += 1;
    const name = Rules.MOVES[step.move];
    const verdict = loss === 0
      ? ["Your ", element("strong", {}, name), " was the best move."]
      : ["Your ", element("strong", {}, name), ` fell ${lossText(loss)} points short of ${analysis.best}.`];
    byId("verdict").replaceChildren(
      ...verdict, ` Best moves so far: ${matched} of ${played}, ${lossText(lost / played)} points lost a move.`);
  }

  function forget() {
    played = matched = lost = 0;
    byId("verdict").textContent = "";
    values.clear();
  }

  Table.onChange(({ kind, trace, player }) => {
    if (kind === "new") forget();
    if (kind === "undo" || kind === "redo") byId("verdict").textContent = "";
    if (kind === "move" && player === "person") judge(trace);
    refresh();
  });

  function setBoard() {
    const error = byId("board-error");
    try {
      const board = Rules.parse(byId("board-input").value);
      if (Rules.largest(board) === 0) throw new Error("A board needs at least one tile.");
      error.textContent = "";
      Table.replace(new Game({ four: Table.settings.four, start: board }), "The board is set.");
    } catch (problem) {
      error.textContent = problem.message;
    }
  }

  byId("new-game").addEventListener("click", Table.restart);
  byId("undo").addEventListener("click", Table.undo);
  byId("redo").addEventListener("click", Table.redo);
  byId("set-board").addEventListener("click", setBoard);
  byId("read-board").addEventListener("click", () => {
    const { board } = Table.game;
    const rows = [0, 4, 8, 12].map((first) => board.slice(first, first + 4).map(Rules.tile).join(" "));
    byId("board-input").value = rows.join("\n");
  });
  byId("odds").value = String(Table.settings.four);
  byId("odds").addEventListener("change", () => {
    Table.set({ four: Number(byId("odds").value) });
    if (Table.game.hasStarted) {
      toast("The next new game has these tiles.", { label: "New game now", run: Table.restart });
    } else {
      Table.restart();
    }
  });
  byId("show-hints").checked = Table.settings.hints;
  byId("show-hints").addEventListener("change", () => {
    Table.set({ hints: byId("show-hints").checked });
    refresh();
  });

  // Says the best move, and shows it until the next move.
  async function hint() {
    if (!Agents.hasValues) return toast(Agents.needsValues);
    const { board } = Table.game;
    try {
      const move = bestMove(await analyst.of(board, Table.question()));
      if (move === null || board !== Table.game.board) return;
      Table.view.hint(move);
      Voice.say(`Best move: ${Rules.MOVES[move]}.`);
    } catch (error) {
      toast(error.message);
    }
  }

  return {
    enter() {
      isShown = true;
      Table.duration(1000);
      refresh();
    },
    leave() {
      isShown = false;
      Table.view.hint(null);
    },
    move: (move) => Table.play(move),
    command(key) {
      const commands = { u: Table.undo, r: Table.redo, n: Table.restart, "?": hint };
      commands[key]?.();
      return key in commands;
    },
    refresh,
  };
})();
