// What is on the table: the game, its board on the screen, scores, notices. All views share it.
const Table = (() => {
  const view = new BoardView(byId("board"));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const listeners = [];
  let game = Game.restore(Store.read("game") ?? {}) ?? new Game();
  let saving = null;
  const bests = Store.read("best") ?? {};

  const settings = {
    four: 0.1, agent: null, plies: 2, hints: false, speed: 2, ...(Store.read("settings") ?? {}),
  };

  function set(values) {
    Object.assign(settings, values);
    Store.write("settings", settings);
  }

  // Writing at every move of fast play would be too much: four times a second is enough, and when the page goes.
  function save() {
    if (saving === null) saving = setTimeout(saveNow, 250);
  }

  function saveNow() {
    clearTimeout(saving);
    saving = null;
    Store.write("game", game.save());
    Store.write("best", bests);
  }

  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", () => { if (document.hidden) saveNow(); });

  // Motion that fits between moves `interval` milliseconds apart; none when so asked, or when it would not be seen.
  function duration(interval) {
    const wanted = Math.min(110, interval * 0.6);
    view.setDuration(calm.matches || wanted < 30 ? 0 : wanted);
  }

  function showNumbers(board, score, moves) {
    byId("score").textContent = grouped(score);
    byId("moves").textContent = grouped(moves);
    byId("best").textContent = grouped(bests[game.four] ?? 0);
    byId("board-text").textContent = Voice.describe(board);
    byId("board").dataset.board = Rules.hex(board);
  }

  function changed(what) {
    if (game.fresh && game.undos === 0 && game.isPersons) bests[game.four] = Math.max(bests[game.four] ?? 0, game.score);
    showNumbers(game.board, game.score, game.steps.length);
    notice();
    save();
    for (const listener of listeners) listener(what);
  }

  // Game over, and the first 2048 of a person's game; play goes on behind the latter.
  function notice() {
    const isOver = game.isOver;
    const isWon = !game.celebrated && Rules.largest(game.board) >= 11;
    if (isWon && !game.isPersons) game.celebrated = true;
    const shows = isOver || (isWon && game.isPersons);
    const box = byId("notice");
    if (shows && box.hidden) {
      byId("notice-title").textContent = isOver ? "Game over" : "2048";
      byId("notice-text").textContent = isOver
        ? `${grouped(game.score)} points, largest tile ${grouped(Rules.tile(Rules.largest(game.board)))}`
        : "You made it. There are larger tiles to come.";
      byId("notice-first").textContent = isOver ? "New game" : "Keep going";
      byId("notice-first").onclick = isOver ? restart : keepGoing;
      byId("notice-second").textContent = isOver ? "Undo" : "New game";
      byId("notice-second").onclick = isOver ? undo : restart;
      byId("notice-second").hidden = isOver && !game.canUndo;
      Voice.say(`${byId("notice-title").textContent}. ${byId("notice-text").textContent}`);
    }
    box.hidden = !shows;
  }

  function keepGoing() {
    game.celebrated = true;
    notice();
    byId("board").focus();
  }

  // Plays a move; false when it is illegal or a notice is in front.
  function play(move, player = "person") {
    if (!byId("notice").hidden && game.isOver) return false;
    if (!byId("notice").hidden) game.celebrated = true;
    const trace = game.play(move, player);
    if (!trace) {
      view.finish();
      view.refuse(move);
      if (player === "person") Voice.say(`${Rules.MOVES[move]} changes nothing.`);
      return false;
    }
    view.move(trace);
    changed({ kind: "move", trace, player });
    sayMove(trace, player);
    return true;
  }

  function sayMove({ step, reward }, player) {
    if (game.isOver) return;
    const gain = reward > 0 ? `, plus ${reward}` : "";
    const place = `row ${Math.floor(step.cell / 4) + 1}, column ${(step.cell % 4) + 1}`;
    Voice.say(
      `${Rules.MOVES[step.move]}${gain}. A ${2 ** step.exponent} at ${place}. Score ${game.score}.`,
      { isUrgent: player === "person" });
  }

  function undo() {
    if (!game.undo()) return false;
    view.show(game.board);
    changed({ kind: "undo" });
    Voice.say(`Undone. Score ${game.score}.`);
    return true;
  }

  function redo() {
    const trace = game.redo();
    if (!trace) return false;
    view.move(trace);
    changed({ kind: "redo" });
    return true;
  }

  // Puts another game on the table. The one before can be brought back.
  function replace(next, text) {
    const before = game;
    game = next;
    duration(1000);
    view.show(game.board);
    changed({ kind: "new" });
    Voice.say(text);
    if (before.hasStarted && !before.isOver) {
      toast(text, { label: "Back to the last one", run: () => replace(before, "The game before.") });
    }
  }

  const restart = () => replace(new Game({ four: settings.four }), "New game.");

  return {
    view, settings, set, play, undo, redo, restart, replace, duration, showNumbers,
    get game() { return game; },
    onChange: (listener) => listeners.push(listener),
    // Shows the game again after a view has used the board for something else.
    show() {
      view.show(game.board);
      changed({ kind: "show" });
    },
    hideNotice() { byId("notice").hidden = true; },
    // What analyses of this game are asked for.
    question: () => ({ agent: settings.agent, plies: settings.plies, four: game.four }),
  };
})();
