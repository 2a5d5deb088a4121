// The engine with a network in a worker of this page: it answers without a server. A page may have a smaller network
// that answers until the larger one is there.
const Local = (() => {
  let offer = null; // which agent plays by the model, the address of the model, and the small model
  let worker = null;

  const load = (place, options) => (worker ??= new EngineWorker()).ask("load", place, options);
  const model = new LoadedModel(load, "model");
  model.first = new LoadedModel(load);

  const ready = async (loading, kind, values, options) => {
    await loading;
    options.signal?.throwIfAborted();
    return worker.ask(kind, values, options);
  };

  return Object.assign(model, {
    offer(given) {
      [offer, model.address, model.hasServer] = [given ?? null, given?.address, Site === null];
      if (offer !== null) setTimeout(() => { worker ??= new EngineWorker(); }); // it starts while nobody waits for it
      Object.assign(model.first, { address: offer?.first?.model, title: offer?.first?.title });
    },
    // Whether the engine here is to answer a question: one to its agent, by the values of its model.
    knows: ({ agent, evaluator = "model" }) => offer !== null && offer.agent === agent && evaluator === "model",
    analyze: (board, settings, signal) => ready(model.loadAny(), "analyze", { ...settings, board }, { signal }),
    // A record is judged by one network, the larger one.
    review: (positions, settings, signal) => ready(model.load(), "review", { ...settings, positions }, { signal }),
    // One network plays a game to its end, the larger one.
    run: (game, settings, limits) => ready(model.load(), "run", { ...settings, game, limits }, {}),
    // Searches ever deeper, until `milliseconds` are over. `onProgress` gets the answer of each depth.
    deepen: (board, settings, signal, onProgress) =>
      ready(model.loadAny(), "deepen", { ...settings, board }, { signal, onProgress }),
  });
})();
