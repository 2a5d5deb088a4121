// Plays a game on from a board until a limit: `most` moves, or `time` in milliseconds. `decide` gives the number of the
// move on a board, -1 for none. Tiles follow from the game's seed and the number of the move. The function uses nothing
// of the page, because a worker runs it, too; `engine` slides and draws.
async function playOn(engine, decide, { board, four, seed, count }, { most = Infinity, time = Infinity }) {
  const end = performance.now() + time;
  const steps = []; // move, and the cell and exponent of the tile that appeared
  let reward = 0;
  while (steps.length < most && (steps.length === 0 || performance.now() < end)) {
    const move = await decide(board);
    if (move < 0) return { board, steps, reward, isOver: true };
    const slid = engine.slide(board, move);
    const { cell, exponent } = engine.draw(slid.board, four, seed, count + steps.length);
    board = slid.board.with(cell, exponent);
    reward += slid.reward;
    steps.push([move, cell, exponent]);
  }
  return { board, steps, reward, isOver: false };
}
