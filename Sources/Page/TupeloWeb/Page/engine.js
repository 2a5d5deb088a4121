// The engine: rules of 2048, networks and search, and the game of Set, compiled to WebAssembly from the program's own
// sources. `ENGINE` is the module as text, put before this file. Boards are arrays of 16 exponents, row by row.

// Makes an engine of its own. The function uses nothing of the page, because a worker runs it too.
function makeEngine(module) {
  const { exports } = new WebAssembly.Instance(module, { page: { now: () => performance.now() } });
  const exchange = exports.exchange();
  let bytes = null;
  let view = null;

  // The memory, which is another buffer once it has grown.
  function look() {
    if (bytes?.buffer !== exports.memory.buffer) {
      bytes = new Uint8Array(exports.memory.buffer);
      view = new DataView(exports.memory.buffer);
    }
    return bytes;
  }

  const put = (board) => look().set(board, exchange);
  const answer = () => [...look().subarray(exchange + 16, exchange + 32)];

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

  function startBoard(four, tiles, low, high) {
    if (exports.start(four, tiles, low, high) !== 0) throw new Error("These rules are not possible.");
    return answer();
  }

  // What `/analyze` of the server answers; `milliseconds` limits the time, 0 does not.
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

  // Copies bytes to where functions that take them look.
  function fill(...parts) {
    let at = exports.room(parts.reduce((sum, part) => sum + part.length, 0));
    for (const part of parts) {
      look().set(part, at);
      at += part.length;
    }
  }

  function check(failure) {
    if (failure !== 0) throw new Error(message());
  }

  function message() {
    const count = exports.message();
    const at = exports.room(count);
    return new TextDecoder().decode(look().slice(at, at + count));
  }

  return {
    slide, legalMoves, draw, startBoard, analyze, fill, check, message, exports,
    get byteCount() { return exports.memory.buffer.byteLength; },
  };
}

// The bytes of a text in base 64: by a loop, which takes a tenth of the time of `Uint8Array.from`.
function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

const ENGINE_MODULE = (() => {
  try {
    return new WebAssembly.Module(bytesOf(ENGINE));
  } catch (error) {
    const place = globalThis.document?.getElementById("news-text");
    if (place) place.textContent = "This browser cannot run the engine (WebAssembly): use a newer one.";
    throw error;
  }
})();
