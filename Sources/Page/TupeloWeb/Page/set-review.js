// Which choices of a game of Set lost most, by the values of the chosen agent; and the numbers of all finished games.
const SetReview = (() => {
  let reviewed = null; // the round whose review is shown

  const parts = (cards) => cards.match(/.{4}/g).sort().join();

  async function start() {
    const { round } = SetTable;
    if (round === null || !SetAdvice.isReady) return;
    reviewed = round;
    byId("set-worst").replaceChildren();
    const losses = [];
    try {
      for (const [index, choice] of round.choices.entries()) {
        if (choice === "deal") continue;
        tell(`The agent looks at choice ${index + 1} of ${round.choices.length}.`);
        const before = await SetLocal.game({ ...round, choices: round.choices.slice(0, index) });
        const { choices } = await SetAdvice.of(before);
        if (reviewed !== round) return;
        const own = choices.find(({ cards }) => parts(cards.join("")) === parts(choice));
        if (own?.difference === undefined) return tell("This agent has no values: choose another one.");
        losses.push({ index, loss: own.difference > -0.005 ? 0 : -own.difference });
      }
    } catch (error) {
      return tell(error.message);
    }
    const lost = losses.reduce((sum, { loss }) => sum + loss, 0);
    tell(losses.length === 0 ? "No Set was taken yet."
      : `${losses.filter(({ loss }) => loss === 0).length} of ${plural(losses.length, "Set")} were the best choice; `
        + `${lost.toFixed(2)} Sets were lost in all.`);
    const worst = losses.filter(({ loss }) => loss > 0).sort((a, b) => b.loss - a.loss).slice(0, 5);
    byId("set-worst").replaceChildren(...worst.map(({ index, loss }) => element("li", {}, element("button", {
      onclick: () => SetView.open(new SetRound({
        seed: round.seed, game: round.game, players: round.players, choices: round.choices.slice(0, index),
      }), "The table before that choice."),
    }, element("span", {}, `Choice ${index + 1}`), element("b", {}, `−${loss.toFixed(2)}`)))));
  }

  function tell(text) { byId("set-review-note").textContent = text; }

  // Finished games that a person played alone; one that is finished again after an undo counts once.
  function count({ round, answer }) {
    const kept = { games: 0, sets: 0, most: 0, fastest: null, last: "", ...(Store.read("set-statistics") ?? {}) };
    if (answer.over && round.isPersons && round.hasStarted && kept.last !== round.id) {
      const { score } = answer;
      Object.assign(kept, {
        games: kept.games + 1, sets: kept.sets + score, most: Math.max(kept.most, score),
        fastest: Math.min(kept.fastest ?? Infinity, round.seconds), last: round.id,
      });
      Store.write("set-statistics", kept);
    }
    byId("set-statistics").textContent = kept.games === 0 ? ""
      : `${plural(kept.games, "game")} of your own: ${(kept.sets / kept.games).toFixed(1)} Sets on average, `
        + `${kept.most} at most, the fastest in ${clock(kept.fastest)}.`;
  }

  SetTable.onChange(({ kind }) => {
    if (kind === "asking" || kind === "failed") return;
    count(SetTable);
    if (reviewed !== null && !SetPast.continues(SetTable.round, reviewed)) tell("");
  });
  byId("set-review").addEventListener("click", start);
})();
