// Games of Set that left the table, newest first: none is lost to a new game or to another tab.
const SetPast = (() => {
  const GAMES = 20;

  function list() {
    const stored = Store.read("set-past");
    return Array.isArray(stored) ? stored.filter((one) => SetRound.restore(one) !== null) : [];
  }

  // Whether a round goes on where what was saved stops: then nothing of the latter is lost.
  const continues = (round, { id, choices }) => round !== null && round.id === id
    && choices.every((choice, index) => choice === round.choices[index]);

  // `result` is what the engine last said of the round; null when that is not known.
  function add(round, result) {
    if (!round?.hasStarted) return;
    const kept = list();
    const isLonger = ({ choices }) => choices.length > round.choices.length;
    if (kept.some((one) => isLonger(one) && continues(one, round))) return;
    const entry = {
      ...round, when: Date.now(), score: result?.score, left: result?.table.length, isOver: result?.over === true,
    };
    Store.write("set-past", [entry, ...kept.filter((one) => !continues(round, one))].slice(0, GAMES));
  }

  return { list, add, continues };
})();
