// What came of a person's games, by their rules: those that count for Best and are over. It is kept in the browser.
const Statistics = (() => {
  const REMEMBERED = 50; // games that are over: none counts twice
  const number = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

  function read() {
    const stored = Store.read("statistics");
    const rules = {};
    for (const [rule, one] of Object.entries(stored?.rules ?? {})) {
      const [games, total, largest] = [one?.games, one?.total, one?.largest].map(number);
      rules[rule] = { games, total, largest: Math.min(largest, Rules.LARGEST) };
    }
    return { rules, ids: Array.isArray(stored?.ids) ? stored.ids : [] };
  }

  function write(game, change) {
    const stored = read();
    const rule = Bests.rule(game);
    const before = stored.rules[rule] ?? { games: 0, total: 0, largest: 0 };
    stored.rules[rule] = { ...before, ...change(before, stored) };
    Store.write("statistics", stored);
    show();
  }

  const largest = (game) => read().rules[Bests.rule(game)]?.largest ?? 0;

  // Notes the largest tile of a game; whether no game by these rules had such a tile before.
  function reach(game) {
    const tile = Rules.largest(game.board);
    if (game.exemption !== null || tile <= largest(game)) return false;
    write(game, () => ({ largest: tile }));
    return true;
  }

  function add(game) {
    if (read().ids.includes(game.id)) return;
    write(game, ({ games, total }, stored) => {
      stored.ids = [game.id, ...stored.ids].slice(0, REMEMBERED);
      return { games: games + 1, total: total + game.score };
    });
  }

  function show() {
    const all = Object.entries(read().rules).filter(([, { games }]) => games > 0);
    byId("statistics").hidden = all.length === 0;
    byId("statistics-note").hidden = all.length > 0;
    byId("statistics").querySelector("tbody").replaceChildren(...all.map(([rule, { games, total, largest: tile }]) => {
      const cells = [games, total / games, Bests.by(rule), Rules.tile(tile)];
      return element("tr", {}, element("th", { scope: "row" }, Bests.nameOf(rule)),
        ...cells.map((cell) => element("td", {}, grouped(cell))));
    }));
  }

  addEventListener("storage", ({ key }) => { if (key === "tupelo.statistics") show(); });
  show();
  return { reach, add, show };
})();
