// A model in a worker: it is loaded when it is first needed. After a failure a later question tries again, unless it
// would fail again.
class LoadedModel {
  static FIRST_WAIT = 2000; // milliseconds after a failure; twice as long after each further one
  static LONGEST_WAIT = 60_000;

  helper = null; // who gives hints when this model does not load, if it is not the server
  #loading = null; // a promise
  #share = 0;
  #memory = 0;
  #failure = ""; // as the end of a sentence
  #advice = "";
  #isFinal = false;
  #wait = LoadedModel.FIRST_WAIT;
  #next = 0; // when it may be tried again
  #listeners = [];

  // A sentence as the end of another sentence: without its capital and its full stop.
  static #ending(sentence) {
    return sentence.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
  }

  onChange(listener) { this.#listeners.push(listener); }

  #changed() { for (const listener of this.#listeners) listener(); }

  get isReady() { return this.#memory > 0; }
  get canTry() { return this.#failure === "" || (!this.#isFinal && performance.now() >= this.#next); }

  // What the page says of the model beside its name.
  get note() {
    if (this.isReady) return `, ${grouped(this.#memory / 1e6)} MB in this page`;
    if (this.#loading !== null) return `, loading ${Math.round(this.#share * 100)}%`;
    return this.#failure === "" ? "" : `. ${this.failure}`;
  }

  // How much has come, from 0 to 1; null when nothing is on its way.
  get progress() { return this.isReady || this.#loading === null ? null : this.#share; }

  // Why the model is not there, as a sentence; empty when nothing is wrong.
  get failure() {
    if (this.#failure === "" || this.#loading !== null) return "";
    const helper = this.helper ?? (Site === null ? "the server" : null);
    return `${helper === null ? "The" : `Hints come from ${helper}; the`} model did not load: ${this.#failure}.`;
  }

  // Whether another try may help; `forgive` allows it at once.
  get canRetry() { return this.failure !== "" && !this.#isFinal; }
  forgive() { this.#next = 0; }

  // Loads the model once. `ask` gives a worker the model's place: its address, or its bytes as the text of the element
  // `id`. The error of a failure says with `isFinal` whether it is no use to try again.
  load(ask, address, id) {
    if (this.#loading !== null) return this.#loading;
    if (!this.canTry) return Promise.reject(this.#error());
    this.#loading = this.#begin(ask, address, id).then(({ bytes }) => {
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

  async #begin(ask, address, id) {
    const text = document.getElementById(id)?.textContent;
    const bytes = text && Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const place = {
      module: ENGINE_MODULE, address: address && new URL(address, document.baseURI).href, bytes, store: App.store,
    };
    if (!bytes && place.address?.startsWith("file:")) {
      throw Object.assign(new Error("A page that is opened as a file cannot read other files."), {
        advice: " Put the folder on a web server, or write one file with tupelo site --single-file.",
      });
    }
    return ask(place, { onProgress: (progress) => {
      this.#share = progress;
      this.#changed();
    } });
  }

  #error() {
    const text = `The model did not load: ${this.#failure}.${this.#advice}`;
    return Object.assign(new Error(text), { isFinal: this.#isFinal });
  }
}
