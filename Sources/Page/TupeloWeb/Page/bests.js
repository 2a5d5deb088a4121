// The best score under each rule. Other tabs of the page have theirs: the higher one stays.
const Bests = (() => {
  const ODDS = { 0.1: "mostly 2", 0.5: "2 or 4", 0: "2 only" };
  const bests = {};

  function merge() {
    const stored = Store.read("best");
    if (typeof stored !== "object" || stored === null) return;
    for (const [rule, score] of Object.entries(stored)) {
      if (Number.isFinite(score)) bests[rule] = Math.max(bests[rule] ?? 0, score);
    }
  }

  const rule = ({ four, startTiles }) => (startTiles === 2 ? String(four) : `${four} ${startTiles}`);
  const by = (name) => bests[name] ?? 0;

  // A rule for people, such as "Usual rules" or "2 only, 3 tiles at the start".
  function nameOf(name) {
    if (name === "0.1") return "Usual rules";
    const [four, tiles] = name.split(" ");
    return (ODDS[four] ?? `4 in ${percent(four)}`) + (tiles ? `, ${tiles} tiles at the start` : "");
  }

  merge();
  return {
    rule, by, nameOf,
    of: (game) => by(rule(game)),
    add(game) { bests[rule(game)] = Math.max(bests[rule(game)] ?? 0, game.score); },
    merge,
    save() {
      merge();
      Store.write("best", bests);
    },
  };
})();
