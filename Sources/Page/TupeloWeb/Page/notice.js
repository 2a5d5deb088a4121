// What is said when a game is won or over. It stands under the board, so that the last position can be looked at, and
// waits for a choice.
const Notice = (() => {
  const buttons = ["notice-first", "notice-second", "notice-third"].map(byId);
  let shown = "";

  // `notice` has a title, a text and up to three choices of a label and what it runs; null takes the notice away.
  function show(notice) {
    const text = notice === null ? "" : `${notice.title}. ${notice.text}`;
    const isNew = text !== shown;
    shown = text;
    byId("notice").hidden = notice === null;
    if (notice === null) return;
    byId("notice-title").textContent = notice.title;
    byId("notice-text").textContent = notice.text;
    buttons.forEach((button, index) => {
      const choice = notice.choices[index];
      button.hidden = choice === undefined;
      button.textContent = choice?.label ?? "";
      button.onclick = () => {
        byId("board").focus({ preventScroll: true });
        choice.run();
      };
    });
    if (!isNew) return;
    Voice.say(text);
    // Whoever plays by keys chooses by keys: no move key does anything on a button.
    const plays = document.activeElement.matches("body, #board, .pad button, #notice button");
    if (plays) buttons[0].focus({ preventScroll: true });
  }

  return { show, get isShown() { return shown !== ""; } };
})();
