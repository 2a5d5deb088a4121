// The view in which a person plays: the coach, the rules, the board set by hand.
const Play = (() => {
  const values = new ValuesView(byId("play-values"));
  const analyst = new Analyst();
  let isShown = false;

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

  // The verdict belongs to the move: it is undone and redone, kept and brought back with it.
  async function judge({ before, step }) {
    if (!Agents.hasValues || !Table.settings.judges) return;
    const { game } = Table;
    let analysis;
    try {
      analysis = await analyst.of(before, Table.question());
    } catch {
      return; // advise() says what is wrong
    }
    const candidate = analysis.moves[step.move];
    step.judged = { loss: isAsGood(candidate) ? 0 : -candidate.difference, best: analysis.best };
    if (Table.game !== game) return;
    Table.save();
    showTally();
    if (game.steps[game.steps.length - 1] === step) showVerdict(step);
  }

  function showVerdict({ move, judged: { loss, best } }) {
    byId("verdict").replaceChildren(
      "Your ", element("strong", {}, Rules.MOVES[move]),
      loss === 0 ? " was the best move." : ` fell ${lossText(loss)} points short of ${best}.`);
  }

  // How good the moves of this game were that the coach saw.
  function showTally() {
    const losses = !Table.settings.judges ? [] : Table.game.steps.flatMap(({ judged }) => (judged ? [judged.loss] : []));
    const lost = losses.reduce((sum, loss) => sum + loss, 0);
    const matched = losses.filter((loss) => loss === 0).length;
    byId("tally").textContent = losses.length === 0 ? ""
      : `Best moves so far: ${grouped(matched)} of ${grouped(losses.length)}, `
        + `${lossText(lost / losses.length)} points lost a move.`;
  }

  Table.onChange(({ kind, trace, player }) => {
    byId("verdict").textContent = "";
    showTally();
    if (kind === "new") values.clear();
    if (kind === "move" && player === "person") judge(trace);
    refresh();
  });

  function setBoard() {
    const error = byId("board-error");
    try {
      const board = Rules.parse(byId("board-input").value);
      if (Rules.largest(board) === 0) throw new Error("A board needs at least one tile.");
      error.textContent = "";
      Table.replace(new Game({ ...Table.settings, start: board }), "The board is set.");
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

  byId("show-verdicts").checked = Table.settings.judges;
  byId("show-verdicts").addEventListener("change", () => {
    Table.set({ judges: byId("show-verdicts").checked });
    byId("verdict").textContent = "";
    showTally();
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
