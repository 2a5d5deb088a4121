// A moment for a new largest tile of a person's game: from 2048 on a full one, and a quiet one for the largest tile so
// far of all games. It passes by itself, and covers no tile for whoever wants no motion.
const Moment = (() => {
  const [FULL, QUIET] = [11, 7]; // exponents: 2048, and 128
  const TIME = 2600; // milliseconds
  let timer = null;

  function hide() {
    clearTimeout(timer);
    delete byId("board").dataset.moment;
    byId("moment-note").textContent = "";
  }

  // After a move from `before` in `game`.
  function note(before, game) {
    const tile = Rules.largest(game.board);
    if (tile <= Rules.largest(before)) return;
    const isRecord = Statistics.reach(game);
    if (tile < (isRecord ? QUIET : FULL)) return;
    hide();
    const number = grouped(Rules.tile(tile));
    const text = isRecord ? `${number}: your largest tile so far.` : `${number} reached.`;
    byId("moment").textContent = Rules.tile(tile);
    byId("moment-note").textContent = text;
    byId("board").dataset.moment = tile >= FULL ? "full" : "quiet";
    Voice.say(text);
    timer = setTimeout(hide, TIME);
  }

  return { note, hide };
})();
