import { ENGINE_MODULE } from "../engine/engine.js";
import { EngineWorker, LoadedModel } from "../engine/worker.js";

// Set by an engine in a worker of this page: its games, its agents, and its model. It needs no server.
export const SetLocal = (() => {
  let worker = null;

  const start = () => (worker ??= new EngineWorker());
  const model = new LoadedModel((place, options) => start().ask("loadSet", place, options), "set-model");
  const ask = (name, values, options) => start().ask("set", { module: ENGINE_MODULE, name, values }, options);

  // The agents that play without a model.
  const AGENTS = [
    { name: "heuristic", title: "Hand-written heuristic", criterion: "value" },
    { name: "counting", title: "Card counting", criterion: "setsLeft" },
    { name: "most-left", title: "Keeps most Sets on the table", criterion: "tableSets" },
    { name: "random", title: "Random Sets", criterion: "none" },
  ];

  return Object.assign(model, {
    hasModel: false,
    // Gets the model of a server or a site, with its title and address, if there is one. Returns the agents.
    offer(given) {
      [this.hasModel, this.address] = [Boolean(given), given?.model];
      return given ? [{ name: "network", title: `Network ${given.title}`, criterion: "value" }, ...AGENTS] : AGENTS;
    },
    // Loads the model, if there is one, before the first question: it is small, and the network may be off later.
    open() { if (this.hasModel) this.begin(); },
    game: ({ seed, game, choices, player: name }) => ask("game", { seed, game, choices, player: name }),
    record: (text) => ask("record", { text }),
    claim: (cards) => ask("claim", { cards }),
    // All Sets on a table as an agent values them; `unseen` are the cards of the deck.
    async analyze(cards, unseen, agent) {
      if (agent === "network") await this.load();
      const seed = [...crypto.getRandomValues(new Uint32Array(2))];
      return ask("analyze", { cards, unseen, agent, seed });
    },
  });
})();
