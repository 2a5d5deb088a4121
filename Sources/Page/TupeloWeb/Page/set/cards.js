import { drawing, element, plural } from "../core/text.js";
import { calm } from "../core/views.js";

// Draws a card of Set from its notation: number, colour, shading, shape, such as 2rtv. The engine names the cards and
// decides which of them make a Set. The result is a drawing and the letter of its colour, which is shown on request and
// where the system chooses the colours.
function drawCard([number, colour, shading, shape]) {
  const [WIDTH, HEIGHT, SHAPE, GAP, TOP] = [180, 120, 40, 14, 18];
  const count = Number(number);
  const start = (WIDTH - count * SHAPE - (count - 1) * GAP) / 2;
  const symbols = Array.from({ length: count }, (_, index) => drawing(
    "g", { transform: `translate(${start + index * (SHAPE + GAP)} ${TOP})` },
    drawing("use", { href: `#set-${shape}`, class: shading === "s" ? "filled" : "outline" }),
    shading === "t" ? drawing("use", { href: `#set-${shape}-stripes`, class: "stripes" }) : ""));
  const looks = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: `symbols-${colour}`, "aria-hidden": "true" };
  const letter = element("span", { class: "letter", "aria-hidden": "true" }, colour.toUpperCase());
  return [drawing("svg", looks, ...symbols), letter];
}

// The cards on the table as buttons. A card keeps its button while it lies there, so that it can be seen where it goes.
export class CardsView {
  constructor(parent, onPick) {
    this.parent = parent;
    this.onPick = onPick;
    this.buttons = new Map();
    this.order = [];
    this.upright = matchMedia("(max-width: 600px) and (orientation: portrait)");
    this.place = 0;
    parent.addEventListener("focusin", ({ target }) => {
      const place = this.order.indexOf(target.closest("button")?.dataset.card);
      if (place >= 0) this.#rove(place);
    });
  }

  // `cards` with notation and name, by place. `isFast` leaves the motion out.
  show(cards, { isFast = false } = {}) {
    const moves = !isFast && !calm.matches && this.order.length > 0;
    const boxes = new Map(this.order.map((card) => [card, this.buttons.get(card).getBoundingClientRect()]));
    const focused = document.activeElement?.dataset?.card;
    const focusedPlace = this.order.indexOf(focused);
    const stays = new Set(cards.map(({ card }) => card));
    for (const card of this.order) {
      if (stays.has(card)) continue;
      const button = this.buttons.get(card);
      this.buttons.delete(card);
      if (moves) this.#fade(button, boxes.get(card));
      button.remove();
    }
    this.order = cards.map(({ card }) => card);
    cards.forEach(({ card, name }, index) => {
      const button = this.buttons.get(card) ?? this.#button(card, name);
      // Only what is out of place is moved: moving a button takes the focus from it.
      if (this.parent.children[index] !== button) this.parent.insertBefore(button, this.parent.children[index] ?? null);
    });
    const lines = Math.max(4, Math.ceil(cards.length / 3));
    this.parent.parentElement.style.setProperty("--lines", lines);
    if (moves) for (const card of this.order) this.#animate(this.buttons.get(card), boxes.get(card));
    this.#rove(Math.min(this.place, Math.max(cards.length - 1, 0)));
    // The focus stays with its card, or with the place of a card that is gone.
    if (focusedPlace < 0) return;
    if (stays.has(focused)) this.focus(this.order.indexOf(focused));
    else this.focus(Math.min(focusedPlace, cards.length - 1));
  }

  #button(card, name) {
    const button = element("button", {
      class: "set-card", "data-card": card, "data-keeps-focus": true, "aria-label": name, "aria-pressed": "false",
      onclick: () => this.onPick(card),
    }, ...drawCard(card));
    this.buttons.set(card, button);
    return button;
  }

  // Shows a picture of a taken card that fades.
  #fade(button, box) {
    const origin = this.parent.getBoundingClientRect();
    const place = { left: box.left - origin.left, top: box.top - origin.top, width: box.width, height: box.height };
    const style = Object.fromEntries(Object.entries(place).map(([name, value]) => [name, `${value}px`]));
    const ghost = element("div", { class: "set-card leaving", "aria-hidden": "true", style },
      ...[...button.children].map((child) => child.cloneNode(true)));
    ghost.addEventListener("animationend", () => ghost.remove());
    this.parent.after(ghost);
    setTimeout(() => ghost.remove(), 1000);
  }

  #animate(button, from) {
    if (from === undefined) {
      button.animate([{ opacity: 0, transform: "translateY(-12px) scale(.92)" }, { opacity: 0, offset: 0.3 }, {}],
        { duration: 320, easing: "ease-out" });
      return;
    }
    const to = button.getBoundingClientRect();
    const [dx, dy] = [from.left - to.left, from.top - to.top];
    if (Math.abs(dx) + Math.abs(dy) < 1) return;
    button.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }],
      { duration: 260, easing: "ease-in-out" });
  }

  // Sets a state for some cards: `pressed`, or a mark that is a class.
  press(cards) {
    for (const [card, button] of this.buttons) button.setAttribute("aria-pressed", String(cards.includes(card)));
  }

  mark(name, cards) {
    for (const [card, button] of this.buttons) button.classList.toggle(name, cards.includes(card));
  }

  #rove(place) {
    this.place = place;
    this.order.forEach((card, index) => { this.buttons.get(card).tabIndex = index === place ? 0 : -1; });
  }

  focus(place = this.place) {
    this.buttons.get(this.order[place])?.focus({ preventScroll: true });
  }

  // Moves the focus by one card; the table is three rows, on phones three columns.
  step(way) {
    const focused = this.order.indexOf(document.activeElement?.dataset?.card);
    if (focused < 0) return this.focus();
    const isUpright = this.upright.matches;
    const by = { 0: isUpright ? -3 : -1, 1: isUpright ? 1 : 3, 2: isUpright ? 3 : 1, 3: isUpright ? -1 : -3 }[way];
    // A row or column of three ends at its third card.
    const next = focused + by;
    if (next < 0 || next >= this.order.length) return;
    if (Math.abs(by) === 1 && Math.floor(next / 3) !== Math.floor(focused / 3)) return;
    this.focus(next);
  }
}

// Every Set on the table with an agent's value: small cards, a bar, a number. Pointing at one marks its cards.
export class ChoicesView {
  constructor(parent, onPoint) {
    this.parent = parent;
    this.onPoint = onPoint;
  }

  clear() {
    if (this.parent.firstChild !== null) this.parent.replaceChildren();
    this.onPoint([]);
  }

  // `names` by card; `criterion` is what the agent goes by.
  show(analysis, names, criterion) {
    const { choices, best = [] } = analysis;
    const bars = this.#bars(choices, criterion);
    this.parent.replaceChildren(...choices.map((choice, index) => {
      const isBest = choice.cards.join() === best.join();
      const fill = element("i", { style: { transform: `scaleX(${bars[index]})` } });
      const minis = choice.cards.map((card) => element("span", { class: "mini", "aria-hidden": "true" },
        ...drawCard(card)));
      return element("li", {
        class: `choice ${isBest ? "best" : ""}`, "data-cards": choice.cards.join(""),
        onpointerenter: () => this.onPoint(choice.cards), onpointerleave: () => this.onPoint([]),
      }, element("span", { class: "minis" }, ...minis),
        element("span", { class: "unseen" },
          `${isBest ? "The agent’s choice: " : ""}${choice.cards.map((card) => names.get(card)).join(", ")}: `),
        element("span", { class: "bar", "aria-hidden": "true" }, fill),
        element("span", { class: "number" }, ChoicesView.number(choice, index === 0, criterion)));
    }));
  }

  // A choice fills its bar by its number, or by how little it falls short of the best.
  #bars(choices, criterion) {
    if (choices.some(({ value }) => value !== undefined)) {
      const losses = choices.map(({ difference }) => -difference);
      const scale = Math.max(...losses, 0.05) * 1.15;
      return losses.map((loss) => Math.max(1 - loss / scale, 0.03));
    }
    const numbers = choices.map((choice) => choice[criterion] ?? null);
    if (numbers.includes(null)) return choices.map(() => 0);
    const most = Math.max(...numbers, 1);
    const from = criterion === "setsLeft" ? Math.max(2 * Math.min(...numbers) - most - 1, 0) : 0;
    return numbers.map((number) => Math.max((number - from) / Math.max(most - from, 1), 0.03));
  }

  static number(choice, isFirst, criterion) {
    if (choice.value !== undefined) {
      if (isFirst) return choice.value.toFixed(2);
      return choice.difference > -0.005 ? "equally good" : `−${(-choice.difference).toFixed(2)}`;
    }
    return criterion in choice ? plural(choice[criterion], "Set") : "";
  }

  // Explains the numbers.
  static legend({ choices, exact }, criterion) {
    if (choices.length === 0) return "";
    if (choices[0].value !== undefined) {
      const how = exact ? "that best play takes from here, with every deal counted" : "expected from here to the end";
      return `The number of the best choice is the Sets ${how}. Another choice shows how many fewer.`;
    }
    if (criterion === "tableSets") return "The number says how many other Sets stay on the table.";
    if (criterion === "setsLeft") return "The number says how many Sets there are among all cards not yet taken.";
    return "This agent takes any Set and does not value them.";
  }
}
