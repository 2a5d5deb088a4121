// Games that left the table, newest first, so that none is lost: finished ones, and those that gave way to another.
const Past = (() => {
  const GAMES = 20;
  const CHARACTERS = 1_500_000; // of the 5 million that browsers keep for a page

  function list() {
    const stored = Store.read("past");
    return Array.isArray(stored) ? stored.filter((one) => typeof one?.record === "string") : [];
  }

  // The steps of a record without its header, which changes when another player joins.
  const steps = (saved) => saved.record.slice(saved.record.indexOf("\n") + 1).trimEnd();

  // Whether `longer` continues `saved`.
  const continues = (longer, saved) => longer.id === saved.id && steps(longer).startsWith(steps(saved));

  // Keeps what `Game.save` gave. An earlier state of the same game makes room for it.
  function add(saved) {
    const game = Game.restore(saved);
    if (game === null || game.steps.length === 0) return;
    const kept = list();
    if (kept.some((one) => continues(one, saved))) return;
    const { score, isOver } = game;
    const entry = {
      ...saved, when: Date.now(), score, isOver, moves: game.steps.length, largest: Rules.largest(game.board),
    };
    const games = [entry, ...kept.filter((one) => !continues(saved, one))].slice(0, GAMES);
    let size = 0;
    Store.write("past", games.filter((one) => (size += one.record.length) <= CHARACTERS || one === entry));
  }

  return { list, add };
})();
