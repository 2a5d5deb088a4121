// Set without a server: an engine in a worker of this page answers what `/set/...` of a server does.
const SetLocal = (() => {
  let offer = null; // the model's title and address; null without a model
  let worker = null;
  let loading = null; // a promise
  let memory = 0;
  let failure = "";
  const listeners = [];

  function start() {
    if (worker === null) {
      worker = new EngineWorker();
      worker.ask("beginSet", { module: ENGINE_MODULE }).catch(() => {}); // each question fails with it
    }
    return worker;
  }

  function tell(bytes, text) {
    [memory, failure] = [bytes, text];
    listeners.forEach((listener) => listener());
  }

  // Loads the model. After a failure the next question tries again: a file may be there later.
  function load() {
    loading ??= start().ask("loadSet", EngineWorker.model(offer.model, "set-model")).then(
      ({ bytes }) => tell(bytes, ""),
      (error) => {
        loading = null;
        tell(0, EngineWorker.reason(error));
        throw new Error(`The model is not loaded: ${failure}.`);
      });
    return loading;
  }

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
    // Loads the model, if there is one, before it is asked for: the network may be off then.
    begin() { if (offer !== null) load().catch(() => {}); }, // the name of the model says why
    onChange: (listener) => listeners.push(listener),
    // What the page says of the model beside its name.
    get note() {
      if (failure !== "") return `, not in this page: ${failure}`;
      return memory > 0 ? `, ${grouped(memory / 1e6)} MB in this page` : "";
    },
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
