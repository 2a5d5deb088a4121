import { Pending } from "../core/question.js";
import { Rules, Verdicts } from "../core/game.js";
import { Database } from "../core/storage.js";
import { Answers } from "./answers.js";

// The one analysis of each position: what all views show of it. A search that reached deeper replaces it everywhere,
// and so does another coach. The browser keeps the analyses.
export const Analyses = (() => {
  const known = new Map(); // by position, with the coach `by`, and the `time` of the search in milliseconds
  const pending = new Pending();
  const listeners = [];
  const MOST = 50_000; // analyses in memory

  const keyOf = (board, four) => `${Rules.hex(board)} ${four}`;
  // Whether an analysis is what a question would give, or more.
  const isEnough = (one, by, { plies, milliseconds }) => one?.by === by && (one.over
    || (milliseconds === undefined ? one.plies >= plies : one.time >= milliseconds));

  // Takes an analysis, unless a deeper one of the same coach is there. Only whole analyses get here.
  function take(board, four, analysis) {
    const key = keyOf(board, four);
    const before = known.get(key);
    const isOlder = before?.by === analysis.by && before.plies >= analysis.plies;
    const next = isOlder ? { ...before, time: Math.max(before.time, analysis.time) } : analysis;
    known.set(key, next);
    if (known.size > MOST) known.delete(known.keys().next().value);
    if (!isOlder) for (const listener of listeners) listener(board);
    return [key, next];
  }

  const keep = (all) => Database.write({ analyses: all });

  return {
    // The analysis of a position that is there; undefined without one.
    at: (board, four) => known.get(keyOf(board, four)),

    // Reads the kept analyses of positions.
    async load(boards, four) {
      const keys = boards.map((board) => keyOf(board, four)).filter((key) => !known.has(key));
      const found = await Database.read("analyses", keys);
      found.forEach((one, index) => { if (one?.moves) known.set(keys[index], one); });
    },

    // A promise of an analysis by these settings, or a deeper one by the same coach. What is there is not asked again.
    async of(board, settings, signal) {
      const { four } = settings;
      const by = Answers.coach(board, settings);
      if (!known.has(keyOf(board, four))) await this.load([board], four);
      signal?.throwIfAborted();
      const here = this.at(board, four);
      if (isEnough(here, by, settings)) return here;
      return pending.of(`${keyOf(board, four)} ${by} ${JSON.stringify(settings)}`, async (stop) => {
        const onPart = (part) => take(board, four, { ...part, by });
        const said = await Answers.analyze(board, settings, stop, onPart);
        // A stronger coach may have come meanwhile.
        if (Answers.coach(board, settings) !== by) return this.of(board, settings, stop);
        const [key, whole] = take(board, four, { ...said, time: settings.milliseconds ?? 0, by });
        if (said.moves.some(({ value }) => value !== undefined)) keep([[key, whole]]);
        return whole;
      }, signal);
    },

    // Analyses of many positions, of which those that are there are not asked again.
    async all(boards, settings, signal) {
      const { four } = settings;
      await Answers.prepare(settings);
      await this.load(boards, four);
      const missing = boards.filter(
        (board) => !isEnough(this.at(board, four), Answers.coach(board, settings), settings));
      const said = missing.length === 0 ? [] : await Answers.review(missing, settings, signal);
      signal?.throwIfAborted();
      const by = Answers.coach([], settings);
      keep(said.map((one, index) => take(missing[index], four, { ...one, time: 0, by })));
      return boards.map((board) => this.at(board, four));
    },

    // The verdict on a move from a position; null while the position has no analysis with values.
    verdict(board, move, four) {
      const analysis = this.at(board, four);
      return analysis === undefined ? null : Verdicts.on(analysis, move, board);
    },

    // Calls a function with the board of each analysis that replaces another one.
    onChange: (listener) => listeners.push(listener),
  };
})();
