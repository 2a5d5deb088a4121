// The worker that hosts an engine with a network, beside the page. The functions above are copied into it as text.
//
// A question is a message with `id` and `kind`; its answer has the same `id` and `result` or `error`, and before it any
// number with `progress`. A question without an answer yet ends when its `id` comes as `cancel`.
function runWorker(scope, makeEngine, makeModelReader, makeSetEngine, playOn) {
  const SLICE = 200; // milliseconds of search, after which other questions are heard
  const MOST_PLIES = 12;
  const cancelled = new Set();
  let engine = null; // with a network of 2048
  let setEngine = null; // of Set, with its network or without one

  const pause = () => new Promise((done) => setTimeout(done));

  // A model that is away now may be there later.
  const away = (reason) => Object.assign(new Error(reason), { name: "Away" });

  // The bytes of a file of known length, told about as they arrive.
  async function read(response, progress) {
    if (!response.ok) throw away(`Its file is not there (status ${response.status}).`);
    const length = Number(response.headers.get("content-length"));
    const chunks = [];
    let count = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      count += value.length;
      if (length > 0) progress(Math.min(count / length, 1));
    }
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  // Loads the model at an address, or of `bytes`, into an engine. The browser keeps a file that could be read in the
  // store of that name, where there is one, and no other file.
  async function fill(into, { address, bytes, store }, progress) {
    const cache = store ? await caches.open(store).catch(() => null) : null;
    const kept = await cache?.match(address);
    const download = async () => read(kept ?? (await fetch(address)), (share) => progress(share * 0.7));
    const file = bytes ?? (await download().catch((error) => {
      throw error.name === "TypeError" ? away("Its file cannot be read.") : error;
    }));
    try {
      await makeModelReader()(into, file, (share) => progress(0.7 + share * 0.3));
    } catch (error) {
      await cache?.delete(address);
      throw error;
    }
    if (cache && !kept) await cache.put(address, new Response(file)).catch(() => {}); // the disk may be full
  }

  async function load({ module, ...place }, progress) {
    const fresh = makeEngine(module);
    await fill(fresh, place, progress);
    // The first search takes memory for what it remembers.
    fresh.analyze([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], { plies: 1, four: 0.1 });
    if (!(engine?.byteCount > fresh.byteCount)) engine = fresh; // a small network may be there last
    return { bytes: fresh.byteCount };
  }

  // With a time, to any depth unless one is named.
  const analyze = ({ board, plies = MOST_PLIES, milliseconds, four }) =>
    engine.analyze(board, { plies, milliseconds, four });

  // The values of positions, and how much worse the moves made there were than the best ones.
  function review({ positions, plies, four }) {
    return {
      moves: positions.map(({ board, move }) => {
        const { moves, best } = engine.analyze(board, { plies, four });
        const value = moves.find((one) => one.move === best)?.value ?? 0;
        return { best: best?.[0], value, difference: moves[move]?.difference };
      }),
    };
  }

  // Searches ever deeper until the time is over. A depth that takes long is searched in slices: what a slice has found
  // out, the next one remembers.
  async function deepen({ id, board, milliseconds, four }, progress) {
    const end = performance.now() + milliseconds;
    let answer = engine.analyze(board, { plies: 1, four });
    let nodes = answer.nodes;
    while (answer.plies < MOST_PLIES && !answer.over) {
      progress({ ...answer, nodes });
      await pause();
      const left = end - performance.now();
      if (left <= 0 || cancelled.has(id)) break;
      const deeper = engine.analyze(board, { plies: answer.plies + 1, milliseconds: Math.min(left, SLICE), four });
      nodes += deeper.nodes;
      if (deeper.plies > answer.plies) answer = deeper;
    }
    return { ...answer, nodes };
  }

  const run = ({ game, plies, milliseconds, four, limits }) => playOn(engine, (board) => {
    const { best, moves } = engine.analyze(board, { plies, milliseconds, four });
    return moves.findIndex(({ move }) => move === best);
  }, { ...game, four }, limits);

  // A question about Set, by its name. Set is played while its model is on its way.
  const set = ({ module, name, values }) => makeSetEngine(setEngine ??= makeEngine(module))[name](values);

  async function loadSet({ module, ...place }, progress) {
    await fill(setEngine ??= makeEngine(module), place, progress);
    return { bytes: setEngine.byteCount };
  }

  const kinds = { load, analyze, review, deepen, run, set, loadSet };

  scope.onmessage = async ({ data }) => {
    if (data.cancel !== undefined) return cancelled.add(data.cancel);
    const { id, kind } = data;
    try {
      const result = await kinds[kind](data, (progress) => scope.postMessage({ id, progress }));
      scope.postMessage({ id, result });
    } catch (error) {
      const text = error instanceof RangeError ? "There is no memory left." : error.message;
      scope.postMessage({ id, error: text, name: error.name });
    }
    cancelled.delete(id);
    return null;
  };
}

const WORKER_TEXT = `"use strict"; (${runWorker})(self, ${makeEngine}, ${makeModelReader}, ${makeSetEngine},
  ${playOn});`;
