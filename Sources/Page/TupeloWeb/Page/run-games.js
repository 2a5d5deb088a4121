// The games that the server's runs have kept: the best, the median and the worst of their evaluations.
const RunGames = (() => {
  const TITLES = { best: "Best game", median: "Median game", worst: "Worst game" };
  const choice = byId("run-choice");
  let runs = [];

  async function list() {
    if (!Agents.hasRuns) return;
    try {
      runs = (await Server.runs()).runs.filter(({ games }) => games.length > 0);
    } catch {
      return; // whoever looks for runs is told in Training
    }
    const before = choice.value;
    choice.replaceChildren(...runs.map(({ name }) => element("option", { value: name }, name)));
    if (runs.some(({ name }) => name === before)) choice.value = before;
    byId("run-games").hidden = runs.length === 0;
    show();
  }

  function show() {
    const run = runs.find(({ name }) => name === choice.value);
    byId("run-buttons").replaceChildren(...(run?.games ?? []).map((game) => element(
      "button", { "data-game": game, onclick: () => open(run.name, game) }, TITLES[game])));
  }

  // A loaded game is checked like a file.
  const open = (run, game) => Records.open(`${TITLES[game]} of ${run}`, 0, () => Server.game(run, game));

  choice.addEventListener("change", show);

  return { list };
})();
