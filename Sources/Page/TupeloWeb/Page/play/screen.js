import { byId, element, grouped, texts } from "../core/text.js";
import { RuleNames, Rules } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { BoardView, calm } from "../core/views.js";
import { Moment, Notice } from "./notices.js";

// The board on the screen with its numbers, for one view at a time. A view draws by the lease that it gets when it is
// entered. The next lease ends this one: what an earlier view still draws is not seen.
export const Screen = (() => {
  const view = new BoardView(byId("board"));
  const cells = [...byId("board-table").querySelectorAll("td")];
  let holder = null;

  // Motion that fits between moves `interval` milliseconds apart; none when so asked, or when it would not be seen.
  function duration(interval) {
    const wanted = Math.min(110, interval * 0.6);
    view.setDuration(calm.matches || wanted < 30 ? 0 : wanted);
  }

  // The board in words, and the score and number of moves, which are null for a board without a game. Best is that of
  // games by the `rules`.
  function numbers(board, score, moves, rules) {
    const number = (value) => (value === null ? "–" : grouped(value));
    const best = Ledger.best(RuleNames.of({ ...rules, shape: Rules.shapeOf(board) }));
    texts({ score: number(score), moves: number(moves), best: grouped(Math.max(best, rules.best ?? 0)) });
    const name = (exponent) => String(Rules.tile(exponent) || "empty");
    const rows = Rules.rows(board).map((row, index) => `Row ${index + 1}: ${row.map(name).join(", ")}.`);
    byId("board-text").textContent = rows.join(" ");
    cells.forEach((cell, at) => { if (cell.textContent !== name(board[at])) cell.textContent = name(board[at]); });
    byId("board").dataset.board = Rules.hex(board);
  }

  const ACTIONS = {
    numbers, duration, notice: (notice) => Notice.show(notice), moment: (before, game) => Moment.note(before, game),
    note(text) { byId("best-note").textContent = text; },
    show(board) {
      Moment.hide();
      view.show(board);
    },
    move: (trace) => view.move(trace), finish: () => view.finish(),
    hint(best, played) {
      view.hint(best, played);
      byId("board-line").replaceChildren();
    },
    // The moves of a line, in their order.
    line(moves) {
      byId("board-line").replaceChildren(...moves.map((move, index) => element("span", {},
        element("small", {}, index + 1), Rules.ARROWS[move])));
    },
    refuse: (move) => view.refuse(move),
  };

  return {
    // A lease that has ended.
    none: { isOn: false, ...Object.fromEntries(Object.keys(ACTIONS).map((name) => [name, () => {}])) },

    lease() {
      const mine = (holder = {});
      const isOn = () => mine === holder;
      view.hint(null);
      byId("board-line").replaceChildren();
      Notice.show(null);
      Moment.hide();
      byId("best-note").textContent = "";
      duration(1000);
      return Object.entries(ACTIONS).reduce((lease, [name, act]) => Object.assign(lease, {
        [name]: (...values) => { if (isOn()) act(...values); } }), { get isOn() { return isOn(); } });
    },
  };
})();
