// The engine with a network in a worker of this page: it answers without a server. A page may have a smaller network
// that answers until the larger one is there.
const Local = (() => {
  const model = new LoadedModel();
  const small = new LoadedModel();
  let offer = null; // which agent, the address of its model, if it is not in the page, and the small model
  let worker = null;

  const begin = (one, address, id) => one.load((place, options) => {
    worker ??= new EngineWorker();
    return worker.ask("load", place, options);
  }, address, id);

  const load = () => begin(model, offer.address, "model");

  // Loads the network that is there first; the larger one follows the small one.
  async function loadAny() {
    if (model.isReady || !offer.first) return load();
    try {
      await begin(small, offer.first.model, "");
    } catch {
      return load(); // which may be there
    }
    model.helper = offer.first.title;
    load().catch(() => {}); // the page says why
    return null;
  }

  const ready = async (loading, kind, values, options) => {
    await loading();
    options.signal?.throwIfAborted();
    return worker.ask(kind, values, options);
  };

  return {
    offer(given) {
      offer = given ?? null;
    },
    load: loadAny,
    retry() {
      for (const one of [small, model]) one.forgive();
      loadAny().catch(() => {}); // the page says why
    },
    onChange: (listener) => { for (const one of [small, model]) one.onChange(listener); },
    // Whether the engine here is to answer a question: one to its agent, by the values of its model.
    knows: ({ agent, evaluator = "model" }) => offer !== null && offer.agent === agent && evaluator === "model",
    get isReady() { return model.isReady; },
    get canTry() { return model.canTry; },
    get failure() { return model.failure; },
    get canRetry() { return model.canRetry; },
    get progress() { return small.progress ?? model.progress; },
    // Which of two networks answers: 2 for the larger one after the small one.
    get strength() { return !small.isReady ? 0 : model.isReady ? 2 : 1; },
    // What the page says of the model beside its name.
    get note() {
      const other = small.isReady || small.progress !== null ? `; ${offer.first.title} until then${small.note}` : "";
      return model.note + (model.isReady ? "" : other);
    },
    analyze: (board, { plies, milliseconds, four }, signal) =>
      ready(loadAny, "analyze", { board, plies, milliseconds, four }, { signal }),
    // A record is judged by one network, the larger one.
    review: (positions, { plies, four }, signal) => ready(load, "review", { positions, plies, four }, { signal }),
    // One network plays a game to its end, the larger one.
    run: (game, { plies, milliseconds, four }, limits) =>
      ready(load, "run", { game, plies, milliseconds, four, limits }, {}),
    // Ever deeper, until `milliseconds` are over; `onProgress` is told each depth.
    deepen: (board, { milliseconds, four }, signal, onProgress) =>
      ready(loadAny, "deepen", { board, milliseconds, four }, { signal, onProgress }),
  };
})();
