// Many games of an agent, and of the second one with the same tiles: scores as a histogram, and how often each tile is
// reached. Game number k has the seed of the first one plus k.
const Batch = (() => {
  const SLICE = 150; // milliseconds of play, after which other questions are heard
  const [WIDTH, HEIGHT, BINS] = [400, 120, 24];
  const running = new Running("batch");

  async function play(question, seed, goesOn) {
    let game = { board: Rules.startBoard(question.four, Table.settings.startTiles, seed), seed, count: 0 };
    let score = 0;
    while (goesOn()) {
      const { board, steps, reward, isOver } = await Answers.run(game, question, { time: SLICE });
      score += reward;
      game = { ...game, board, count: game.count + steps.length };
      if (isOver) return { score, largest: Rules.largest(board) };
    }
    return null;
  }

  async function start() {
    const goesOn = running.begin();
    const players = [Agents.question(false), ...(Rival.isOn ? [Rival.question()] : [])]
      .map((question) => ({ question: { ...question, four: Table.settings.four }, games: [] }));
    const first = Watch.seed ?? Rules.seed();
    const count = Number(byId("batch-count").value);
    byId("batch-note").textContent = `0 games of ${grouped(count)}`;
    try {
      for (let number = 0; number < count && goesOn(); number += 1) {
        for (const player of players) player.games.push(await play(player.question, (first + number) >>> 0, goesOn));
        if (goesOn()) show(players, count);
      }
    } catch (error) {
      toast(error.message);
    }
    if (goesOn()) running.end();
  }

  function show(players, count) {
    const done = plural(players[0].games.length, "game");
    byId("batch-note").textContent = `${done} of ${grouped(count)}`;
    for (const player of players) player.scores = player.games.map(({ score }) => score).sort((a, b) => a - b);
    const ticks = roundTicks(0, Math.max(...players.flatMap(({ scores }) => scores), 1), 4);
    const end = ticks[ticks.length - 1];
    const bin = (score) => Math.min(Math.floor((score / end) * BINS), BINS - 1);
    const bins = players.map(({ scores }) => Map.groupBy(scores, bin));
    const top = Math.max(...bins.flatMap((own) => [...own.values()].map(({ length }) => length)));
    const size = WIDTH / BINS / players.length;
    byId("batch-chart").toggleAttribute("hidden", false);
    byId("batch-chart").setAttribute("aria-label", `Scores of ${done} as a histogram; the table has the numbers.`);
    byId("batch-chart").replaceChildren(...bins.flatMap((own, player) => [...own].map(([index, { length }]) => {
      const height = (length / top) * (HEIGHT - 20);
      const place = { x: (index * players.length + player) * size + 0.5, y: HEIGHT - 16 - height };
      return drawing("rect", { ...place, width: size - 1, height, class: `run-${player}` });
    })), ...ticks.map((tick) => {
      const anchor = tick === 0 ? "start" : tick === end ? "end" : "middle";
      return words(compact(tick), (tick / end) * WIDTH, HEIGHT - 2, anchor);
    }));
    byId("batch-table").replaceChildren(...table(players));
  }

  // The players as columns, numbers and tiles as rows.
  function table(players) {
    const row = (title, cell) => element("tr", {}, element("th", { scope: "row" }, title), ...players.map(cell));
    const numbers = (title, part) => row(title, (player) => element("td", {}, part(player)));
    // Half the 95% interval of the mean, which one game does not have.
    const margin = (list) => (list.length < 2 ? ""
      : ` ± ${grouped(1.96 * Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / (list.length - 1)))}`);
    const largest = Math.max(...players.flatMap(({ games }) => games.map((game) => game.largest)));
    return [
      row("Agent", ({ question: { four, ...asked } }, index) => element("th", { scope: "col" },
        element("i", { class: `run-${index}` }), Agents.nameOf(asked))),
      numbers("Mean", ({ scores }) => grouped(mean(scores)) + margin(scores)),
      numbers("Median", ({ scores }) => grouped(scores[Math.floor(scores.length / 2)])),
      numbers("Best", ({ scores }) => grouped(scores[scores.length - 1])),
      ...[0, 1, 2, 3, 4].map((less) => Math.max(largest - less, 1)).map((exponent) => numbers(
        `Reach ${grouped(Rules.tile(exponent))}`,
        ({ games }) => percent(mean(games.map((game) => Number(game.largest >= exponent)))))),
    ];
  }

  clicks({ batch: () => (running.isOn ? running.end() : start()) });

  return { stop: () => running.end() };
})();
