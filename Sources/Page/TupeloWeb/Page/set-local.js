// Set by an engine in a worker of this page: it answers without a server.
const SetLocal = (() => {
  const model = new LoadedModel((place, options) => start().ask("loadSet", place, options), "set-model");
  let player = null; // the agent that plays by the model
  let worker = null;

  function start() {
    if (worker === null) {
      worker = new EngineWorker();
      worker.ask("beginSet", { module: ENGINE_MODULE }).catch(() => {}); // each question fails with it
    }
    return worker;
  }

  const ask = (name, values, options) => start().ask("set", { name, values }, options);

  return Object.assign(model, {
    // The agents that play without a model.
    AGENTS: [
      { name: "heuristic", title: "Hand-written heuristic", criterion: "value", usesModel: false },
      { name: "counting", title: "Card counting", criterion: "setsLeft", usesModel: false },
      { name: "most-left", title: "Keeps most Sets on the table", criterion: "tableSets", usesModel: false },
      { name: "random", title: "Random Sets", criterion: "none", usesModel: false },
    ],
    offer(given) { [player, model.address] = [given?.agent ?? null, given?.address]; },
    // Loads the model, if there is one, before the first question: it is small, and the network may be off later.
    open() { if (player !== null) model.begin(); },
    // Whether an agent plays by the model.
    needsModel: (agent) => agent === player,
    game: ({ seed, game, choices, player: name }) => ask("game", { seed, game, choices, player: name }),
    record: (text) => ask("record", { text }),
    claim: (cards) => ask("claim", { cards }),
    async analyze(cards, unseen, agent, signal) {
      if (this.needsModel(agent)) await model.load();
      signal?.throwIfAborted();
      const seed = [...crypto.getRandomValues(new Uint32Array(2))];
      return ask("analyze", { cards, unseen, agent, seed }, { signal });
    },
  });
})();
