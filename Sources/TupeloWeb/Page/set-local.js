// Set without a server: an engine in a worker of this page answers what `/set/...` of a server does.
const SetLocal = (() => {
  let offer = null; // the model's title and address; null without a model
  let worker = null;
  const loaded = new LoadedModel();

  function start() {
    if (worker === null) {
      worker = new EngineWorker();
      worker.ask("beginSet", { module: ENGINE_MODULE }).catch(() => {}); // each question fails with it
    }
    return worker;
  }

  const load = () =>
    loaded.load((place, options) => start().ask("loadSet", place, options), offer.model, "set-model");

  const ask = (name, values, options) => start().ask("set", { name, values }, options);

  const AGENTS = [
    { name: "heuristic", title: "Hand-written heuristic", criterion: "value", usesModel: false },
    { name: "counting", title: "Card counting", criterion: "setsLeft", usesModel: false },
    { name: "most-left", title: "Keeps most Sets on the table", criterion: "tableSets", usesModel: false },
    { name: "random", title: "Random Sets", criterion: "none", usesModel: false },
  ];

  return {
    // The agents of Set in this page, the model first.
    agents(model) {
      offer = model ?? null;
      if (offer === null) return AGENTS;
      return [{ name: "network", title: `Network ${model.title}`, criterion: "value", usesModel: true }, ...AGENTS];
    },
    // Loads the model, if there is one, before the first question: it is small, and the network may be off later.
    begin() { if (offer !== null) load().catch(() => {}); }, // beside the name of the model it says why
    onChange: (listener) => loaded.onChange(listener),
    get isFailure() { return loaded.isFailure; },
    // What the page says of the model beside its name.
    get note() { return loaded.note; },
    setGame: ({ seed, game, choices, player }) => ask("game", { seed, game, choices, player }),
    setRecord: (text) => ask("record", { text }),
    setClaim: (cards) => ask("claim", { cards }),
    async setAnalyze(cards, unseen, agent, signal) {
      if (agent === "network") await load();
      signal?.throwIfAborted();
      const seed = [...crypto.getRandomValues(new Uint32Array(2))];
      return ask("analyze", { cards, unseen, agent, seed }, { signal });
    },
  };
})();
