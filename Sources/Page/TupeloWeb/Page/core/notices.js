import { byId } from "./text.js";

// Gives the focus to the board, or to what the view has in its place. The page sets the function.
export const Focus = { takeBack() {} };

// The texts for a screen reader. Texts of one moment become one text, so that none hides another. In fast play, only
// the latest text of two seconds is read.
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

// A short message at the edge of the window, with at most one thing to do. It stays while it is pointed at or has the
// focus; Escape closes it.
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
