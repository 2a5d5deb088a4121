// Candidate lines of an analysis: each legal move, the tile that may follow, the best answer, and so on. Among the tiles
// that may appear, a line goes on with the one whose value is nearest to the mean, and tells the range of all.
const Lines = (() => {
  const [MOVES, PLIES] = [5, 3]; // moves of a line, and how far the search of each of its positions looks
  const ARROWS = "↑→↓←";
  const list = byId("lines");

  const clear = () => list.replaceChildren();
  const place = (cell) => "abcd"[cell % 4] + (Math.floor(cell / 4) + 1);
  const best = (letter) => Rules.LETTERS.indexOf(letter);

  // Each line grows by one move in turn, so that all are seen early.
  async function show(board, analysis, question, signal) {
    const settings = { ...question, plies: Agents.plies(Agents.coach, PLIES) };
    const lines = analysis.moves.map((said, move) => ({ ...said, boards: [board], next: move }))
      .filter(({ legal, value }) => legal && value !== undefined).sort((a, b) => b.value - a.value)
      .map((line) => ({ ...line, row: row(line) }));
    list.replaceChildren(...lines.map(({ row: parts }) => parts.item));
    for (let count = 0; count < MOVES; count += 1) {
      for (const line of lines) if (line.next >= 0) await grow(line, settings, signal);
    }
  }

  function row({ move, value, difference }) {
    const steps = element("span", { class: "line-steps" });
    const told = isAsGood({ difference }) ? grouped(value) : `−${lossText(-difference)}`;
    return { steps, item: element("li", { "aria-label": `Line of ${move}` }, element("b", {}, told), steps) };
  }

  async function grow(line, settings, signal) {
    const { board, changed } = Rules.slide(line.boards[line.boards.length - 1], line.next);
    if (!changed) throw new Error("The line has an impossible move.");
    const empty = board.flatMap((exponent, cell) => (exponent === 0 ? [cell] : []));
    const tiles = [[1, 1 - settings.four], [2, settings.four]].filter(([, odds]) => odds > 0);
    const outcomes = tiles.flatMap(([exponent, odds]) => empty.map((cell) => (
      { cell, exponent, odds: odds / empty.length, board: board.with(cell, exponent) })));
    const { moves } = await Answers.review(outcomes, settings, signal);
    if (signal.aborted) return;
    const mean = outcomes.reduce((sum, { odds }, index) => sum + odds * moves[index].value, 0);
    const range = moves.map(({ value }) => value - mean);
    // The likelier tile, where both may appear.
    const likely = outcomes.flatMap(({ exponent }, index) => (exponent === (settings.four > 0.5 ? 2 : 1) ? [index] : []));
    const chosen = likely.reduce((nearest, one) => (Math.abs(range[one]) < Math.abs(range[nearest]) ? one : nearest));
    const { cell, exponent, board: next } = outcomes[chosen];
    const [move, low, high] = [line.next, Math.min(...range), Math.max(...range)];
    line.boards.push(next);
    line.next = moves[chosen].best === undefined ? -1 : best(moves[chosen].best);
    const boards = line.boards.slice(1);
    const tile = `${Rules.tile(exponent)} at ${place(cell)}`;
    const spread = `${compact(low)} to +${compact(high)}`;
    line.row.steps.append(element("button", {
      "data-keeps-focus": true, onclick: () => Analyze.visit(boards),
      "aria-label": `${Rules.MOVES[move]}, then a ${tile}. The tile changes the value by ${spread}.`,
    }, element("span", {}, `${ARROWS[move]} ${tile}`), element("small", {}, spread)));
  }

  return { show, clear };
})();
