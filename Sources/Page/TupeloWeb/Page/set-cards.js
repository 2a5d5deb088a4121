// The cards on the table as buttons, each at its place. A card keeps its button for as long as it lies there, so that
// it can be seen where it goes.
class CardsView {
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
    }, ...SetCard.draw(card));
    button.addEventListener("click", () => this.onPick(card));
    this.buttons.set(card, button);
    return button;
  }

  // What is left of a card that was taken: a picture that fades.
  #fade(button, box) {
    const origin = this.parent.getBoundingClientRect();
    const ghost = element("div", { class: "set-card leaving", "aria-hidden": "true" },
      ...[...button.children].map((child) => child.cloneNode(true)));
    const place = { left: box.left - origin.left, top: box.top - origin.top, width: box.width, height: box.height };
    for (const [name, value] of Object.entries(place)) ghost.style[name] = `${value}px`;
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
    // Within a row or column of three there is no way out at its end.
    const next = focused + by;
    if (next < 0 || next >= this.order.length) return;
    if (Math.abs(by) === 1 && Math.floor(next / 3) !== Math.floor(focused / 3)) return;
    this.focus(next);
  }
}
