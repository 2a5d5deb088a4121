// The view in which a person plays: the coach, the rules, the board set by hand.
const Play = (() => {
  const values = new ValuesView(byId("play-values"), [...document.querySelectorAll("[data-move]")]);
  const analyst = new Analyst();
  let isShown = false;
  let retry = null; // asks again when the server did not answer

  function refresh() {
    const { game } = Table;
    byId("undo").disabled = !game.canUndo;
    byId("redo").disabled = !game.canRedo;
    if (!isShown) return;
    clearTimeout(retry);
    // What is known of another board is no advice for this one.
    Table.view.hint(null);
    byId("play-values").hidden = byId("values-note").hidden = !Table.settings.hints;
    // Whoever plays without a coach asks nobody, and loads no model.
    if (Agents.hasValues && (Table.settings.hints || Table.settings.judges)) return advise(game.board);
    values.clear();
    if (Agents.hasValues) tell("", false);
  }

  function tell(text, isError) {
    byId("coach-note").textContent = text;
    byId("coach-note").className = isError ? "error" : "note";
  }

  // The coach knows the board before the person moves, so that the move can be judged at once.
  async function advise(board) {
    values.wait();
    const isNews = () => board === Table.game.board && isShown;
    let analysis;
    try {
      analysis = await analyst.of(board, Table.question());
    } catch (error) {
      if (!isNews()) return;
      values.clear();
      tell(error.isFinal ? error.message : `${error.message} The coach asks again.`, true);
      if (!error.isFinal) retry = setTimeout(refresh, 2000);
      return;
    }
    if (!isNews()) return;
    tell("", false);
    if (!Table.settings.hints) return values.clear();
    const best = bestMove(analysis);
    values.show(analysis);
    Table.view.hint(best);
    byId("live-coach").textContent = best === null ? "" : `Best move now: ${Rules.MOVES[best]}.`;
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
    const name = (word) => word[0].toUpperCase() + word.slice(1);
    byId("verdict").replaceChildren(
      element("strong", {}, name(Rules.MOVES[move])), loss === 0 ? " was the best move."
        : ` was not the best move: about ${lossText(loss)} points fewer than ${name(best)}.`);
  }

  // How good the moves of this game were that the coach saw.
  function showTally() {
    const steps = Table.settings.judges ? Table.game.steps : [];
    const losses = steps.flatMap(({ judged }) => (judged ? [judged.loss] : []));
    const lost = losses.reduce((sum, loss) => sum + loss, 0);
    const matched = losses.filter((loss) => loss === 0).length;
    byId("tally").textContent = losses.length === 0 ? ""
      : `Best moves so far: ${grouped(matched)} of ${grouped(losses.length)}, `
        + `on average ${lossText(lost / losses.length)} points lost per move.`;
  }

  Table.onChange(({ kind, trace, player }) => {
    byId("verdict").textContent = "";
    showTally();
    if (kind === "new") byId("board-error").textContent = "";
    if (kind === "move" && player === "person") judge(trace);
    refresh();
  });

  function setBoard() {
    const error = byId("board-error");
    try {
      const start = typedBoard(byId("board-input").value);
      Table.replace(new Game({ ...Table.settings, start }), "The board is set.");
      byId("board").scrollIntoView({ block: "nearest" });
    } catch (problem) {
      error.textContent = problem.message;
    }
  }

  byId("new-game").addEventListener("click", Table.restart);
  byId("undo").addEventListener("click", Table.undo);
  byId("redo").addEventListener("click", Table.redo);
  byId("set-board").addEventListener("click", setBoard);
  byId("board-input").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) setBoard();
  });
  byId("read-board").addEventListener("click", () => {
    const { board } = Table.game;
    const rows = [0, 4, 8, 12].map((first) => board.slice(first, first + 4).map(Rules.tile).join(" "));
    byId("board-input").value = rows.join("\n");
  });
  // Other rules are the next game's.
  for (const [id, name] of [["odds", "four"], ["start-tiles", "startTiles"]]) {
    byId(id).value = String(Table.settings[name]);
    byId(id).addEventListener("change", () => {
      Table.set({ [name]: Number(byId(id).value) });
      if (Table.game.hasStarted) {
        toast("The next new game has these tiles.", { label: "New game now", run: Table.restart });
      } else {
        Table.restart();
      }
    });
  }
  for (const [id, name] of [["coach", "coach"], ["coach-plies", "coachPlies"]]) {
    byId(id).addEventListener("change", () => {
      Table.set({ [name]: name === "coach" ? byId(id).value : Number(byId(id).value) });
      Agents.show();
      refresh();
    });
  }
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
    refresh();
  });

  byId("hint").addEventListener("click", hint);

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
      return obey(commands, key);
    },
    refresh,
  };
})();
