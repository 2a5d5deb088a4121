// The engine with a network in a worker of this page: it answers without a server.
const Local = (() => {
  let offer = null; // which agent, and where its model is: its address, or its bytes as text in the page
  let worker = null;
  let loading = null; // a promise
  let share = 0;
  let failure = "";
  let memory = 0;
  const listeners = [];

  const changed = () => listeners.forEach((listener) => listener());

  async function begin() {
    worker = new EngineWorker();
    return worker.ask("load", EngineWorker.model(offer.address, "model"), { onProgress: (progress) => {
      share = progress;
      changed();
    } });
  }

  // Loads the model once. A failure is remembered, and told.
  function load() {
    loading ??= begin().then(({ bytes }) => {
      memory = bytes;
      changed();
    }, (error) => {
      failure = EngineWorker.reason(error);
      changed();
      throw new Error(`The model is not loaded: ${failure}`);
    });
    return loading;
  }

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
    onChange: (listener) => listeners.push(listener),
    // Whether the engine here is to answer a question: one to its agent, by the values of its model.
    knows: ({ agent, evaluator = "model" }) =>
      offer !== null && offer.agent === agent && evaluator === "model" && failure === "",
    get isReady() { return memory > 0; },
    get failure() { return failure; },
    // What the page says of the model beside its name.
    get note() {
      if (failure !== "") return `, not in this page: ${failure}`;
      if (memory > 0) return `, ${grouped(memory / 1e6)} MB in this page`;
      return loading === null ? "" : `, loading ${Math.round(share * 100)}%`;
    },
    analyze: (board, { plies, milliseconds, four }, signal) =>
      ready("analyze", { board, plies, milliseconds, four }, { signal }),
    review: (positions, { plies, four }, signal) => ready("review", { positions, plies, four }, { signal }),
    // Ever deeper, until `milliseconds` are over; `onProgress` is told each depth.
    deepen: (board, { milliseconds, four }, signal, onProgress) =>
      ready("deepen", { board, milliseconds, four }, { signal, onProgress }),
  };
})();
