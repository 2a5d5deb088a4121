// A worker of this page that hosts an engine, and the questions that wait for its answers.
class EngineWorker {
  #waiting = new Map(); // by id
  #count = 0;
  #worker = new Worker(URL.createObjectURL(new Blob([WORKER_TEXT], { type: "text/javascript" })));

  constructor() {
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      for (const { fail } of this.#waiting.values()) fail(new Error(event.message || "The engine stopped."));
      this.#waiting.clear();
      if (this.#count === 0) this.ask = async () => { throw new Error("The engine did not start."); };
    };
  }

  #receive({ id, progress, result, error, name }) {
    const asked = this.#waiting.get(id);
    if (asked === undefined) return;
    if (progress !== undefined) return asked.onProgress?.(progress);
    this.#waiting.delete(id);
    if (error === undefined) asked.done(result);
    else asked.fail(name === "Refused" ? new Server.Refused(error) : Object.assign(new Error(error), { name }));
  }

  // A promise of the worker's answer. A question that is given up is not answered.
  ask(kind, values, { signal, onProgress } = {}) {
    const id = (this.#count += 1);
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail, onProgress });
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.delete(id)) return;
        this.#worker.postMessage({ cancel: id });
        fail(new Error("given up"));
      }, { once: true });
      this.#worker.postMessage({ id, kind, ...values });
    });
  }
}
