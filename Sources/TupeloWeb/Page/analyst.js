// Asks the server what it thinks of boards, each board once.
class Analyst {
  constructor() {
    this.answers = new Map();
  }

  // A promise of what `/analyze` says.
  of(board, settings) {
    const key = `${Rules.hex(board)} ${settings.agent} ${settings.plies} ${settings.four}`;
    const known = this.answers.get(key);
    if (known) return known;
    const answer = Server.analyze(board, settings);
    this.answers.set(key, answer);
    // A failure is not remembered: the next question asks again. Agents without values draw lots, so neither are
    // theirs.
    answer.then(
      (analysis) => { if (!hasValues(analysis)) this.answers.delete(key); },
      () => this.answers.delete(key));
    if (this.answers.size > 64) this.answers.delete(this.answers.keys().next().value);
    return answer;
  }
}

const hasValues = (analysis) => analysis.moves.some((move) => move.value !== undefined);
const bestMove = (analysis) => (analysis.best === undefined ? null : Rules.MOVES.indexOf(analysis.best));

// The four moves with their values as bars. The best one fills its bar; the others fall short by their loss, on a scale
// that the worst of them sets, but at least 2% of the value, so that a hair's breadth looks like one.
class ValuesView {
  constructor(parent) {
    this.rows = Rules.MOVES.map((name, move) => {
      const arrow = drawing("svg", { "aria-hidden": "true", class: ["", "right", "down", "left"][move] });
      const use = drawing("use");
      icon(use, "arrow");
      arrow.append(use);
      const fill = element("i");
      const number = element("span", { class: "number" });
      const row = element(
        "div", { class: "value" }, arrow, element("span", {}, name[0].toUpperCase() + name.slice(1)),
        element("span", { class: "bar", "aria-hidden": "true" }, fill), number);
      parent.append(row);
      return { row, fill, number };
    });
    this.clear();
  }

  clear() {
    this.rows.forEach((_, move) => this.#set(move, "", 0, ""));
  }

  show(analysis) {
    const best = bestMove(analysis);
    const top = best === null ? undefined : analysis.moves[best].value;
    const losses = analysis.moves.map((move) => -(move.difference ?? 0));
    const scale = Math.max(...losses, Math.abs(top ?? 0) * 0.02, 1) * 1.15;
    analysis.moves.forEach((candidate, move) => {
      const kind = !candidate.legal ? "illegal" : move === best ? "best" : "";
      const length = top === undefined || !candidate.legal ? 0 : Math.max(1 - losses[move] / scale, 0.03);
      this.#set(move, kind, length, this.#text(candidate, kind));
    });
  }

  #text(candidate, kind) {
    if (!candidate.legal) return "changes nothing";
    if (candidate.value === undefined) return candidate.reward > 0 ? `+${grouped(candidate.reward)}` : "legal";
    if (kind === "best") return grouped(candidate.value);
    return isAsGood(candidate) ? "as good" : `−${lossText(-candidate.difference)}`;
  }

  #set(move, kind, length, text) {
    const { row, fill, number } = this.rows[move];
    row.className = `value ${kind}`;
    fill.style.transform = `scaleX(${length})`;
    number.textContent = text;
  }
}

// Searches add up in another order and round: less than a twentieth of a point is no loss.
const isAsGood = (candidate) => candidate.difference > -0.05;

// A loss in points: one digit after the point while it is small.
const lossText = (loss) => (loss < 9.95 ? loss.toFixed(1) : grouped(loss));
