// The engine: rules of 2048, networks and search, and the game of Set, compiled to WebAssembly from the program's own
// sources. Boards are arrays of 16 exponents, row by row; -1 is a wall.

// Makes an engine of its own. The function uses nothing of the page, because a worker runs it too.
export function makeEngine(module) {
  // The engine stops in the middle of its work when the browser refuses memory: it is not used again.
  const full = () => { throw new RangeError("There is no memory left."); };
  const { exports } = new WebAssembly.Instance(module, { page: { now: () => performance.now(), full } });
  const exchange = exports.exchange();
  let [bytes, view] = [null, null];

  // The memory, which is another buffer once it has grown.
  function look() {
    if (bytes?.buffer !== exports.memory.buffer) {
      bytes = new Uint8Array(exports.memory.buffer);
      view = new DataView(exports.memory.buffer);
    }
    return bytes;
  }

  const put = (board) => look().set(board, exchange);
  const answer = () => [...new Int8Array(exports.memory.buffer, exchange + 16, 16)];

  function slide(board, move) {
    put(board);
    const count = exports.slide(move);
    if (count === 0) return { board: board.slice(), reward: 0, changed: false, slides: [] };
    const slides = Array.from({ length: count }, (_, index) => {
      const at = exchange + 128 + 4 * index;
      const [from, to, absorbed, exponent] = look().subarray(at, at + 4);
      return { from, to, absorbed: absorbed === 255 ? null : absorbed, exponent };
    });
    return { board: answer(), reward: view.getInt32(exchange + 32, true), changed: true, slides };
  }

  function legalMoves(board) {
    put(board);
    const mask = exports.legal();
    return [0, 1, 2, 3].filter((move) => mask & (1 << move));
  }

  function draw(board, four, low, high) {
    put(board);
    const tile = exports.draw(four, low, high);
    if (tile < 0) throw new Error("No tile can appear.");
    return { cell: tile & 15, exponent: tile >> 4 };
  }

  function startBoard(empty, four, tiles, low, high) {
    put(empty);
    if (exports.start(four, tiles, low, high) !== 0) throw new Error("These rules are not possible.");
    return answer();
  }

  // Answers like the server's `/analyze`. `milliseconds` limits the time; 0 means no limit.
  function analyze(board, { plies, milliseconds = 0, four }) {
    put(board);
    const mask = exports.analyze(plies, milliseconds, four);
    if (mask < 0) throw new Error("No model is loaded.");
    look();
    const names = ["up", "right", "down", "left"];
    const moves = names.map((name, move) => (mask & (1 << move) ? {
      move: name, legal: true, reward: view.getInt32(exchange + 48 + 4 * move, true),
      value: view.getFloat64(exchange + 64 + 8 * move, true),
      difference: view.getFloat64(exchange + 96 + 8 * move, true),
    } : { move: name, legal: false }));
    const best = moves.find(({ difference }) => difference === 0);
    const [reached, nodes] = mask === 0 ? [plies, 0]
      : [view.getInt32(exchange + 32, true), view.getFloat64(exchange + 40, true)];
    return { plies: reached, nodes, best: best?.move, over: mask === 0, moves };
  }

  // Plays on greedily from a board, first by a move. Whether a tile of exponent `goal` is made before the game ends.
  // All tiles follow from the seed.
  function reaches(board, move, goal, four, seed) {
    put(board);
    for (let count = 0; ; count += 1) {
      if (exports.slide(move) === 0) return false;
      look().copyWithin(exchange, exchange + 16, exchange + 32);
      for (let cell = 0; cell < 16; cell += 1) if (bytes[exchange + cell] === goal) return true;
      const tile = exports.draw(four, seed, count);
      bytes[exchange + (tile & 15)] = tile >> 4;
      const mask = exports.analyze(1, 0, four);
      look();
      move = [0, 1, 2, 3].find((way) => mask & (1 << way) && view.getFloat64(exchange + 96 + 8 * way, true) === 0);
      if (move === undefined) return false;
    }
  }

  // Copies bytes to where functions that take them look.
  function fill(part) {
    const at = exports.room(part.length);
    look().set(part, at);
  }

  function check(failure) { if (failure !== 0) throw new Error(message()); }

  function message() {
    const count = exports.message();
    const at = exports.room(count);
    return new TextDecoder().decode(look().slice(at, at + count));
  }

  const damaged = () => new Error("Its file is damaged: load the page again.");

  // Inflates a zlib stream of exactly `count` bytes; never more of them are held.
  async function inflate(stream, count) {
    if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot unpack it: use a newer one.");
    const whole = new Uint8Array(count);
    let at = 0;
    try {
      for (const reader = new Response(stream).body.pipeThrough(new DecompressionStream("deflate")).getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.length > count - at) throw damaged();
        whole.set(value, at);
        at += value.length;
      }
    } catch {
      at = -1;
    }
    if (at !== count) throw damaged();
    return whole;
  }

  // Loads the network of a model file, piece by piece: the engine reads the format, and says which bytes it wants next
  // and how many they are when they are inflated, -1 for bytes that are not packed. A file that is a blob is never in
  // memory as a whole. `progress` gets the share that is done, from 0 to 1.
  async function load(file, progress) {
    const length = file.size ?? file.length;
    check(exports.openModel(length));
    for (let done = 0; ;) {
      look();
      const [start, count, size] = [192, 196, 200].map((place) => view.getInt32(exchange + place, true));
      if (start < 0) return;
      const piece = file instanceof Blob ? new Uint8Array(await file.slice(start, start + count).arrayBuffer())
        : file.subarray(start, start + count);
      fill(size < 0 ? piece : await inflate(piece, size));
      check(exports.takePiece());
      progress((done += count) / length);
    }
  }

  return {
    slide, legalMoves, draw, startBoard, analyze, reaches, fill, load, message, exports,
    get byteCount() { return exports.memory.buffer.byteLength; },
  };
}

// The bytes of a text in base 64: by a loop, which takes a tenth of the time of `Uint8Array.from`.
export function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

// The engine is a file of its own. A page from a disk cannot read files: a script has its engine as text, in `ENGINE`.
export const ENGINE_MODULE = await (async () => {
  let trouble = "The engine did not load: reload the page when the connection is back.";
  try {
    if (typeof ENGINE === "undefined" && location.protocol === "file:") {
      const script = document.head.appendChild(document.createElement("script"));
      await new Promise((done, fail) => Object.assign(script, { onload: done, onerror: fail, src: "engine.js" }));
    }
    const file = typeof ENGINE === "undefined" ? await fetch(document.getElementById("engine").href) : null;
    if (file?.ok === false) throw new Error(`The engine is not there (status ${file.status}).`);
    const bytes = (await file?.arrayBuffer()) ?? bytesOf(ENGINE);
    trouble = "This browser cannot run the engine (WebAssembly): use a newer one.";
    return new WebAssembly.Module(bytes);
  } catch (error) {
    document.getElementById("starting").textContent = trouble;
    throw error;
  }
})();

// Sends requests about Set to an engine. Its requests and responses are lines of text, and those of callers objects.
// The function uses nothing of the page, because a worker runs it.
export function makeSetEngine(engine) {
  const view = new DataView(new ArrayBuffer(8));
  // A number whose bits are given in hex.
  const number = (bits) => {
    view.setBigUint64(0, BigInt(`0x${bits}`));
    return view.getFloat64(0);
  };
  const list = (text, separator = ",") => (text === "" ? [] : text.split(separator));
  const cards = (text) => list(text).map((one) => ({ card: one.slice(0, 4), name: one.slice(5) }));
  const flags = (text) => text.split(" ").map((flag) => flag === "1");

  // The lines of an answer. What the engine refuses is an error of the name Refused.
  function ask(name, parts, ...more) {
    const question = new TextEncoder().encode(parts.join("\n"));
    engine.fill(question);
    if (engine.exports[name](question.length, ...more) === 0) return engine.message().split("\n");
    throw Object.assign(new Error(engine.message()), { name: "Refused" });
  }

  function game([seed, number, choices, counts, table, unseen, sets, taken, dealt, pattern, ...record]) {
    const [deck, score] = counts.split(" ").map(Number);
    const [, , stuck, over, hasLast] = flags(counts);
    const last = { taken: cards(taken), dealt: cards(dealt), ...(pattern === "" ? {} : { pattern }) };
    return {
      seed, game: number, choices: list(choices), table: cards(table), deck, unseen, score,
      sets: list(sets).map((places) => places.split(" ").map(Number)), stuck, over, ...(hasLast ? { last } : {}),
      record: record.join("\n"),
    };
  }

  function choice(line) {
    const [trio, tableSets, setsLeft, value, difference] = line.split(" ");
    return {
      cards: trio.split(","), tableSets: Number(tableSets), setsLeft: Number(setsLeft),
      ...(value === undefined ? {} : { value: number(value), difference: number(difference) }),
    };
  }

  return {
    game: ({ seed, game: number, choices, player }) =>
      game(ask("setGame", [seed, number, choices.join(","), player])),
    record: ({ text }) => game(ask("setRecord", [text])),
    claim({ cards: three }) {
      const [set, pattern, ...faults] = ask("setClaim", [three.join(" ")]);
      return { set: set === "1", faults, ...(pattern === "" ? {} : { pattern }) };
    },
    // `seed` is for agents that choose at random: two numbers of 32 bits.
    analyze({ cards: table, unseen, agent, seed: [low, high] }) {
      const [name, best, state, ...lines] = ask("setAnalyze", [agent, table.join(" "), unseen], low, high);
      const [exact, over] = flags(state);
      const choices = lines.map(choice);
      return { agent: name, ...(best === "" ? {} : { best: best.split(",") }), exact, over, choices };
    },
  };
}
