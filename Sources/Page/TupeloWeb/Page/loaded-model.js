// A model in a worker: it is loaded when it is first needed. After a failure a later question tries again, unless it
// would fail again. `ask` gives a worker the model's place: its address, or its bytes as the text of the element `id`.
class LoadedModel {
  static FIRST_WAIT = 2000; // milliseconds after a failure; twice as long after each further one
  static LONGEST_WAIT = 60_000;

  address = null; // null when the model is in the page
  title = "";
  first = null; // a smaller model, which answers until this one is there
  hasServer = false; // whether a server answers until then
  #ask;
  #id;
  #loading = null; // a promise
  #share = 0;
  #memory = 0;
  #failure = ""; // as the end of a sentence
  #advice = "";
  #isFinal = false;
  #wait = LoadedModel.FIRST_WAIT;
  #next = 0; // when it may be tried again
  #listeners = [];

  constructor(ask, id = "") { [this.#ask, this.#id] = [ask, id]; }

  // A sentence as the end of another sentence: without its capital and its full stop.
  static #ending(sentence) {
    return sentence.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
  }

  onChange(listener) {
    this.#listeners.push(listener);
    this.first?.onChange(listener);
  }

  #changed() { for (const listener of this.#listeners) listener(); }

  get isReady() { return this.#memory > 0; }
  // Which of two networks answers: 2 for the larger one after the small one.
  get strength() { return !this.first?.isReady ? 0 : this.isReady ? 2 : 1; }
  get canTry() { return this.#failure === "" || (!this.#isFinal && performance.now() >= this.#next); }

  // What the page says of the model beside its name.
  get note() {
    if (this.isReady) return `, ${grouped(this.#memory / 1e6)} MB in this page`;
    const { first } = this;
    const hasFirst = first?.isReady || (first?.progress ?? null) !== null;
    const own = this.#loading !== null ? `, loading ${Math.round(this.#share * 100)}%`
      : this.#failure === "" ? "" : `. ${this.failure}`;
    return own + (hasFirst ? `; ${first.title} until then${first.note}` : "");
  }

  // How much has come, from 0 to 1; null when nothing is on its way.
  get progress() {
    return this.first?.progress ?? (this.isReady || this.#loading === null ? null : this.#share);
  }

  // Why the model is not there, as a sentence; empty when nothing is wrong.
  get failure() {
    if (this.#failure === "" || this.#loading !== null) return "";
    const helper = this.first?.isReady ? this.first.title : this.hasServer ? "the server" : null;
    return `${helper === null ? "The" : `Hints come from ${helper}; the`} model did not load: ${this.#failure}.`;
  }

  // Whether another try may help; `forgive` allows it at once.
  get canRetry() { return this.failure !== "" && !this.#isFinal; }
  forgive() { this.#next = 0; }

  // Loads what is there first; the larger model follows the small one.
  async loadAny() {
    if (this.isReady || !this.first?.address) return this.load();
    try {
      await this.first.load();
    } catch {
      return this.load(); // which may be there
    }
    this.load().catch(() => {}); // the page says why
    return null;
  }

  // Begins to load, again if need be, and leaves it to the page to say why that fails.
  begin() { this.loadAny().catch(() => {}); }
  retry() {
    for (const one of [this, this.first]) one?.forgive();
    this.begin();
  }

  // Loads the model once. The error of a failure says with `isFinal` whether another try cannot help.
  load() {
    if (this.#loading !== null) return this.#loading;
    if (!this.canTry) return Promise.reject(this.#error());
    this.#loading = this.#start().then(({ bytes }) => {
      [this.#memory, this.#failure] = [bytes, ""];
      this.#changed();
    }, (error) => {
      [this.#loading, this.#share, this.#failure] = [null, 0, LoadedModel.#ending(error.message)];
      this.#advice = error.advice ?? "";
      this.#isFinal = error.name !== "Away";
      this.#next = performance.now() + this.#wait;
      this.#wait = Math.min(this.#wait * 2, LoadedModel.LONGEST_WAIT);
      this.#changed();
      throw this.#error();
    });
    this.#changed();
    return this.#loading;
  }

  async #start() {
    const text = document.getElementById(this.#id)?.textContent;
    const bytes = text && bytesOf(text);
    const address = this.address && new URL(this.address, document.baseURI).href;
    if (!bytes && address?.startsWith("file:")) {
      throw Object.assign(new Error("A page that is opened as a file cannot read other files."), {
        advice: " Put the folder on a web server, or write one file with tupelo site --single-file.",
      });
    }
    return this.#ask({ module: ENGINE_MODULE, address, bytes, store: App.store }, { onProgress: (progress) => {
      this.#share = progress;
      this.#changed();
    } });
  }

  #error() {
    const text = `The model did not load: ${this.#failure}.${this.#advice}`;
    return Object.assign(new Error(text), { isFinal: this.#isFinal });
  }
}
