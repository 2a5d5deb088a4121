// Games of Set that left the table, newest first: none is lost to a new game or to another tab.
const SetPast = (() => {
  const GAMES = 20;

  function list() {
    const stored = Store.read("set-past");
    return Array.isArray(stored) ? stored.filter((one) => SetRound.restore(one) !== null) : [];
  }

  // Whether a round continues a saved one, so that the saved one is not lost with it.
  const continues = (round, { id, choices }) => round !== null && round.id === id
    && choices.every((choice, index) => choice === round.choices[index]);

  // `result` is what the engine last said of the round; null when that is not known.
  function add(round, result) {
    if (!round?.hasStarted) return;
    const kept = list();
    if (kept.some((one) => one.choices.length > round.choices.length && continues(one, round))) return;
    const entry = {
      ...round, when: Date.now(), score: result?.score, left: result?.table.length, isOver: result?.over === true,
    };
    Store.write("set-past", [entry, ...kept.filter((one) => !continues(round, one))].slice(0, GAMES));
  }

  return { list, add, continues };
})();
