// What the page asks of a worker or a server, and of files.

// A question of one part of a view. The newest one counts: an older one is given up, and so are all when the view is
// left. A question that was given up has no answer, and its failure is nobody's.
export class Question {
  static #all = [];
  #stop = null; // an AbortController

  // `view` is the name of the view that asks.
  constructor(view) {
    this.view = view;
    Question.#all.push(this);
  }

  // Gives up what a view asks.
  static leave(view) {
    for (const one of Question.#all) if (one.view === view) one.end();
  }

  get isOpen() { return this.#stop !== null; }

  end() {
    this.#stop?.abort();
    this.#stop = null;
  }

  // A promise of what `work` gives, which gets a signal that aborts when the question is given up. The promise is of
  // null when that has happened.
  async ask(work) {
    this.end();
    const mine = (this.#stop = new AbortController());
    try {
      const answer = await work(mine.signal);
      return mine.signal.aborted ? null : answer;
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#stop === mine) this.#stop = null;
    }
  }
}

// Answers on their way, by key: who asks the same meanwhile gets the same answer. The work is given up when nobody
// waits for it any longer, and then it is begun again for whoever asks next.
export class Pending {
  #asked = new Map();

  of(key, work, signal) {
    signal?.throwIfAborted();
    let one = this.#asked.get(key);
    if (one === undefined) {
      const stop = new AbortController();
      one = { waiting: 0, stop, answer: work(stop.signal) };
      this.#asked.set(key, one);
      const drop = () => this.#drop(key, one);
      one.answer.then(drop, drop);
    }
    one.waiting += 1;
    signal?.addEventListener("abort", () => {
      one.waiting -= 1;
      if (one.waiting > 0) return;
      this.#drop(key, one);
      one.stop.abort();
    }, { once: true });
    return one.answer;
  }

  #drop(key, one) { if (this.#asked.get(key) === one) this.#asked.delete(key); }
}
