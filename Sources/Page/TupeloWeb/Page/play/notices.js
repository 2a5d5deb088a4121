import { byId, grouped, plural } from "../core/text.js";
import { RuleNames, Rules } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { Settings } from "../core/storage.js";
import { animate, calm, NoticeBox, Voice } from "../core/views.js";

// A moment for a new largest tile of a person's game: from 2048 on a full one, and a quiet one for the largest tile so
// far of all games. It passes by itself, and covers no tile for whoever wants no motion.
export const Moment = {
  FULL: 11, QUIET: 7, // exponents: 2048, and 128
  TIME: 2600, // milliseconds
  timer: null,

  hide() {
    clearTimeout(this.timer);
    delete byId("board").dataset.moment;
    byId("moment-note").textContent = "";
  },

  // After a move from `before` in `game`.
  note(before, game) {
    const tile = Rules.largest(game.board);
    if (tile <= Rules.largest(before)) return;
    const isRecord = game.exemption === null && tile > Ledger.largest(RuleNames.of(game), game.id);
    if (tile < (isRecord ? this.QUIET : this.FULL)) return;
    this.hide();
    const number = grouped(Rules.tile(tile));
    const text = isRecord ? `${number}: your largest tile so far.` : `${number} reached.`;
    byId("moment").textContent = Rules.tile(tile);
    byId("moment-note").textContent = text;
    byId("board").dataset.moment = tile >= this.FULL ? "full" : "quiet";
    Voice.say(text);
    this.timer = setTimeout(() => this.hide(), this.TIME);
  },
};

export const Notice = new NoticeBox("notice", "#board, .pad button");

// What the board says of a game: game over, or the first 2048 of a person's game; null for nothing.
export function showEnd(game, { restart, undo, keepGoing }) {
  const isWon = !game.celebrated && Rules.largest(game.board) >= 11;
  if (isWon && !game.isPersons) game.celebrated = true;
  const again = { label: "New game", run: restart };
  if (!game.isOver) {
    const text = "You made it. There are larger tiles to come.";
    const choices = [{ label: "Keep going", run: keepGoing }, again];
    return isWon && game.isPersons ? { title: "2048", text, choices } : null;
  }
  const tile = grouped(Rules.tile(Rules.largest(game.board)));
  const text = `${plural(game.score, "point")} in ${plural(game.steps.length, "move")}, largest tile ${tile}.`;
  const review = Rules.isSmall(game.board) ? [] : [{ label: "Review", run: () => Notice.review() }];
  const back = game.canUndo ? [{ label: "Undo", run: undo }, ...review] : [];
  return { title: "Game over", text, choices: [again, ...back] };
}

// The points of a move take the place of the word Score for a moment; a merge can be felt on phones that vibrate.
export function showGain(reward) {
  byId("gain").textContent = reward > 0 && !calm.matches ? `+${grouped(reward)}` : "";
  if (reward === 0) return;
  animate(byId("gain"), "show");
  animate(byId("score-label"), "hide");
  if (Settings.values.vibrates && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(8);
}

export function sayMove(game, { step, reward }, player) {
  if (game.isOver) return;
  const gain = reward > 0 ? `, plus ${reward}` : "";
  const place = `row ${Math.floor(step.cell / 4) + 1}, column ${(step.cell % 4) + 1}`;
  Voice.say(
    `${Rules.MOVES[step.move]}${gain}. A ${2 ** step.exponent} at ${place}. Score ${game.score}.`,
    { isUrgent: player === "person" });
}
