import { bytesOf } from "../engine/engine.js";
import { EngineWorker } from "../engine/worker.js";
import { byId } from "../core/text.js";

// A worker that learns by the program's own learner, compiled to WebAssembly. It answers questions between two small
// groups of games. `learn` goes on until `pause`, and reports on the way. The function uses nothing of the page: it is
// copied into the worker as text.
function runLearner(scope) {
  const PERIOD = 100; // games of a row
  const [CALL, REPORT] = [20, 100]; // milliseconds: a call to the module, and the time between reports
  const [ROOM, PIECE, SIDE] = [256, 65_536, 256];
  let [exports, exchange, isOn] = [null, 0, false];
  let [seconds, rows, size] = [0, [], 1];
  let before = null; // the totals at the end of the last row

  // Memory is another buffer once it has grown.
  const look = (Type, at, count) => new Type(exports.memory.buffer, exchange + at, count);
  const FAILURES = ["", "There is no memory left.", "The weights grew beyond all bounds: choose a smaller step size.",
    "These patterns are not a network."];
  const check = (outcome) => { if (outcome !== 0) throw new Error(FAILURES[outcome]); };

  function totals() {
    const [games, moves, ...ended] = [...look(BigInt64Array, 64, 2), ...look(BigInt64Array, 104, 18)].map(Number);
    const [score, best, error] = look(Float64Array, 80, 3);
    // The number of games that reached each exponent.
    const reached = ended.map((_, exponent) => ended.slice(exponent).reduce((sum, count) => sum + count));
    return { games, moves, score, best, error, reached };
  }

  // `patterns` are hex digits of cells.
  function begin({ module, patterns, settings: { rule, alpha, lambda, optimism, seed } }) {
    const full = () => { throw new RangeError(FAILURES[1]); };
    ({ exports } = new WebAssembly.Instance(module, { page: { full } }));
    exchange = exports.exchange();
    const cells = [...`${patterns}  `].map((cell) => (cell === " " ? 255 : parseInt(cell, 16)));
    look(Uint8Array, ROOM, cells.length).set(cells);
    check(exports.begin(Number(rule === "coherent"), alpha, lambda, optimism, seed, 0, 1));
    before = totals();
  }

  // The statistics of the games since the last row. The best score begins again with each row.
  function addRow() {
    const now = totals();
    const part = (key) => now[key] - before[key];
    rows.push({
      games: now.games, moves: now.moves, seconds, count: part("games"), steps: part("moves"), score: part("score"),
      error: part("error"), best: now.best, reached: now.reached.map((count, index) => count - before.reached[index]),
    });
    before = now;
    look(Float64Array, 88, 1)[0] = 0;
  }

  async function learn(question, progress) {
    const { port1, port2 } = new MessageChannel();
    let due = 0;
    isOn = true;
    while (isOn) {
      const start = performance.now();
      const left = PERIOD - (totals().games % PERIOD);
      check(exports.learn(Math.min(size, left)));
      const time = performance.now() - start;
      seconds += time / 1000;
      if (time < CALL / 2) size = Math.min(size * 2, PERIOD);
      else if (time > CALL) size = Math.max(size >> 1, 1);
      if (totals().games % PERIOD === 0) addRow();
      if (performance.now() >= due) {
        progress({ rows: rows.splice(0), totals: totals(), seconds });
        due = performance.now() + REPORT;
      }
      // Unlike a timer, a message of its own is not slowed down in a tab that is hidden.
      await new Promise((done) => {
        port2.onmessage = done;
        port1.postMessage(null);
      });
    }
    port1.close();
    return { rows: rows.splice(0), totals: totals(), seconds };
  }

  function values({ board }) {
    look(Uint8Array, 0, 16).set(board);
    const mask = exports.values();
    const [rewards, sums] = [look(Int32Array, 16, 4), look(Float64Array, 32, 4)];
    const legal = [0, 1, 2, 3].filter((move) => mask & (1 << move));
    const top = Math.max(...legal.map((move) => sums[move]));
    const moves = [0, 1, 2, 3].map((move) => (legal.includes(move)
      ? { legal: true, reward: rewards[move], value: sums[move], difference: sums[move] - top } : { legal: false }));
    const best = moves.findIndex(({ difference }) => difference === 0);
    return { moves, best: ["up", "right", "down", "left"][best], over: mask === 0 };
  }

  // For each pattern on the board, how much more it gives after the best move than after the other moves, on average.
  function reasons({ board }) {
    const { moves } = values({ board });
    const weights = moves.map(({ legal }, move) => (legal ? [...look(Float32Array, ROOM, exports.contributions(move))]
      : null));
    const best = moves.findIndex(({ difference }) => difference === 0);
    const others = weights.filter((one, move) => one !== null && move !== best);
    if (best < 0 || others.length === 0) return { best, all: [] };
    const all = weights[best].map((weight, index) => ({
      cells: exports.cells(index),
      points: weight - others.reduce((sum, one) => sum + one[index], 0) / others.length,
    })).sort((one, other) => other.points - one.points);
    return { best, all: [...all.slice(0, 3), ...all.slice(-3)] };
  }

  // A pixel has the exponents of two cells across and of two cells down. It is the mean weight over a fifth cell; a
  // sixth cell is empty.
  function picture() {
    const means = new Float32Array(SIDE * SIDE);
    let [all, reached, pieces] = [0, 0, 0];
    for (let start = 0, count; start < 16 * PIECE && (count = exports.piece(0, start)) > 0; start += PIECE) {
      pieces += 1;
      const piece = look(Float32Array, ROOM, count);
      all += count;
      for (let index = 0; index < count; index += 1) {
        if (piece[index] === 0) continue;
        reached += 1;
        means[index] += piece[index];
      }
    }
    return { means: means.map((sum) => sum / pieces), share: reached / all };
  }

  function weights() {
    const tables = [];
    for (let number = 0; exports.piece(number, 0) > 0; number += 1) {
      const pieces = [];
      for (let start = 0, count; (count = exports.piece(number, start)) > 0; start += PIECE) {
        pieces.push(look(Float32Array, ROOM, count).slice());
      }
      tables.push(new Blob(pieces));
    }
    return { tables, behaviour: String(exports.behaviour()) };
  }

  const kinds = { begin, learn, pause() { isOn = false; }, values, reasons, picture, weights };

  scope.onmessage = async ({ data }) => {
    const { id, kind } = data;
    try {
      scope.postMessage({ id, result: await kinds[kind](data, (progress) => scope.postMessage({ id, progress })) });
    } catch (error) {
      scope.postMessage({ id, error: error.message, name: error.name });
    }
  };
}

// The module of the learner. A page from a disk cannot read files: a script has its module as text, in `LEARNER`.
export const LearnerFile = {
  module: null,

  async load() {
    if (this.module !== null) return this.module;
    if (typeof LEARNER === "undefined" && location.protocol === "file:") {
      const script = document.head.appendChild(document.createElement("script"));
      await new Promise((done, fail) => Object.assign(script, { onload: done, onerror: fail, src: "learn.js" }));
    }
    const isHere = typeof LEARNER !== "undefined";
    const file = isHere ? null : await fetch(byId("panel-learn").dataset.module).catch(() => null);
    if (!isHere && !file?.ok) throw new Error("The learner did not load: try again when the connection is back.");
    return (this.module = new WebAssembly.Module(isHere ? bytesOf(LEARNER) : await file.arrayBuffer()));
  },
};

// A run of the page: its settings, its worker, and what the worker has reported.
export class LearnerRun {
  static NETWORKS = {
    small: { patterns: "0123 4567 0145 1256 4589 569a", weights: 6 * 16 ** 4, smaller: null },
    "4x5": { patterns: "01234 45678 01245 45689", weights: 4 * 16 ** 5, smaller: "the small network" },
    "4x6": { patterns: "012345 456789 012456 45689a", weights: 4 * 16 ** 6, smaller: "4x5" },
  };

  // A row has the statistics of 100 games.
  rows = [];
  totals = { games: 0, moves: 0, score: 0, error: 0 };
  seconds = 0;
  isOn = false;
  isOver = false; // whether its worker is gone
  #worker = new EngineWorker(`"use strict"; (${runLearner})(self);`);
  #begun = null; // a promise

  constructor(settings, onReport) { [this.settings, this.onReport] = [settings, onReport]; }

  get network() { return `4x4 shared ${LearnerRun.NETWORKS[this.settings.network].patterns}`; }

  async #begin() {
    const { settings } = this;
    const { patterns, weights, smaller } = LearnerRun.NETWORKS[settings.network];
    const module = await LearnerFile.load();
    return this.#worker.ask("begin", { module, patterns, settings }).catch(({ message }) => {
      const megabytes = Math.ceil(weights * (settings.rule === "coherent" ? 12 : 4) / 1e6);
      throw new Error(!/memory/.test(message) ? message : `This browser does not give the ${megabytes} MB that ${
        settings.network} needs${smaller ? `: choose ${smaller}` : ""}.`);
    });
  }

  // Learns until it is paused. An error says why it stopped.
  async learn() {
    const take = ({ rows, totals, seconds }) => {
      this.rows.push(...rows);
      Object.assign(this, { totals, seconds });
      this.onReport(this);
    };
    this.isOn = true;
    try {
      await (this.#begun ??= this.#begin());
      if (this.isOn) take(await this.#worker.ask("learn", {}, { onProgress: take }));
    } finally {
      this.isOn = false;
      if (!this.isOver) this.onReport(this);
    }
  }

  // Ends the worker, and gives its memory back.
  end() {
    [this.isOn, this.isOver] = [false, true];
    this.#worker.end();
  }

  async ask(kind, values = {}) {
    await this.#begun;
    return this.#worker.ask(kind, values);
  }

  // Five rows each together, as the program reports them.
  get table() {
    return Array.from({ length: Math.floor(this.rows.length / 5) }, (_, index) => (
      LearnerRun.facts(this.rows.slice(index * 5, index * 5 + 5))));
  }

  // The statistics of rows together; `rate` gives the share of their games that reached an exponent.
  static facts(rows) {
    const sum = (value) => rows.reduce((all, row) => all + value(row), 0);
    const [count, steps] = [sum((row) => row.count), sum((row) => row.steps)];
    return {
      games: rows.at(-1)?.games ?? 0, seconds: rows.at(-1)?.seconds ?? 0,
      best: Math.max(0, ...rows.map(({ best }) => best)),
      rate: (exponent) => sum(({ reached }) => reached[exponent]) / Math.max(count, 1),
      mean: sum(({ score }) => score) / Math.max(count, 1), error: sum(({ error }) => error) / Math.max(steps, 1),
    };
  }

  // The command that makes this run in the program.
  get command() {
    const { network, rule, alpha, lambda, optimism, seed } = this.settings;
    const sets = [
      network === "small" ? `"network.patterns=${LearnerRun.NETWORKS.small.patterns}"` : `network.layout=${network}`,
      `learner.step_size=${rule === "coherent" ? "temporal-coherence" : "constant"}`, `learner.lambda=${lambda}`,
      "learner.steps=episode", `learner.initial_value=${optimism}`, "training.games_at_once=1",
      "training.report_games=500", "averaging.every_games=0",
    ];
    const games = Math.max(Math.ceil(this.totals.games / 500) * 500, 500);
    return `tupelo train --name page --seed ${seed} --games ${games} --threads 1 --alpha ${alpha} ${
      sets.map((one) => `--set ${one}`).join(" ")}`;
  }

  // The network as a model file, which the program reads; a blob.
  async model() {
    const { tables, behaviour } = await this.ask("weights");
    const add = (hash, byte) => BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n); // FNV-1a
    const hash = new TextEncoder().encode(this.network).reduce(add, 0xcbf29ce484222325n);
    let at = 0;
    const tensors = Object.fromEntries(tables.map(({ size }, number) => [`weights.${number}`, {
      dtype: "F32", shape: Array(Math.log2(size / 4) / 4).fill(16), data_offsets: [at, (at += size)] }]));
    const metadata = {
      "tupelo.format": "1", "tupelo.network": this.network, "tupelo.fingerprint": hash.toString(16).padStart(16, "0"),
      "tupelo.behaviour": behaviour, "tupelo.page": `${this.command} (after ${this.totals.games} games)`,
    };
    const header = new TextEncoder().encode(JSON.stringify({ __metadata__: metadata, ...tensors }));
    const padding = new Uint8Array(-header.length & 7).fill(32);
    const length = new BigUint64Array([BigInt(header.length + padding.length)]);
    return new Blob([length, header, padding, ...tables]);
  }
}
