// What is said when a game is won or over. It stands under the board or table, so that the last position can be looked
// at, and waits for a choice. `players` selects what has the focus while somebody plays.
class NoticeBox {
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
        takeFocusBack();
        choice.run();
      };
    });
    if (!isNew) return;
    Voice.say(text);
    // Whoever plays by keys chooses by keys: no move key does anything on a button.
    if (document.activeElement.matches(this.players)) this.buttons[0].focus({ preventScroll: true });
  }
}

const Notice = new NoticeBox("notice", "#board, .pad button");
