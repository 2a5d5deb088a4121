import { drawing, element, grouped } from "./text.js";
import { bestMove, expectation, isAsGood, lossText, Rules, Verdicts } from "./game.js";

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Draws a board so that every tile keeps its identity: tiles slide, the one that arrives takes in the other and pops,
// and new ones appear. Also shows which way a hint points.
export class BoardView {
  constructor(element) {
    this.element = element;
    this.layer = element.querySelector(".tiles");
    this.tiles = new Map(); // by cell
    this.pending = null;
    this.setDuration(110);
  }

  // Milliseconds of a slide; 0 draws without motion.
  setDuration(milliseconds) {
    this.duration = milliseconds;
    this.element.style.setProperty("--slide", `${milliseconds}ms`);
  }

  // A board without a past: all tiles are new.
  show(board) {
    this.finish();
    this.layer.replaceChildren();
    this.tiles.clear();
    board.forEach((exponent, cell) => {
      if (exponent > 0) this.tiles.set(cell, this.#make(cell, exponent));
    });
  }

  // One move, as Game.play tells it.
  move({ slides, step }) {
    this.finish();
    const next = new Map();
    const absorbed = [];
    for (const slide of slides) {
      const element = this.tiles.get(slide.from);
      this.#place(element, slide.to);
      next.set(slide.to, element);
      if (slide.absorbed === null) continue;
      const other = this.tiles.get(slide.absorbed);
      this.#place(other, slide.to);
      other.classList.add("under");
      absorbed.push({ other, element, exponent: slide.exponent });
    }
    this.tiles = next;
    this.pending = () => {
      for (const { other, element, exponent } of absorbed) {
        other.remove();
        this.#paint(element, exponent);
        if (this.duration > 0) restartAnimation(element.firstChild, "pop");
      }
      const appeared = this.#make(step.cell, step.exponent);
      if (this.duration > 0) appeared.firstChild.classList.add("appear");
      this.tiles.set(step.cell, appeared);
    };
    if (this.duration === 0) this.finish();
    else this.timer = setTimeout(() => this.finish(), this.duration);
  }

  // Brings a move in progress to its end at once.
  finish() {
    clearTimeout(this.timer);
    const pending = this.pending;
    this.pending = null;
    pending?.();
  }

  // The numbers of the best move and of the one that was played; null for no mark.
  hint(best, played = null) {
    this.#mark("hint", best);
    this.#mark("played", played === best ? null : played);
  }

  #mark(name, move) {
    if (move === null) delete this.element.dataset[name];
    else this.element.dataset[name] = Rules.MOVES[move];
  }

  // A move that changes nothing: the board says so with a nudge.
  refuse(move) {
    this.element.dataset.nudge = Rules.MOVES[move];
    restartAnimation(this.layer, "nudge");
  }

  #make(cell, exponent) {
    const tile = element("div", { class: "tile" }, element("div"));
    this.#paint(tile, exponent);
    this.#place(tile, cell);
    this.layer.append(tile);
    return tile;
  }

  #paint(element, exponent) {
    const number = String(Rules.tile(exponent));
    element.dataset.exponent = exponent;
    element.dataset.digits = number.length;
    element.firstChild.textContent = number;
  }

  #place(element, cell) {
    element.style.setProperty("--column", cell % 4);
    element.style.setProperty("--row", Math.floor(cell / 4));
  }
}

export function restartAnimation(element, name) {
  element.classList.remove("pop", "appear", "nudge", "rise");
  void element.offsetWidth;
  element.classList.add(name);
}

// The four moves with their values as bars. The best one fills its bar; the others fall short by their verdicts.
export class ValuesView {
  static PATIENCE = 150; // milliseconds after which values of another board are gone; sooner it would flicker

  // `buttons` of the four moves, by their number, show the values as well: on a phone the list is out of sight.
  constructor(parent, buttons = []) {
    this.parent = parent;
    this.labels = buttons.map((button) => {
      const label = element("small", { "aria-hidden": "true" });
      button.append(label);
      return [Number(button.dataset.move), label];
    });
    this.rows = Rules.MOVES.map((name, move) => {
      const arrow = drawing("svg", { "aria-hidden": "true", class: ["", "right", "down", "left"][move] });
      arrow.append(drawing("use", { href: "#i-arrow" }));
      const fill = element("i");
      const note = element("span", { class: "unseen" });
      const number = element("span", { class: "number" });
      const title = element("span", { class: "name" }, name[0].toUpperCase() + name.slice(1));
      const row = element(
        "li", { class: "value" }, arrow, title, note, element("span", { class: "bar", "aria-hidden": "true" }, fill),
        number);
      parent.append(row);
      return { row, fill, note, number };
    });
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.parent.setAttribute("aria-busy", "false");
    this.rows.forEach((_, move) => this.#set(move, "", 0, "", ""));
  }

  // Values of another board are on their way: what is here does not stay for long.
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.clear();
      this.parent.setAttribute("aria-busy", "true");
    }, ValuesView.PATIENCE);
  }

  // `played` is the number of the next move of a record.
  show(analysis, played = null) {
    clearTimeout(this.timer);
    this.parent.setAttribute("aria-busy", "false");
    const best = bestMove(analysis);
    const top = best === null ? undefined : analysis.moves[best].value;
    analysis.moves.forEach((candidate, move) => {
      const isValued = top !== undefined && candidate.legal;
      const loss = isValued && !isAsGood(candidate) ? -candidate.difference : 0;
      const verdict = isValued ? Verdicts.of(loss, top).name : "";
      const kind = !candidate.legal ? "illegal" : move === best ? "best" : verdict === "best" ? "" : verdict;
      const length = isValued ? Verdicts.length(loss, top) : 0;
      const notes = [verdict, move === played ? "played" : ""].filter((one) => one !== "").join(", ");
      this.#set(move, move === played ? `${kind} played` : kind, length, this.#text(candidate, kind), notes);
    });
  }

  #text(candidate, kind) {
    if (!candidate.legal) return "changes nothing";
    if (candidate.value === undefined) return candidate.reward > 0 ? `+${grouped(candidate.reward)}` : "legal";
    if (kind === "best") return expectation(candidate.value);
    return isAsGood(candidate) ? "equally good" : `−${lossText(-candidate.difference)}`;
  }

  #set(move, kind, length, text, notes) {
    const { row, fill, note, number } = this.rows[move];
    row.className = `value ${kind}`;
    fill.style.transform = `scaleX(${length})`;
    note.textContent = notes === "" ? "" : `, ${notes}: `;
    number.textContent = text;
    for (const [own, label] of this.labels) {
      if (own === move) label.textContent = kind.startsWith("illegal") ? "" : text;
    }
  }
}
