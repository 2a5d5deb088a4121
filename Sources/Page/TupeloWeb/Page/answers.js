// Who answers questions about boards: the engine in this page where it has the agent's model, or else the server.

// What a page knows of itself that has no server; null where there is one.
const Site = JSON.parse(byId("site").textContent);

const Answers = (() => {
  const agent = (name, title, limits) => ({
    name, title, usesModel: true, valuesMoves: true, evaluators: [], maximumPlies: 0, maximumRollouts: 0,
    maximumMilliseconds: 0, ...limits,
  });

  // While the model is on its way, or does not load, the server answers, where there is one.
  function isReady() {
    if (!Local.isReady && Local.canTry) Local.begin();
    return Local.isReady;
  }

  const isLocal = (settings) => Site !== null || (Local.knows(settings) && isReady());

  // Random moves: they need no model.
  function random(board) {
    const legal = Rules.legalMoves(board);
    const best = Rules.MOVES[legal[Math.floor(Math.random() * legal.length)]];
    const moves = Rules.MOVES.map((move, number) => {
      const { changed, reward } = Rules.slide(board, number);
      return changed ? { move, legal: true, reward } : { move, legal: false };
    });
    return { plies: 0, best, over: legal.length === 0, moves };
  }

  return {
    // Whether the engine in this page answers, which makes many questions cheap.
    isHere: isLocal,

    // What the agents are, the models for this page, and whether there are runs.
    state: async () => (Site === null ? Server.state() : {
      agents: [
        agent("network", `Network ${Site.title}`, { maximumPlies: 3, maximumMilliseconds: 1000 }),
        agent("random", "Random moves", { usesModel: false, valuesMoves: false }),
      ],
      plies: 3, runs: false, local: { agent: "network", address: Site.model, first: Site.first },
      set: Site.set,
    }),

    async analyze(board, settings, signal) {
      if (Site !== null && settings.agent === "random") return random(board);
      if (!isLocal(settings)) return Server.analyze(board, settings, signal);
      return Local.analyze(board, settings, signal);
    },

    // The values of positions, each a board and perhaps the move made there: how much worse it was than the best one.
    // A server is asked about one position after the other, so that a review takes one of its threads.
    async review(positions, settings, signal) {
      if (isLocal(settings)) return Local.review(positions, settings, signal);
      const judged = [];
      for (const { board, move } of positions) {
        const { best, moves } = await Server.analyze(board, settings, signal);
        const value = moves.find((one) => one.move === best)?.value ?? 0;
        judged.push({ best: best?.[0], value, difference: moves[move]?.difference });
      }
      return { moves: judged };
    },

    // Plays a game on: `board`, the `seed` of its tiles, and the `count` of its moves so far.
    run(game, settings, limits) {
      if (isLocal(settings) && settings.agent !== "random") return Local.run(game, settings, limits);
      const decide = async (board) => bestMove(await Answers.analyze(board, settings)) ?? -1;
      return playOn(Rules, decide, { ...game, four: settings.four }, limits);
    },

    // All four moves as deep as the time allows; the server looks as far as it offers.
    async deepen(board, { milliseconds, ...settings }, signal, onProgress) {
      if (isLocal(settings)) return Local.deepen(board, { ...settings, milliseconds }, signal, onProgress);
      const { maximumPlies, maximumMilliseconds } = Agents.named(settings.agent);
      const limit = maximumMilliseconds > 0 ? { milliseconds: Math.min(milliseconds, maximumMilliseconds) }
        : { plies: Math.max(maximumPlies, 1) };
      return Server.analyze(board, { ...settings, ...limit }, signal);
    },
  };
})();
