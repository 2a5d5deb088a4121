import { EngineWorker, LoadedModel, playOn, Refused } from "./worker.js";
import { bestMove, Rules } from "../core/game.js";
import { modelStore, Site } from "../core/storage.js";

// Requests of the page to its server.
export const Server = (() => {
  async function request(path, options = {}, kind = "json") {
    let response;
    try {
      response = await fetch(path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Error("The server does not answer. Is tupelo serve still running?");
    }
    if (!response.ok) throw new Refused(await response.text());
    return response[kind]();
  }

  const query = (values) => new URLSearchParams(values).toString();

  return {
    state: () => request("/api/state"),
    analyze: (board, settings, signal) =>
      request(`/analyze?${query({ board: Rules.hex(board), ...settings })}`, { signal }),
    runs: () => request("/api/runs"),
    game: (run, game) => request(`/api/game?${query({ run, game })}`, {}, "text"),
    settings: (run) => request(`/api/settings?${query({ run })}`, {}, "text"),
    metrics: (run, from, mark) => request(`/api/metrics?${query({ run, from, mark })}`),
  };
})();

// The engine with a network in a worker of this page, which needs no server. A smaller network may answer until the
// larger one is there.
export const Local = (() => {
  let offer = null; // which agent plays by the model, the address of the model, and the small model
  let worker = null;

  const load = (place, options) => (worker ??= new EngineWorker()).ask("load", place, options);
  const model = new LoadedModel(load, "model");
  model.first = new LoadedModel(load);
  // A large model takes much of a phone's memory and of its data: a phone has a smaller one, where the site has it, and
  // loads it unasked over a fast line.
  const [isPhone, line] = [matchMedia("(pointer: coarse)").matches, navigator.connection];
  const hasPhoneModel = isPhone && Boolean(Site?.phone);
  const isFast = (line?.effectiveType ?? "4g") === "4g";
  const own = hasPhoneModel ? Site.phone : Site;
  [model.title, model.megabytes] = [own?.title ?? "", own?.megabytes];
  model.isWanted = !line?.saveData && (!isPhone || (hasPhoneModel && isFast));

  return Object.assign(model, {
    offer(given) {
      [offer, model.address, model.hasServer] = [given ?? null, own ? own.model : given?.address, Site === null];
      if (offer !== null) setTimeout(() => { worker ??= new EngineWorker(); }); // it starts while nobody waits for it
      Object.assign(model.first, { address: offer?.first?.model, title: offer?.first?.title });
    },
    isOffered: () => offer !== null,
    // Makes the network of a model file, a blob, the one that answers here, and gives the name of its agent.
    async adopt(file, title) {
      await model.take(file, title);
      return (offer ??= { agent: "network" }).agent;
    },
    // Whether this engine answers requests with these settings: its agent, by the values of its model.
    knows: ({ agent, evaluator = "model" }) => offer !== null && offer.agent === agent && evaluator === "model",
    // Sends a request to the worker, which lists the `kinds`. Reviews and whole games wait for the larger network, so
    // that one network answers all of it. Boards smaller than 4x4 need none.
    async ask(kind, values, options = {}) {
      const isForLarger = model.isWanted && (kind === "review" || kind === "run");
      if (!Rules.isSmall(values.board ?? [])) await (isForLarger ? model.load() : model.loadAny());
      options.signal?.throwIfAborted();
      return (worker ??= new EngineWorker()).ask(kind, values, options);
    },
  });
})();

// What the smallest network makes of a day's tiles, which is the same for everybody; null where the page has it not.
export async function coachOfDay(seed) {
  const first = Site?.first;
  if (first?.title !== "tiny") return null;
  const worker = new EngineWorker();
  try {
    const four = 0.1;
    await worker.ask("load", { address: new URL(first.model, document.baseURI).href, store: modelStore });
    const game = { board: Rules.startBoard(four, 2, seed), seed, count: 0 };
    return (await worker.ask("run", { game, plies: 1, four, limits: {} })).reward;
  } finally {
    worker.end();
  }
}

// Sends requests about boards to the engine in this page if it has the agent's model, else to the server.
export const Answers = (() => {
  // While the model is on its way, or does not load, the server answers, where there is one.
  function isReady() {
    if (!Local.isReady && Local.canTry && Local.isWanted) Local.begin();
    return Local.isReady;
  }

  const isLocal = (settings) => Site !== null || (Local.knows(settings) && isReady());

  // Random moves: they need no model.
  function random(board) {
    const legal = Rules.legalMoves(board);
    const [number] = crypto.getRandomValues(new Uint32Array(1));
    const best = Rules.MOVES[legal[number % legal.length]];
    const moves = Rules.MOVES.map((move, number) => {
      const { changed, reward } = Rules.slide(board, number);
      return changed ? { move, legal: true, reward } : { move, legal: false };
    });
    return { plies: 0, best, over: legal.length === 0, moves };
  }

  return {
    // Whether the engine in this page answers: then many requests are cheap.
    isHere: isLocal,

    // What the agents are, the models for this page, and whether there are runs.
    state: async () => (Site === null ? Server.state() : {
      agents: [
        {
          name: "network", title: `Network ${Local.title || Site.title}`, usesModel: true, valuesMoves: true,
          evaluators: [], maximumPlies: 3, maximumMilliseconds: 1000,
        },
        { name: "random", title: "Random moves", evaluators: [], maximumPlies: 0 },
      ],
      plies: 3, runs: false, local: { agent: "network", address: Site.model, first: Site.first },
      set: Site.set,
    }),

    // With `milliseconds`, a search goes as deep as the time allows, within what a server allows its agent. In longer
    // searches by the engine in this page, `onProgress` gets the analyses on the way, each as deep as it says.
    async analyze(board, settings, signal, onProgress) {
      const { four, milliseconds = 100 } = settings;
      if (Rules.isSmall(board)) return Local.ask("analyze", { board, four, milliseconds }, { signal, onProgress });
      if (Site !== null && settings.agent === "random") return random(board);
      if (!isLocal(settings)) return Server.analyze(board, settings, signal);
      return Local.ask("analyze", { ...settings, board }, { signal, onProgress });
    },

    // Analyses of many boards. A server is asked about one after the other, so that a review takes one of its threads.
    async review(boards, settings, signal) {
      if (isLocal(settings)) return Local.ask("review", { ...settings, boards }, { signal });
      const analyses = [];
      for (const board of boards) analyses.push(await Server.analyze(board, settings, signal));
      return analyses;
    },

    // Waits for the larger model where it is wanted, so that one network gives all answers.
    prepare: async (settings) => { if (isLocal(settings) && Local.isWanted) await Local.load(); },

    // Who answers a question about a board, as a name for the same values.
    coach(board, { agent, evaluator = "model" }) {
      if (Rules.isSmall(board)) return "small";
      return `${agent} ${evaluator}${Site === null ? "" : ` ${Local.answering.title}`}`;
    },

    // Plays a game on: `board`, the `seed` of its tiles, and the `count` of its moves so far.
    run(game, settings, limits) {
      if (isLocal(settings) && settings.agent !== "random") return Local.ask("run", { ...settings, game, limits });
      const decide = async (board) => bestMove(await Answers.analyze(board, settings)) ?? -1;
      return playOn(Rules, decide, { ...game, four: settings.four }, limits);
    },
  };
})();
