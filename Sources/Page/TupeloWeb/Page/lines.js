// Candidate lines of an analysis: each legal move, a tile that may follow, the best answer, and so on. Among the tiles
// that may appear, a line continues with the one whose value is nearest to the mean, and names the range of all.
const Lines = (() => {
  const [MOVES, PLIES] = [5, 3]; // moves of a line, and how far the search of each of its positions looks
  const ARROWS = "↑→↓←";

  // Each line grows by one move in turn, so that all are seen early.
  async function show(board, analysis, question, signal) {
    const settings = { ...question, plies: Agents.plies(Agents.coach, PLIES) };
    const lines = analysis.moves.map((said, move) => ({ ...said, boards: [board], next: move, steps: element("span") }))
      .filter(({ value }) => value !== undefined).sort((a, b) => b.value - a.value);
    byId("lines").replaceChildren(...lines.map((line) => element("li", { "aria-label": `Line of ${line.move}` },
      element("b", {}, isAsGood(line) ? expectation(line.value) : `−${lossText(-line.difference)}`), line.steps)));
    for (let count = 0; count < MOVES; count += 1) {
      for (const line of lines) if (line.next >= 0 && !signal.aborted) await grow(line, settings, signal);
    }
  }

  async function grow(line, settings, signal) {
    const { board } = Rules.slide(line.boards[line.boards.length - 1], line.next);
    const cells = board.flatMap((exponent, cell) => (exponent === 0 ? [cell] : []));
    const tiles = [[1, 1 - settings.four], [2, settings.four]].filter(([, odds]) => odds > 0);
    const outcomes = tiles.flatMap(([exponent, odds]) => cells.map((cell) => (
      { cell, exponent, odds: odds / cells.length, board: board.with(cell, exponent) })));
    const { moves } = await Answers.review(outcomes.map((one) => ({ board: one.board })), settings, signal);
    const mean = outcomes.reduce((sum, { odds }, index) => sum + odds * moves[index].value, 0);
    const told = outcomes.map((one, index) => ({ ...one, ...moves[index], change: moves[index].value - mean }));
    const changes = told.map(({ change }) => change);
    const likely = Math.max(...told.map(({ odds }) => odds));
    const [usual] = told.filter(({ odds }) => odds === likely).sort((a, b) => Math.abs(a.change) - Math.abs(b.change));
    const [move, boards] = [line.next, [...line.boards.slice(1), usual.board]];
    line.boards.push(usual.board);
    line.next = Rules.LETTERS.indexOf(usual.best ?? "-");
    const tile = `${Rules.tile(usual.exponent)} at ${"abcd"[usual.cell % 4]}${Math.floor(usual.cell / 4) + 1}`;
    const range = `${compact(Math.min(...changes))} to +${compact(Math.max(...changes))}`;
    line.steps.append(element("button", {
      "data-keeps-focus": true, onclick: () => Analyze.visit(boards),
      "aria-label": `${Rules.MOVES[move]}, then a ${tile}. The tile changes the value by ${range}.`,
    }, `${ARROWS[move]} ${tile}`, element("small", {}, range)));
  }

  return { show, clear: () => byId("lines").replaceChildren() };
})();
