import { byId, capital, element, grouped } from "./text.js";
import { bestMove, expectation, isAsGood, lossText, Rules, Verdicts } from "./game.js";

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

// The height of the digits on a tile by their number, in hundredths of the tile's width with its gap.
export const DIGIT_SIZES = [0, 42, 42, 36, 29.2, 23.6, 20];

// Draws a board and the direction of a hint. Every tile keeps its identity: tiles slide, the one that arrives takes in
// the other and pops, and new ones appear.
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
    this.element.dataset.shape = Rules.shapeOf(board);
    board.forEach((exponent, cell) => {
      if (exponent > 0) this.tiles.set(cell, this.#make(cell, exponent));
    });
  }

  // One move, as Game.play returns it.
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
        if (this.duration > 0) animate(element.firstChild, "pop");
      }
      const appeared = this.#make(step.cell, step.exponent);
      if (this.duration > 0) animate(appeared.firstChild, "appear");
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
    for (const [name, move] of [["hint", best], ["played", played === best ? null : played]]) {
      if (move === null) delete this.element.dataset[name];
      else this.element.dataset[name] = Rules.MOVES[move];
    }
  }

  // A move that changes nothing: the board says so with a nudge.
  refuse(move) {
    animate(this.layer, "nudge", { translate: ["0 -1%", "1% 0", "0 1%", "-1% 0"][move] });
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
    element.style.setProperty("--tile", `var(--tile-${exponent})`);
    element.style.setProperty("--size", DIGIT_SIZES[number.length]);
    element.firstChild.textContent = number;
  }

  #place(element, cell) {
    element.style.setProperty("--column", cell % 4);
    element.style.setProperty("--row", Math.floor(cell / 4));
  }
}

const MOTIONS = {
  appear: [160, { scale: 0.3, opacity: 0 }, {}], pop: [170, {}, { scale: 1.11, offset: 0.45 }, {}], nudge: [160, {}],
  show: [700, { opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }],
  hide: [700, { opacity: 0 }, { opacity: 0, offset: 0.8 }, {}],
};

// A short motion of an element, by frames of its own after those of its kind; it needs no layout.
export function animate(element, name, ...frames) {
  const [duration, ...usual] = MOTIONS[name];
  if (!calm.matches) element.animate([...usual, ...frames, ...(frames.length > 0 ? [{}] : [])], { duration });
}

// A loss in points.
export const lost = (loss) => `−${lossText(loss)}`;

// The four moves with their values as bars. The best one fills its bar; the others fall short by their verdicts.
export class ValuesView {
  static PATIENCE = 150; // milliseconds after which values of another board are gone; sooner it would flicker

  // `buttons` of the four moves, by their number, show the values as well: on a phone the list is out of sight.
  constructor(parent, buttons = []) {
    this.parent = parent;
    const label = ({ dataset: { move } }) => [move, element("small", { "aria-hidden": "true" })];
    this.labels = Object.fromEntries(buttons.map(label));
    for (const button of buttons) button.append(this.labels[button.dataset.move]);
    this.rows = Rules.MOVES.map((name, move) => {
      const row = byId("value-row").content.firstElementChild.cloneNode(true);
      const [arrow, title, note, bar, number] = row.children;
      arrow.setAttribute("class", ["", "right", "down", "left"][move]);
      title.textContent = capital(name);
      parent.append(row);
      return { row, fill: bar.firstChild, note, number };
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
  show(analysis, board, played = null) {
    clearTimeout(this.timer);
    this.parent.setAttribute("aria-busy", "false");
    const best = bestMove(analysis);
    const top = best === null ? undefined : analysis.moves[best].value;
    const scale = Verdicts.scale(top ?? 0, board);
    analysis.moves.forEach((candidate, move) => {
      const isValued = top !== undefined && candidate.legal;
      const loss = isValued && !isAsGood(candidate) ? -candidate.difference : 0;
      const verdict = isValued ? Verdicts.of(loss, scale).name : "";
      const kind = !candidate.legal ? "illegal" : move === best ? "best" : verdict === "best" ? "" : verdict;
      const length = isValued ? Verdicts.length(loss, scale) : 0;
      const notes = [verdict, move === played ? "played" : ""].filter((one) => one !== "").join(", ");
      this.#set(move, move === played ? `${kind} played` : kind, length, this.#text(candidate, kind), notes);
    });
  }

  #text(candidate, kind) {
    if (!candidate.legal) return "changes nothing";
    if (candidate.value === undefined) return candidate.reward > 0 ? `+${grouped(candidate.reward)}` : "legal";
    if (kind === "best") return expectation(candidate.value);
    return isAsGood(candidate) ? "equally good" : lost(-candidate.difference);
  }

  #set(move, kind, length, text, notes) {
    const { row, fill, note, number } = this.rows[move];
    row.className = `value ${kind}`;
    fill.style.transform = `scaleX(${length})`;
    note.textContent = notes === "" ? "" : `, ${notes}: `;
    number.textContent = text;
    if (move in this.labels) this.labels[move].textContent = kind.startsWith("illegal") ? "" : text;
  }
}

// Gives the focus to the board, or to what the view has in its place. The page sets the function.
export const Focus = { takeBack() {} };

// Does some work. If it fails, a message says why.
export const orToast = (work) => work().catch(({ message }) => toast(message));

// Texts for a screen reader. Texts of one moment become one text, so that none hides another. In fast play, only the
// latest text of two seconds is read.
export const Voice = {
  waiting: [],
  say(text, { isUrgent = true } = {}) {
    const now = performance.now();
    if (!isUrgent && now - (this.last ?? -1e9) < 2000) return;
    this.last = now;
    this.waiting.push(text);
    if (this.waiting.length > 1) return;
    queueMicrotask(() => { byId("live").textContent = this.waiting.splice(0).join(" "); });
  },
};

// A short message at the edge of the window, with at most one button. It stays while it is pointed at or has the focus.
export const toast = (() => {
  const box = byId("toast");
  const [label, button, close] = box.children;
  let timer = null;
  let time = 0;

  function hide() {
    clearTimeout(timer);
    const hadFocus = box.contains(document.activeElement);
    box.hidden = true;
    if (hadFocus) Focus.takeBack();
  }

  function wait() {
    clearTimeout(timer);
    const isHeld = box.matches(":hover") || box.contains(document.activeElement);
    if (!isHeld) timer = setTimeout(hide, time);
  }

  for (const event of ["pointerenter", "pointerleave", "focusin"]) box.addEventListener(event, wait);
  box.addEventListener("focusout", () => setTimeout(wait));
  close.addEventListener("click", hide);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !box.hidden) hide(); });

  return (text, action = null) => {
    label.textContent = text;
    button.textContent = action?.label ?? "";
    button.hidden = action === null;
    button.onclick = () => {
      hide();
      action?.run();
    };
    box.hidden = false;
    time = action ? 12_000 : 5000;
    wait();
  };
})();

// The message when a game is won or over. It stands under the board or table, so that the last position stays visible,
// and waits for a choice. `players` selects the elements that have the focus while somebody plays.
export class NoticeBox {
  #shown = "";

  constructor(id, players) {
    this.box = byId(id);
    this.players = `body, .notice button, ${players}`;
    this.buttons = [...this.box.querySelectorAll("button")];
  }

  get isShown() { return this.#shown !== ""; }

  // `notice` has a title, a text and up to three choices of a label and what it runs; null takes the notice away.
  show(notice) {
    const text = notice === null ? "" : `${notice.title}. ${notice.text}`;
    const isNew = text !== this.#shown;
    this.#shown = text;
    this.box.hidden = notice === null;
    if (notice === null) return;
    const [title, words] = this.box.children;
    [title.textContent, words.textContent] = [notice.title, notice.text];
    this.buttons.forEach((button, index) => {
      const choice = notice.choices[index];
      button.hidden = choice === undefined;
      button.textContent = choice?.label ?? "";
      button.onclick = () => {
        Focus.takeBack();
        choice.run();
      };
    });
    if (!isNew) return;
    Voice.say(text);
    // A person who plays by keys also chooses by keys: move keys do nothing on a button.
    if (document.activeElement.matches(this.players)) this.buttons[0].focus({ preventScroll: true });
  }
}
