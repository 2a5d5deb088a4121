// What is on the table: the game, its board on the screen, scores, notices. All views share it.
const Table = (() => {
  const view = new BoardView(byId("board"));
  const listeners = [];
  const cells = [...byId("board-table").querySelectorAll("td")];
  const stored = Store.read("game");
  const restored = Game.restore(stored ?? {});
  let game = restored;
  let stamp = Store.read("stamp"); // of the stored game as this tab last read or wrote it
  let isDirty = false; // whether this tab has changed the game since
  let isLent = false; // to a view that shows other games on the board
  let saving = null;
  let toldAt = -Infinity; // when it was last said that another tab plays

  const DEFAULTS = {
    four: 0.1, startTiles: 2, agent: null, plies: 2, coach: null, coachPlies: null, hints: false, judges: true,
    speed: 2, numbers: false, replaySpeed: 6, setAgent: null, setSpeed: 1, setValues: false, setLetters: false,
  };
  const settings = { ...DEFAULTS, ...(Store.read("settings") ?? {}) };

  // What another version or a person has stored may be no rules.
  if (!(settings.four >= 0 && settings.four <= 1)) settings.four = 0.1;
  if (![2, 3].includes(settings.startTiles)) settings.startTiles = 2;

  if (game === null) {
    // A game that cannot be read, of a newer version perhaps, is not written over.
    if (stored !== null) Store.write("unread", stored);
    game = new Game(settings);
    isDirty = true;
  }

  // Another tab's settings stay, but for those that are set here.
  function set(values) {
    Object.assign(settings, values);
    Store.write("settings", { ...settings, ...(Store.read("settings") ?? {}), ...values });
  }

  // A control shows a setting and changes it. A value that another version has stored may not be among the choices.
  function bind(id, name, changed = () => {}) {
    const control = byId(id);
    const isSwitch = control.type === "checkbox";
    const value = () => (isSwitch ? control.checked
      : Number.isNaN(Number(control.value)) ? control.value : Number(control.value));
    control[isSwitch ? "checked" : "value"] = settings[name];
    if (control.options?.length > 0 && control.selectedIndex < 0) {
      control.value = DEFAULTS[name];
      set({ [name]: value() });
    }
    control.addEventListener(control.type === "range" ? "input" : "change", () => {
      set({ [name]: value() });
      changed();
    });
  }

  // Writing at every move of fast play would be too much: four times a second is enough, and when the page goes.
  function save() {
    isDirty = true;
    if (saving === null) saving = setTimeout(saveNow, 250);
  }

  function saveNow() {
    clearTimeout(saving);
    saving = null;
    if (!isDirty) return;
    isDirty = false;
    Bests.save();
    // Another tab has written since: what it wrote is not lost.
    if (Store.read("stamp") !== stamp) Past.add(Store.read("game") ?? {});
    stamp = `${Date.now()} ${Math.random()}`;
    Store.write("game", game.save());
    Store.write("stamp", stamp);
  }

  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", () => (document.hidden ? saveNow() : takeOver()));
  addEventListener("storage", ({ key }) => {
    if (key === "tupelo.best") {
      Bests.merge();
      if (!isLent) showScores();
    }
    if (key === "tupelo.stamp" && !document.hidden) takeOver();
  });

  // Continues the game in the state that another tab has left.
  function takeOver() {
    const newest = Store.read("stamp");
    if (newest === stamp) return;
    const other = Game.restore(Store.read("game") ?? {});
    if (other === null) return;
    if (isDirty) Past.add(game.save());
    clearTimeout(saving);
    saving = null;
    isDirty = false;
    stamp = newest;
    game = other;
    Bests.merge();
    // Once in a while: an agent in the other tab may play on for hours.
    if (performance.now() - toldAt > 60_000) toast("The game continues in another tab.");
    toldAt = performance.now();
    show("other");
  }

  // Motion that fits between moves `interval` milliseconds apart; none when so asked, or when it would not be seen.
  function duration(interval) {
    const wanted = Math.min(110, interval * 0.6);
    view.setDuration(calm.matches || wanted < 30 ? 0 : wanted);
  }

  // A board that is of no game has neither score nor moves: null.
  function showNumbers(board, score, moves) {
    const number = (value) => (value === null ? "–" : grouped(value));
    texts({ score: number(score), moves: number(moves), best: grouped(Bests.of(game)) });
    const tiles = board.map((exponent) => String(Rules.tile(exponent) || "empty"));
    const rows = [0, 1, 2, 3].map((row) => `Row ${row + 1}: ${tiles.slice(4 * row, 4 * row + 4).join(", ")}.`);
    byId("board-text").textContent = rows.join(" ");
    cells.forEach((cell, index) => { if (cell.textContent !== tiles[index]) cell.textContent = tiles[index]; });
    byId("board").dataset.board = Rules.hex(board);
  }

  function showScores() {
    showNumbers(game.board, game.score, game.steps.length);
    const reason = game.exemption;
    byId("best-note").textContent = reason === null || !game.hasStarted
      ? `Best: ${uncapital(Bests.nameOf(Bests.rule(game)))}` : `Does not count for Best: ${reason}.`;
  }

  function changed(what) {
    if (game.exemption === null) {
      Bests.add(game);
      if (game.isOver && game.hasStarted) Statistics.add(game);
    }
    if (!isLent) {
      showScores();
      notice();
    }
    if (what.kind !== "show" && what.kind !== "other") save();
    for (const listener of listeners) listener(what);
  }

  // Game over, and the first 2048 of a person's game.
  function notice() {
    const isWon = !game.celebrated && Rules.largest(game.board) >= 11;
    if (isWon && !game.isPersons) game.celebrated = true;
    const again = { label: "New game", run: restart };
    const review = { label: "Review", run: () => Notice.review() };
    if (game.isOver) {
      const back = game.canUndo ? [{ label: "Undo", run: undo }, review] : [];
      Notice.show({ title: "Game over", text: summary(), choices: [again, ...back] });
    } else if (isWon && game.isPersons) {
      const text = "You made it. There are larger tiles to come.";
      Notice.show({ title: "2048", text, choices: [{ label: "Keep going", run: keepGoing }, again] });
    } else {
      Notice.show(null);
    }
  }

  function summary() {
    const tile = grouped(Rules.tile(Rules.largest(game.board)));
    return `${plural(game.score, "point")} in ${plural(game.steps.length, "move")}, largest tile ${tile}.`;
  }

  function keepGoing() {
    game.celebrated = true;
    save();
    notice();
  }

  // Plays a move; false when it is illegal or a notice waits for a choice.
  function play(move, player = "person") {
    if (game.isOver || (Notice.isShown && player === "person")) return false;
    if (Notice.isShown) game.celebrated = true;
    const trace = game.play(move, player);
    if (!trace) {
      view.finish();
      view.refuse(move);
      if (player === "person") Voice.say(`${Rules.MOVES[move]} changes nothing.`);
      return false;
    }
    view.move(trace);
    changed({ kind: "move", trace, player });
    if (player === "person") {
      showGain(trace.reward);
      Moment.note(trace.before, game);
    }
    sayMove(trace, player);
    return true;
  }

  // Plays what an agent has chosen, with the tiles that appeared, and draws it once.
  function playAll(steps, player) {
    let trace = null;
    if (Notice.isShown) game.celebrated = true;
    for (const [move, cell, exponent] of steps) trace = game.play(move, player, { cell, exponent });
    if (trace === null) return;
    if (steps.length === 1) view.move(trace);
    else view.show(game.board);
    changed({ kind: "move", trace, player });
    sayMove(trace, player);
  }

  // The points of a move rise beside the score; a merge can be felt on phones that can be.
  function showGain(reward) {
    byId("gain").textContent = reward > 0 && !calm.matches ? `+${grouped(reward)}` : "";
    if (reward === 0) return;
    restartAnimation(byId("gain"), "rise");
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8);
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

  // Puts another game on the table. The one before is kept, and can be brought back.
  function replace(next, text) {
    const before = game;
    Past.add(before.save());
    Moment.hide();
    game = next;
    duration(1000);
    view.show(game.board);
    Voice.say(text);
    changed({ kind: "new" });
    if (before.hasStarted && !before.isOver) {
      toast(text, { label: "Back to the last one", run: () => replace(before, "The game before.") });
    }
  }

  const restart = () => replace(new Game(settings), "New game.");

  function show(kind = "show") {
    if (!isLent) view.show(game.board);
    changed({ kind });
  }

  return {
    view, settings, set, bind, play, playAll, undo, redo, restart, replace, duration, showNumbers, save,
    get game() { return game; },
    onChange: (listener) => listeners.push(listener),
    // Lends the board to a view that shows other games on it, and takes it back.
    lend() {
      isLent = true;
      Notice.show(null);
      Moment.hide();
      byId("best-note").textContent = "";
    },
    takeBack() {
      isLent = false;
      show();
    },
    show,
    // How the coach is asked about this game.
    question: () => ({ ...Agents.question(true), four: game.four }),
  };
})();
