// The best score under each rule. Other tabs of the page have theirs: the higher one stays.
const Bests = (() => {
  const bests = {};

  function merge() {
    const stored = Store.read("best");
    if (typeof stored !== "object" || stored === null) return;
    for (const [rule, score] of Object.entries(stored)) {
      if (Number.isFinite(score)) bests[rule] = Math.max(bests[rule] ?? 0, score);
    }
  }

  const rule = ({ four, startTiles }) => (startTiles === 2 ? String(four) : `${four} ${startTiles}`);

  merge();
  return {
    of: (game) => bests[rule(game)] ?? 0,
    add(game) { bests[rule(game)] = Math.max(bests[rule(game)] ?? 0, game.score); },
    merge,
    save() {
      merge();
      Store.write("best", bests);
    },
  };
})();
