// The engine with a network in a worker of this page: it answers without a server.
const Local = (() => {
  const model = new LoadedModel();
  let offer = null; // which agent, and the address of its model, if it is not in the page
  let worker = null;

  const load = () => model.load((place, options) => {
    worker ??= new EngineWorker();
    return worker.ask("load", place, options);
  }, offer.address, "model");

  const ready = async (kind, values, options) => {
    await load();
    options.signal?.throwIfAborted();
    return worker.ask(kind, values, options);
  };

  return {
    offer(given) {
      offer = given ?? null;
    },
    load,
    onChange: (listener) => model.onChange(listener),
    // Whether the engine here is to answer a question: one to its agent, by the values of its model.
    knows: ({ agent, evaluator = "model" }) => offer !== null && offer.agent === agent && evaluator === "model",
    get isReady() { return model.isReady; },
    get canTry() { return model.canTry; },
    get isFailure() { return model.isFailure; },
    // What the page says of the model beside its name.
    get note() { return model.note; },
    analyze: (board, { plies, milliseconds, four }, signal) =>
      ready("analyze", { board, plies, milliseconds, four }, { signal }),
    review: (positions, { plies, four }, signal) => ready("review", { positions, plies, four }, { signal }),
    run: (game, { plies, milliseconds, four }, limits) =>
      ready("run", { game, plies, milliseconds, four, limits }, {}),
    // Ever deeper, until `milliseconds` are over; `onProgress` is told each depth.
    deepen: (board, { milliseconds, four }, signal, onProgress) =>
      ready("deepen", { board, milliseconds, four }, { signal, onProgress }),
  };
})();
