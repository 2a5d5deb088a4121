import { byId, capital, element } from "../core/text.js";
import { bestMove, isAsGood, Rules } from "../core/game.js";
import { Question } from "../core/question.js";
import { Answers, Local } from "./answers.js";

// Why a move is the best one: what it leads to, a fact of the board that tells it from the next best move, and the
// chance of the next large tile after each move.

// The position that is likely after a move: with the tile whose value is nearest to the mean over all tiles that may
// appear. A promise of the tile, the board, and the number of the best move there, -1 without one.
export async function likelyNext(board, move, settings, signal) {
  const after = Rules.slide(board, move).board;
  const cells = after.flatMap((exponent, cell) => (exponent === 0 ? [cell] : []));
  const tiles = [[1, 1 - settings.four], [2, settings.four]].filter(([, odds]) => odds > 0);
  const outcomes = tiles.flatMap(([exponent, odds]) => cells.map((cell) => (
    { cell, exponent, odds: odds / cells.length, board: after.with(cell, exponent) })));
  const said = await Answers.review(outcomes.map((one) => one.board), settings, signal);
  const told = outcomes.map((one, index) => {
    const best = bestMove(said[index]) ?? -1;
    return { ...one, best, value: said[index].moves[best]?.value ?? 0 };
  });
  const mean = told.reduce((sum, { odds, value }) => sum + odds * value, 0);
  const likely = Math.max(...told.map(({ odds }) => odds));
  return told.filter(({ odds }) => odds === likely)
    .reduce((one, other) => (Math.abs(other.value - mean) < Math.abs(one.value - mean) ? other : one));
}

// The line of a move: the likely positions of three moves.
export async function lineOf(board, move, settings, signal) {
  const line = [{ move, board }];
  while (line.length < 3 && !signal.aborted) {
    const next = await likelyNext(line.at(-1).board, line.at(-1).move, settings, signal);
    if (next.best < 0) break;
    line.push({ move: next.best, board: next.board });
  }
  return line;
}

// One reason for the best move of an analysis that does not hold for the next best one, and that the line confirms;
// empty when no fact of the board is one.
export function reasonFor(board, analysis, line) {
  const SMALL = 3; // exponents up to this one are small tiles
  const { MOVES, tile, largest, slide } = Rules;
  const best = bestMove(analysis);
  const others = analysis.moves.map((one, move) => ({ ...one, move }))
    .filter((one) => one.legal && one.move !== best && !isAsGood(one)).sort((a, b) => b.difference - a.difference);
  if (others.length === 0) return "";
  const [own, other] = [slide(board, best), slide(board, others[0].move)];
  const name = capital(MOVES[others[0].move]);
  const ahead = line.slice(1).map((step) => slide(step.board, step.move));
  const made = ({ slides, changed }) => (changed
    ? Math.max(0, ...slides.filter(({ absorbed }) => absorbed !== null).map(({ exponent }) => exponent)) : 0);
  const room = (one) => one.board.filter((exponent) => exponent === 0).length;
  const near = (cell) => [[cell % 4 > 0, -1], [cell % 4 < 3, 1], [cell > 3, -4], [cell < 12, 4]]
    .flatMap(([isHere, by]) => (isHere ? [cell + by] : []));
  // Small tiles that have only much larger ones around them.
  const locked = (one) => one.board.flatMap((exponent, cell) => (exponent > 0 && exponent <= SMALL
    && near(cell).every((at) => one.board[at] > exponent + 1) ? [exponent] : []));
  const pairs = (one) => one.board.filter((exponent, cell) => exponent > 1
    && near(cell).some((at) => one.board[at] === exponent));
  const corner = (one) => [0, 3, 12, 15].find((cell) => one.board[cell] === largest(one.board)) ?? null;

  const [top, home] = [largest(board), corner({ board })];
  const staysHome = [own, ...ahead].every((one) => one.board[home] >= top);
  if (home !== null && staysHome && corner(other) === null) {
    return `It keeps the ${tile(top)} in its corner; ${name} would move it out.`;
  }
  const wasLocked = [...locked(own), ...locked({ board })];
  const shut = locked(other).filter((exponent) => !wasLocked.includes(exponent));
  if (shut.length > 0 && ahead.every((one) => !locked(one).includes(shut[0]))) {
    return `${name} would lock a ${tile(shut[0])} in between larger tiles.`;
  }
  const soon = ahead.length > 0 ? made(ahead[0]) : 0;
  const isSoon = [board, other.board].some((from) => [0, 1, 2, 3].some((move) => made(slide(from, move)) >= soon));
  if (soon > SMALL && !isSoon) return `It prepares a ${tile(soon)}: ${MOVES[line[1].move]} makes it next.`;
  if (made(own) > SMALL && made(own) > made(other)) return `It makes a ${tile(made(own))}; ${name} does not.`;
  const [most, fewer] = [room(own), room(other)];
  if (most > fewer) return `It leaves ${most} cells empty, ${name} ${fewer}.`;
  const pair = pairs(own).filter((one) => !pairs(other).includes(one) && ahead.some((step) => made(step) === one + 1));
  if (pair.length > 0) return `It brings two tiles of ${tile(Math.max(...pair))} together, which merge soon.`;
  const [first, second] = board.toSorted((a, b) => b - a);
  const parts = (one) => !one.board.some((exponent, cell) => exponent >= first
    && near(cell).some((at) => one.board[at] >= second));
  if (second > SMALL && first > second && parts(other) && ![own, ...ahead].some(parts)) {
    return `It keeps ${tile(first)} and ${tile(second)} side by side; ${name} parts them.`;
  }
  const ways = (one) => Rules.legalMoves(one.board).length;
  if (ways(own) > ways(other)) return `After ${name}, fewer moves are possible.`;
  return "";
}

// The chance of the next large tile after each move of a board, by games that the network plays on greedily: shown in
// an element, more exactly the longer it is looked at.
export class Chances {
  static #FIRST = 11; // the exponent of the first tile that is large
  #most = 0; // games of what is shown

  constructor(view, id) { [this.asking, this.box] = [new Question(view), byId(id)]; }

  clear() {
    this.asking.end();
    this.box.replaceChildren();
  }

  // Plays until the question is given up. It needs a network in the page.
  async show(board, four, best) {
    this.clear();
    this.#most = 0;
    const goal = Math.max(Rules.largest(board) + 1, Chances.#FIRST);
    if (!Local.isOffered() || Rules.isSmall(board) || goal > Rules.LARGEST) return;
    if (!Local.isReady && !Local.isWanted && !Local.first?.address) {
      return this.box.replaceChildren(element("p", { class: "note" }, "The chances need the network in this page."));
    }
    await this.asking.ask((signal) => Local.ask("chances", { board, four, goal, seed: Rules.seed() }, {
      signal, onProgress: (sums) => { if (!signal.aborted) this.#tell(sums, goal, best); } })).catch(() => {});
  }

  // `sums`: for each legal move its number, the games, and how many of them made the tile.
  #tell(sums, goal, best) {
    if (sums[0].games < this.#most) return;
    this.#most = sums[0].games;
    const all = sums.map((one) => ({ ...one, ...interval(one) })).sort((a, b) => b.share - a.share);
    const top = all[0];
    const own = all.find(({ move }) => move === best) ?? top;
    const equal = all.filter(({ high }) => high >= top.low).map(({ move }) => move);
    const percents = (share) => `${Math.round(share * 100)}%`;
    const rows = all.map(({ move, share, low, high }) => element("li", {},
      element("span", {}, capital(Rules.MOVES[move])), element("b", {}, percents(share)),
      element("small", {}, `${percents(low)} to ${percents(high)}${
        equal.length > 1 && equal.includes(move) ? ", about equal" : ""}`)));
    const clash = own.high < top.low ? ` The chance prefers ${Rules.MOVES[top.move]}, the points prefer ${
      Rules.MOVES[best]}: points also count what comes after that tile.` : "";
    this.box.replaceChildren(element("p", { class: "note" }, `The chance to make ${Rules.tile(goal)}, by ${
      Math.min(...all.map(({ games }) => games))} quick games after each move.${clash}`), element("ul", {}, ...rows));
  }
}

// The 95% interval of a share, by Wilson.
function interval({ games, made }) {
  const z = 1.96;
  const [share, part] = [made / games, z * z / games];
  const middle = (share + part / 2) / (1 + part);
  const half = z * Math.sqrt(share * (1 - share) / games + part / games / 4) / (1 + part);
  return { share, low: Math.max(middle - half, 0), high: Math.min(middle + half, 1) };
}
