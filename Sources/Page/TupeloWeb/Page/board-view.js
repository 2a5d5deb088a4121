// Draws a board so that every tile keeps its identity: tiles slide, the one that arrives takes in the other and pops,
// and new ones appear. Also shows which way a hint points.
class BoardView {
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

function restartAnimation(element, name) {
  element.classList.remove("pop", "appear", "nudge", "rise");
  void element.offsetWidth;
  element.classList.add(name);
}
