// The engine with a network in a worker of this page: it answers without a server.
const Local = (() => {
  let offer = null; // which agent, and where its model is: its address, or its bytes as text in the page
  let worker = null;
  let loading = null; // a promise
  let share = 0;
  let failure = "";
  let memory = 0;
  let count = 0;
  const waiting = new Map(); // by id
  const listeners = [];

  const changed = () => listeners.forEach((listener) => listener());

  function receive({ data: { id, progress, result, error } }) {
    const asked = waiting.get(id);
    if (asked === undefined) return;
    if (progress !== undefined) return asked.onProgress?.(progress);
    waiting.delete(id);
    if (error === undefined) asked.done(result);
    else asked.fail(new Error(error));
  }

  // A promise of the worker's answer. A question that is given up is not answered.
  function ask(kind, values, { signal, onProgress } = {}) {
    const id = (count += 1);
    return new Promise((done, fail) => {
      waiting.set(id, { done, fail, onProgress });
      signal?.addEventListener("abort", () => {
        if (!waiting.delete(id)) return;
        worker.postMessage({ cancel: id });
        fail(new Error("given up"));
      }, { once: true });
      worker.postMessage({ id, kind, ...values });
    });
  }

  async function begin() {
    worker = new Worker(URL.createObjectURL(new Blob([WORKER_TEXT], { type: "text/javascript" })));
    worker.onmessage = receive;
    worker.onerror = (event) => {
      event.preventDefault();
      for (const { fail } of waiting.values()) fail(new Error(event.message || "The engine stopped."));
      waiting.clear();
    };
    const text = document.getElementById("model")?.textContent;
    const bytes = text && Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const address = offer.address && new URL(offer.address, document.baseURI).href;
    return ask("load", { module: ENGINE_MODULE, address, bytes }, { onProgress: (progress) => {
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
      failure = error.message === "Failed to fetch" ? "its file cannot be read" : error.message;
      changed();
      throw new Error(`The model is not loaded: ${failure}`);
    });
    return loading;
  }

  const ready = async (kind, values, options) => {
    await load();
    options.signal?.throwIfAborted();
    return ask(kind, values, options);
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
