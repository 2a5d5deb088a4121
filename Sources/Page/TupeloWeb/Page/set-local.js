// Set by an engine in a worker of this page: it answers without a server.
const SetLocal = (() => {
  const loaded = new LoadedModel();
  let offer = null; // which agent plays by the model, and its address, if it is not in the page; null without a model
  let worker = null;

  function start() {
    if (worker === null) {
      worker = new EngineWorker();
      worker.ask("beginSet", { module: ENGINE_MODULE }).catch(() => {}); // each question fails with it
    }
    return worker;
  }

  const load = () =>
    loaded.load((place, options) => start().ask("loadSet", place, options), offer.address, "set-model");

  const ask = (name, values, options) => start().ask("set", { name, values }, options);

  return {
    // The agents that play without a model.
    AGENTS: [
      { name: "heuristic", title: "Hand-written heuristic", criterion: "value", usesModel: false },
      { name: "counting", title: "Card counting", criterion: "setsLeft", usesModel: false },
      { name: "most-left", title: "Keeps most Sets on the table", criterion: "tableSets", usesModel: false },
      { name: "random", title: "Random Sets", criterion: "none", usesModel: false },
    ],
    offer(given) {
      offer = given ?? null;
    },
    load,
    // Loads the model, if there is one, before the first question: it is small, and the network may be off later.
    begin() { if (offer !== null) load().catch(() => {}); }, // the page says why
    onChange: (listener) => loaded.onChange(listener),
    // Whether an agent plays by the model.
    needsModel: (agent) => offer !== null && offer.agent === agent,
    get isReady() { return loaded.isReady; },
    get canTry() { return loaded.canTry; },
    get failure() { return loaded.failure; },
    get canRetry() { return loaded.canRetry; },
    retry() {
      loaded.forgive();
      load().catch(() => {}); // beside the name of the page it says why
    },
    get progress() { return loaded.progress; },
    // What the page says of the model beside its name.
    get note() { return loaded.note; },
    game: ({ seed, game, choices, player }) => ask("game", { seed, game, choices, player }),
    record: (text) => ask("record", { text }),
    claim: (cards) => ask("claim", { cards }),
    async analyze(cards, unseen, agent, signal) {
      if (this.needsModel(agent)) await load();
      signal?.throwIfAborted();
      const seed = [...crypto.getRandomValues(new Uint32Array(2))];
      return ask("analyze", { cards, unseen, agent, seed }, { signal });
    },
  };
})();
