import { bytesOf, ENGINE_MODULE, makeEngine, makeSetEngine } from "./engine.js";
import { grouped } from "../core/text.js";
import { modelStore } from "../core/storage.js";

// Plays a game on from a board until a limit: `most` moves, or `time` in milliseconds. `decide` gives the number of the
// move on a board, -1 for none. Tiles follow from the game's seed and the number of the move. The function uses nothing
// of the page, because a worker runs it, too; `engine` slides and draws.
export async function playOn(engine, decide, { board, four, seed, count }, { most = Infinity, time = Infinity }) {
  const end = performance.now() + time;
  const steps = []; // move, and the cell and exponent of the tile that appeared
  let reward = 0;
  while (steps.length < most && (steps.length === 0 || performance.now() < end)) {
    const move = await decide(board);
    if (move < 0) return { board, steps, reward, isOver: true };
    const slid = engine.slide(board, move);
    const { cell, exponent } = engine.draw(slid.board, four, seed, count + steps.length);
    board = slid.board.with(cell, exponent);
    reward += slid.reward;
    steps.push([move, cell, exponent]);
  }
  return { board, steps, reward, isOver: false };
}

// The worker that hosts an engine with a network, beside the page. The functions above are copied into it as text.
//
// A question is a message with `id` and `kind`; its answer has the same `id` and `result` or `error`, and before it any
// number with `progress`. A long search fails as `Cut` when its `id` comes as `cancel`.
function runWorker(scope, makeEngine, makeSetEngine, playOn) {
  const [FIRST_SLICE, SLICE, LONGEST] = [20, 200, 3200]; // milliseconds of search between yields to other requests
  const MOST_PLIES = 15;
  const MOST_GAMES = 2000; // after each move
  const cancelled = new Set();
  let engine = null; // with a network of 2048
  let plainEngine = null; // of boards smaller than 4x4, and of Set, with its network or without one

  // Network errors are temporary; callers may retry.
  const away = (reason) => Object.assign(new Error(reason), { name: "Away" });

  const TRIES = 3; // of a file whose connection is cut, each from where the last one ended

  // Reads a file of known length, and reports the progress. `more` requests the bytes from a place on.
  async function read(response, more, progress) {
    if (!response.ok) throw away(`Its file is not there (status ${response.status}).`);
    const length = Number(response.headers.get("content-length"));
    const chunks = [];
    let count = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        for (const reader = response.body.getReader(); ;) {
          const { done, value } = await reader.read();
          if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
          chunks.push(value);
          count += value.length;
          if (length > 0) progress(Math.min(count / length, 1));
        }
      } catch {
        response = tries < TRIES ? await more(count).catch(() => null) : null;
        if (response?.status !== 206) throw away("The connection was cut.");
      }
    }
  }

  // Loads the model at an address, or of `bytes`, which may be a blob, into an engine. Where the browser has a store of
  // that name, it caches the file only after it parses.
  async function loadInto(target, { address, bytes, store }, progress) {
    const cache = store ? await caches.open(store).catch(() => null) : null;
    const kept = await cache?.match(address);
    const more = (count) => fetch(address, { headers: { Range: `bytes=${count}-` } });
    const download = async () => read(kept ?? (await fetch(address)), more, (share) => progress(share * 0.7));
    const file = bytes ?? (await download().catch((error) => {
      throw error.name === "TypeError" ? away("Its file cannot be read.") : error;
    }));
    try {
      await target.load(file, (share) => progress(0.7 + share * 0.3));
    } catch (error) {
      // A file that is damaged is not kept. A browser without memory for it may have some later.
      if (!(error instanceof RangeError)) await cache?.delete(address);
      throw error;
    }
    if (cache && !kept) await cache.put(address, new Response(file)).catch(() => {}); // the disk may be full
  }

  async function load({ module, replaces, ...place }, progress) {
    const fresh = makeEngine(module);
    await loadInto(fresh, place, progress);
    // The first search takes memory for what it remembers.
    fresh.analyze([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], { plies: 1, four: 0.1 });
    if (replaces || !(engine?.byteCount > fresh.byteCount)) engine = fresh; // a small network may be there last
    return { bytes: fresh.byteCount };
  }

  // The engine with the network; it is gone once it had no memory.
  function loaded() {
    if (engine === null) throw new RangeError();
    return engine;
  }

  // With a time limit, depth is unlimited by default.
  const analyze = (question, progress) => {
    const { board, plies = MOST_PLIES, milliseconds, four, module } = question;
    // A board smaller than 4x4 has walls, and needs no network.
    const own = board.includes(-1) ? plainEngine ??= makeEngine(module) : loaded();
    return milliseconds > SLICE ? deepen(own, question, progress) : own.analyze(board, { plies, milliseconds, four });
  };

  const review = ({ boards, plies, four }) => boards.map((board) => loaded().analyze(board, { plies, four }));

  // Searches ever deeper, in slices, until the time is over. A slice remembers a part of the slice before, and takes
  // longer if that slice got no deeper. A question that is cancelled has no answer: its search was cut.
  async function deepen(own, { id, board, milliseconds, four }, progress) {
    const start = performance.now();
    const end = start + milliseconds;
    let answer = own.analyze(board, { plies: 1, four });
    let [nodes, slice] = [answer.nodes, FIRST_SLICE];
    while (answer.plies < MOST_PLIES && !answer.over) {
      progress({ ...answer, nodes, time: performance.now() - start });
      await new Promise((done) => setTimeout(done));
      const left = end - performance.now();
      if (left <= 0) break;
      if (cancelled.has(id)) throw Object.assign(new Error("cut"), { name: "Cut" });
      const deeper = own.analyze(board, { plies: MOST_PLIES, milliseconds: Math.min(left, slice), four });
      nodes += deeper.nodes;
      if (deeper.plies > answer.plies) answer = deeper;
      else slice = Math.min(2 * slice, LONGEST);
    }
    return { ...answer, nodes };
  }

  const run = ({ game, plies = MOST_PLIES, milliseconds, four, limits }) => playOn(engine, (board) => {
    const { best, moves } = loaded().analyze(board, { plies, milliseconds, four });
    return moves.findIndex(({ move }) => move === best);
  }, { ...game, four }, limits);

  // Counts games after each legal move of a board that make a tile. Each game is played to its end, because short ones
  // alone would be other ones. The moves get equal seeds.
  async function chances({ id, board, goal, four, seed }, progress) {
    const own = loaded();
    const sums = own.legalMoves(board).map((move) => ({ move, games: 0, made: 0 }));
    let due = performance.now() + FIRST_SLICE;
    while (sums.length > 0 && sums.at(-1).games < MOST_GAMES) {
      for (const sum of sums) {
        sum.made += own.reaches(board, sum.move, goal, four, (seed + sum.games) >>> 0);
        sum.games += 1;
        if (performance.now() < due) continue;
        if (sums.at(-1).games > 0) progress(sums);
        await new Promise((done) => setTimeout(done));
        if (cancelled.has(id)) throw Object.assign(new Error("cut"), { name: "Cut" });
        due = performance.now() + SLICE / 2;
      }
    }
    if (sums.length > 0) progress(sums);
  }

  // A question about Set, by its name. Set is played while its model is on its way.
  const set = ({ module, name, values }) => makeSetEngine(plainEngine ??= makeEngine(module))[name](values);

  async function loadSet({ module, ...place }, progress) {
    await loadInto(plainEngine ??= makeEngine(module), place, progress);
    return { bytes: plainEngine.byteCount };
  }

  const kinds = { load, analyze, review, run, chances, set, loadSet };

  scope.onmessage = async ({ data }) => {
    if (data.cancel !== undefined) return cancelled.add(data.cancel);
    const { id, kind } = data;
    try {
      const result = await kinds[kind](data, (progress) => scope.postMessage({ id, progress }));
      scope.postMessage({ id, result });
    } catch (error) {
      const isFull = error instanceof RangeError;
      // An engine without memory is not used again: it may have stopped in the middle of its work.
      if (isFull && ["set", "loadSet"].includes(kind)) plainEngine = null;
      else if (isFull && kind !== "load") engine = null;
      scope.postMessage({
        id, error: isFull ? "There is no memory left." : error.message, name: isFull ? "Away" : error.name });
    }
    cancelled.delete(id);
  };
}

const WORKER_TEXT = `"use strict"; (${runWorker})(self, ${makeEngine}, ${makeSetEngine}, ${playOn});`;

// The engine or the server refuses a request; the message says why.
export class Refused extends Error {}

// A worker of this page that hosts an engine, and the questions that wait for its answers.
export class EngineWorker {
  // One at a time, the newest first: it is about what is shown.
  static SEARCHES = ["analyze", "review", "run", "chances"];

  #waiting = new Map(); // by id
  #searching = null; // the id of the search that the worker has
  #count = 0;
  #worker;

  // `text` is the worker's script.
  constructor(text = WORKER_TEXT) {
    this.#worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    this.#worker.onmessage = ({ data }) => this.#receive(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      for (const { fail } of this.#waiting.values()) fail(new Error(event.message || "The engine stopped."));
      this.#waiting.clear();
      this.#searching = null;
      if (this.#count === 0) this.ask = async () => { throw new Error("The engine did not start."); };
    };
  }

  #receive({ id, progress, result, error, name }) {
    const asked = this.#waiting.get(id);
    if (progress !== undefined) return asked?.onProgress?.(progress);
    if (id === this.#searching) this.#searching = null;
    // A search that was cut for a newer one begins again after it. No answer is a part of one.
    if (name === "Cut" && asked !== undefined) asked.message = asked.question;
    else this.#waiting.delete(id);
    this.#send();
    if (asked === undefined || name === "Cut") return;
    if (error === undefined) asked.done(result);
    else asked.fail(name === "Refused" ? new Refused(error) : Object.assign(new Error(error), { name }));
  }

  // A promise of the worker's answer. A question that is given up is not answered.
  ask(kind, values, { signal, onProgress } = {}) {
    const id = (this.#count += 1);
    const isSearch = EngineWorker.SEARCHES.includes(kind);
    return new Promise((done, fail) => {
      const question = { id, kind, module: ENGINE_MODULE, ...values };
      this.#waiting.set(id, { done, fail, onProgress, question, message: isSearch ? question : null });
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.delete(id)) return;
        this.#hurry();
        fail(new Error("given up"));
      }, { once: true });
      if (!isSearch) return this.#worker.postMessage(question);
      this.#hurry();
      this.#send();
    });
  }

  end() { this.#worker.terminate(); }

  // Asks the search in the worker to make room for a newer one.
  #hurry() { if (this.#searching !== null) this.#worker.postMessage({ cancel: this.#searching }); }

  #send() {
    const next = [...this.#waiting.values()].findLast(({ message }) => message !== null);
    if (this.#searching !== null || next === undefined) return;
    this.#searching = next.message.id;
    this.#worker.postMessage(next.message);
    next.message = null;
  }
}

// A model in a worker: it is loaded when it is first needed. After a failure a later question tries again, unless it
// would fail again. `ask` gives a worker the model's place: its address, or its bytes as the text of the element `id`.
export class LoadedModel {
  static FIRST_WAIT = 2000; // milliseconds after a failure; twice as long after each further one
  static LONGEST_WAIT = 60_000;

  address = null; // null when the model is in the page
  title = "";
  megabytes = null; // the size of its file, where it is known
  first = null; // a smaller model, which answers until this one is there
  hasServer = false; // whether a server answers until then
  isFromHere = false; // whether the page has trained it
  isWanted = true; // whether it loads unasked: a small model or a server may be enough
  #ask;
  #id;
  #loading = null; // a promise
  #share = 0;
  #memory = 0;
  #failure = ""; // as the end of a sentence
  #error = null; // of the failure: its `isFinal` says whether another try cannot help
  #wait = LoadedModel.FIRST_WAIT;
  #next = 0; // when it may be tried again
  #listeners = [];

  constructor(ask, id = "") { [this.#ask, this.#id] = [ask, id]; }

  onChange(listener) {
    this.#listeners.push(listener);
    this.first?.onChange(listener);
  }

  #changed() { for (const listener of this.#listeners) listener(); }

  get isReady() { return this.#memory > 0; }
  // The network that answers now, or will: the first one until the larger one is there.
  get answering() { return this.first?.address && !this.isReady ? this.first : this; }
  get canTry() { return this.#error === null || (!this.#error.isFinal && performance.now() >= this.#next); }

  // The text beside the name of the model.
  get note() {
    if (this.isReady) return `, ${grouped(this.#memory / 1e6)} MB in this page`;
    const { first } = this;
    const hasFirst = first?.isReady || (first?.progress ?? null) !== null;
    const own = this.#loading !== null ? `, loading ${Math.round(this.#share * 100)}%`
      : this.#failure === "" ? "" : `. ${this.failure}`;
    return own + (hasFirst && !own.endsWith(".") ? `; ${first.title} until then${first.note}` : "");
  }

  // The share that has loaded, from 0 to 1; null when nothing is loading.
  get progress() {
    return this.first?.progress ?? (this.isReady || this.#loading === null ? null : this.#share);
  }

  // A sentence that says why the model did not load; empty when nothing is wrong.
  get failure() {
    if (this.#failure === "" || this.#loading !== null) return "";
    const helper = this.first?.isReady ? this.first.title : this.hasServer ? "the server" : null;
    return `${helper === null ? "The" : `Hints come from ${helper}; the`} model did not load: ${this.#failure}.`;
  }

  // Whether another try can help.
  get canRetry() { return this.failure !== "" && !this.#error.isFinal; }

  // Loads what is there first; the larger model follows the small one.
  async loadAny() {
    if (this.isReady || !this.first?.address) return this.load();
    try {
      await this.first.load();
    } catch (error) {
      // The larger one may be there. A phone does not load it unasked.
      if (!this.isWanted) throw error;
      return this.load();
    }
    if (this.isWanted) this.load().catch(() => {}); // the page says why
    return null;
  }

  // Takes a model file, a blob, in the place of the model that was offered.
  async take(file, title) {
    const { bytes: memory } = await this.#ask({ bytes: file, replaces: true }, {});
    Object.assign(this, { title, first: null, isWanted: true, isFromHere: true });
    [this.#memory, this.#failure, this.#error, this.#loading] = [memory, "", null, Promise.resolve()];
    this.#changed();
  }

  // Begins to load, again if need be, and leaves it to the page to say why that fails.
  begin() { this.loadAny().catch(() => {}); }
  retry() {
    for (const one of [this, this.first]) if (one !== null) one.#next = 0;
    this.begin();
  }

  // Loads the model once.
  load() {
    if (this.#loading !== null) return this.#loading;
    if (!this.canTry) return Promise.reject(this.#error);
    this.#loading = this.#start().then(({ bytes }) => {
      [this.#memory, this.#failure, this.#error] = [bytes, "", null];
      this.#changed();
    }, ({ message, name, advice = "" }) => {
      [this.#loading, this.#share] = [null, 0];
      this.#failure = message.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
      const text = `The model did not load: ${this.#failure}.${advice}`;
      this.#error = Object.assign(new Error(text), { isFinal: name !== "Away" });
      this.#next = performance.now() + this.#wait;
      this.#wait = Math.min(this.#wait * 2, LoadedModel.LONGEST_WAIT);
      this.#changed();
      throw this.#error;
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
    return this.#ask({ address, bytes, store: modelStore }, { onProgress: (progress) => {
      this.#share = progress;
      this.#changed();
    } });
  }
}
