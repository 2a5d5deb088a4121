// A second agent beside the one in Watch: its board has the same start, and tiles by the same seed.
const Rival = (() => {
  const view = new BoardView(byId("rival-board"));
  const choice = byId("rival");
  let game = null;
  let isBusy = false;

  // The agents with each depth that they have, so that one list is enough.
  const list = () => Agents.list.flatMap((agent) => Array.from({ length: Math.max(agent.maximumPlies, 1) }, (_, index) => (
    { agent: agent.name, ...(agent.maximumPlies > 0 ? { plies: index + 1 } : {}) })));

  function offer() {
    const before = choice.value;
    choice.replaceChildren(element("option", { value: "" }, "nobody"), ...list().map(
      (question, index) => element("option", { value: index }, Agents.nameOf(question))));
    if (before !== "") choice.value = before;
  }

  const question = () => ({ ...list()[Number(choice.value)], four: game.four });
  const isOn = () => choice.value !== "";

  // Begins where a game begins.
  function start({ four, startTiles, seed, positions }) {
    byId("rival-box").hidden = !isOn();
    game = isOn() ? new Game({ four, startTiles, seed, start: positions[0].board }) : null;
    show();
  }

  function show() {
    if (game === null) return;
    view.show(game.board);
    byId("rival-score").textContent = grouped(game.score);
    byId("rival-moves").textContent = grouped(game.steps.length);
    byId("rival-tile").textContent = grouped(Rules.tile(Rules.largest(game.board)));
  }

  // Plays on, up to a limit of moves or time; nothing while it still does.
  async function advance(limits) {
    if (game === null || isBusy || game.isOver) return;
    const mine = game;
    isBusy = true;
    try {
      const { board, seed, steps } = mine;
      const done = await Answers.run({ board, seed, count: steps.length }, question(), limits);
      for (const [move, cell, exponent] of done.steps) mine.play(move, "", { cell, exponent });
      if (mine === game) show();
    } catch (error) {
      toast(error.message);
    }
    isBusy = false;
  }

  choice.addEventListener("change", () => Watch.restart());

  return {
    offer, start, advance, question,
    get isOn() { return isOn(); },
    get isOver() { return game === null || game.isOver; },
  };
})();
