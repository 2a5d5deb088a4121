// The view in which any position is analyzed. The address has the board: it is a link to the analysis.
const Analyze = (() => {
  const values = new ValuesView(byId("analysis-values"));
  let board = null;
  let past = []; // the boards before moves, for undo
  let searching = null; // an AbortController
  let hasFailed = false; // whether the error is the last search's
  let isShown = false;

  const address = () => `#analyze=${Rules.hex(board)}`;

  // The board of an address, as a link has it; null when it is none, and then the view says why.
  function linked(hash) {
    const text = hash.slice(1).split("=").slice(1).join("=");
    byId("analysis-error").textContent = "";
    if (!hash.startsWith("#analyze=")) return null;
    try {
      return Rules.parseTiles(decodeURIComponent(text));
    } catch ({ name, message }) {
      const reason = name === "URIError" ? "its address is damaged." : uncapital(message);
      byId("analysis-error").textContent = `This link has no board: ${reason}`;
      return null;
    }
  }

  // Shows a board and analyzes it. Each board is an entry of the browser's history, but not each step of an edit.
  function set(next, { isEdit = false } = {}) {
    board = next;
    byId("analysis-error").textContent = "";
    if (location.hash !== address()) history[isEdit ? "replaceState" : "pushState"](null, "", address());
    show();
  }

  function show() {
    if (!isShown) return;
    Table.view.show(board);
    Editor.show(board);
    const { game } = Table;
    const isGames = Rules.hex(board) === Rules.hex(game.board);
    Table.showNumbers(board, isGames ? game.score : null, isGames ? game.steps.length : null);
    byId("analysis-link").value = new URL(address(), location.href).href;
    byId("analysis-undo").disabled = past.length === 0;
    search();
  }

  async function search() {
    searching?.abort();
    const mine = (searching = new AbortController());
    const isNews = () => mine === searching && !mine.signal.aborted;
    Table.view.hint(null);
    Lines.clear();
    values.wait();
    tell("");
    if (hasFailed) byId("analysis-error").textContent = "";
    hasFailed = false;
    texts({ "analysis-plies": "–", "analysis-nodes": "–" });
    if (Rules.largest(board) === 0 || !Agents.hasValues) {
      values.clear();
      return tell(Agents.hasValues ? "Place a tile." : Agents.needsValues);
    }
    const { plies, ...question } = Table.question();
    const settings = { ...question, milliseconds: Number(byId("analysis-time").value) * 1000 };
    try {
      const final = await Answers.deepen(board, settings, mine.signal, (part) => { if (isNews()) showAnswer(part); });
      if (!isNews()) return;
      showAnswer(final);
      const best = bestMove(final);
      Voice.say(best === null ? "No move is legal." : `Best move: ${Rules.MOVES[best]}.`);
      await Lines.show(board, final, question, mine.signal);
    } catch (error) {
      if (!isNews()) return;
      values.clear();
      hasFailed = true;
      byId("analysis-error").textContent = error.message;
    }
  }

  function showAnswer(answer) {
    values.show(answer);
    Table.view.hint(bestMove(answer));
    byId("analysis-plies").textContent = answer.plies > 0 ? plural(answer.plies, "move") : "–";
    byId("analysis-nodes").textContent = answer.nodes === undefined ? "–" : grouped(answer.nodes);
    if (answer.over) tell("No move is legal: the game is over here.");
  }

  function tell(text) { byId("analysis-note").textContent = text; }

  function move(way) {
    if (Editor.isOn) return Editor.step(way);
    const trace = new Game({ four: Table.game.four, start: board }).play(way);
    if (trace === null) {
      Table.view.refuse(way);
    } else {
      past.push(board);
      set(trace.board);
    }
    return true;
  }

  function undo() {
    if (past.length > 0) set(past.pop());
  }

  function fresh(next) {
    past = [];
    set(next);
  }

  function read(text) {
    try {
      fresh(typedBoard(text));
    } catch (error) {
      byId("analysis-error").textContent = error.message;
    }
  }

  function playOnFromHere() {
    if (Rules.largest(board) === 0) return;
    const start = board;
    location.hash = "#play";
    Table.replace(new Game({ ...Table.settings, start }), "Play on from this board.");
  }

  clicks({
    "analysis-set": () => read(byId("analysis-input").value), "analysis-game": () => fresh(Table.game.board),
    "analysis-undo": undo, "analysis-copy": () => Share.position(board), "analysis-play": playOnFromHere,
    "analysis-picture": () => Share.picture(board, null, null),
  });
  onPaste(() => isShown, read);
  byId("analysis-time").addEventListener("change", () => show());

  return {
    enter() {
      isShown = true;
      Table.lend();
      Table.duration(0);
      board = linked(location.hash) ?? board ?? Table.game.board;
      // A wrong link stays in the address, where it can be mended.
      const isWrong = byId("analysis-error").textContent !== "";
      const isHere = location.hash.startsWith("#analyze");
      if (!isWrong) history[isHere ? "replaceState" : "pushState"](null, "", address());
      show();
    },
    leave() {
      isShown = false;
      searching?.abort();
      Editor.end();
      if (Rules.largest(board) === 0) board = null;
      Table.view.hint(null);
      Table.takeBack();
    },
    // The browser went to another address of this view.
    follow() {
      const next = linked(location.hash);
      if (next === null || board === null || Rules.hex(next) === Rules.hex(board)) return;
      past = [];
      board = next;
      show();
    },
    move,
    // After a change by the editor, and along a line.
    edit: (next) => set(next, { isEdit: true }),
    visit(boards) {
      past.push(board, ...boards.slice(0, -1));
      set(boards[boards.length - 1]);
    },
    get board() { return board; },
    command: (key) => (Editor.isOn && Editor.command(key)) || obey({ u: undo }, key),
  };
})();
