// A second agent beside the one in Watch: its board has the same start, and tiles by the same seed.
const Rival = (() => {
  const view = new BoardView(byId("rival-board"));
  const choice = byId("rival");
  let game = null;
  let isBusy = false;

  // The agents with each depth that they have, so that one list is enough.
  const list = () => Agents.list.flatMap((agent) => Array.from({ length: Math.max(agent.maximumPlies, 1) },
    (_, index) => ({ agent: agent.name, ...(agent.maximumPlies > 0 ? { plies: index + 1 } : {}) })));
  const question = () => list()[Number(choice.value)];

  function show() {
    view.show(game.board);
    const tile = Rules.tile(Rules.largest(game.board));
    texts({
      "rival-score": grouped(game.score), "rival-moves": grouped(game.steps.length), "rival-tile": grouped(tile),
    });
  }

  choice.addEventListener("change", () => Watch.restart());

  return {
    question,
    get isOn() { return choice.value !== ""; },
    get isOver() { return game === null || game.isOver; },
    offer() {
      choice.append(...list().map((one, index) => element("option", { value: index }, Agents.nameOf(one))));
    },
    // Begins where a game with a seed begins, and leaves one without.
    start({ four, startTiles, seed, positions }) {
      if (seed === null) choice.value = "";
      byId("rival-box").hidden = choice.value === "";
      game = choice.value === "" ? null : new Game({ four, startTiles, seed, start: positions[0].board });
      if (game !== null) show();
    },
    // Plays on, up to a limit of moves or time; nothing while it still does.
    async advance(limits) {
      if (isBusy || this.isOver) return;
      const mine = game;
      isBusy = true;
      try {
        const { board, seed, steps, four } = mine;
        const done = await Answers.run({ board, seed, count: steps.length }, { ...question(), four }, limits);
        for (const [move, cell, exponent] of done.steps) mine.play(move, "", { cell, exponent });
        if (mine === game) show();
      } catch (error) {
        toast(error.message);
      }
      isBusy = false;
    },
  };
})();
