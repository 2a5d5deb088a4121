// Which choices of a game of Set lost most, by the values of the chosen agent; and the numbers of all finished games.
const SetReview = (() => {
  let reviewed = null; // the round whose review is shown

  const tell = (text) => { byId("set-review-note").textContent = text; };
  const parts = (cards) => cards.match(/.{4}/g).sort().join();

  // The losses of the choices; null when the agent has no values, or another review has begun.
  async function read(round) {
    const losses = [];
    for (const [index, choice] of round.choices.entries()) {
      if (choice === "deal") continue;
      tell(`The agent looks at choice ${index + 1} of ${round.choices.length}.`);
      const before = await SetLocal.game({ ...round, choices: round.choices.slice(0, index) });
      const { choices } = await SetAdvice.of(before);
      const own = choices.find(({ cards }) => parts(cards.join("")) === parts(choice));
      if (reviewed !== round || own?.difference === undefined) return null;
      losses.push({ index, loss: own.difference > -0.005 ? 0 : -own.difference });
    }
    return losses;
  }

  async function start() {
    const { round } = SetTable;
    if (round === null || !SetAdvice.isReady) return;
    reviewed = round;
    byId("set-worst").replaceChildren();
    const losses = await read(round).catch(({ message }) => message);
    if (reviewed !== round) return;
    if (typeof losses === "string") return tell(losses);
    if (losses === null) return tell("This agent has no values: choose another one.");
    const [lost, worst] = [losses.reduce((sum, { loss }) => sum + loss, 0), losses.filter(({ loss }) => loss > 0)];
    tell(losses.length === 0 ? "No Set was taken yet." : `${losses.length - worst.length} of `
      + `${plural(losses.length, "Set")} were the best choice; ${lost.toFixed(2)} Sets were lost in all.`);
    const before = (index) => new SetRound({ ...round.copy(), choices: round.choices.slice(0, index), undone: [] });
    byId("set-worst").replaceChildren(...worst.sort((a, b) => b.loss - a.loss).slice(0, 5).map(
      ({ index, loss }) => element("li", {}, element("button", {
        onclick: () => SetView.open(before(index), "The table before that choice."),
      }, element("span", {}, `Choice ${index + 1}`), element("b", {}, `−${loss.toFixed(2)}`)))));
  }

  // Finished games that a person played alone; one that is finished again after an undo counts once.
  function count({ round, answer }) {
    const kept = { games: 0, sets: 0, most: 0, fastest: 1e9, last: "", ...(Store.read("set-statistics") ?? {}) };
    if (answer.over && round.isPersons && round.hasStarted && kept.last !== round.id) {
      [kept.games, kept.sets, kept.last] = [kept.games + 1, kept.sets + answer.score, round.id];
      [kept.most, kept.fastest] = [Math.max(kept.most, answer.score), Math.min(kept.fastest, round.seconds)];
      Store.write("set-statistics", kept);
    }
    byId("set-statistics").textContent = kept.games === 0 ? ""
      : `${plural(kept.games, "game")} of your own: ${(kept.sets / kept.games).toFixed(1)} Sets on average, `
        + `${kept.most} at most, the fastest in ${clock(kept.fastest)}.`;
  }

  SetTable.onChange(({ kind }) => { if (kind !== "asking" && kind !== "failed") count(SetTable); });
  clicks({ "set-review": start });
})();
