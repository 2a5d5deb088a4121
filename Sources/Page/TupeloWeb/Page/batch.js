// Many games of an agent, and of the second one on the same tiles: scores as a histogram, and how often each tile is
// reached. Game number k has the seed of the first one plus k.
const Batch = (() => {
  const SLICE = 150; // milliseconds of play, after which other questions are heard
  const [WIDTH, HEIGHT, BINS] = [400, 120, 24];
  const svg = byId("batch-chart");
  let run = 0; // number of the run in progress: an older one ends
  let isRunning = false;

  async function play(question, seed, goesOn) {
    const { startTiles } = Table.settings;
    let game = { board: Rules.startBoard(question.four, startTiles, seed), seed, count: 0 };
    let score = 0;
    for (;;) {
      const { board, steps, reward, isOver } = await Answers.run(game, question, { time: SLICE });
      score += reward;
      game = { ...game, board, count: game.count + steps.length };
      if (!goesOn()) return null;
      if (isOver) return { score, largest: Rules.largest(board) };
    }
  }

  async function start() {
    const mine = (run += 1);
    const goesOn = () => isRunning && mine === run;
    const { four } = Table.settings;
    const questions = [Agents.question(false), ...(Rival.isOn ? [Rival.question()] : [])];
    const players = questions.map((question) => (
      { name: Agents.nameOf(question), question: { ...question, four }, games: [] }));
    const first = byId("seed").value.trim() === "" ? Rules.seed() : Number(byId("seed").value) >>> 0;
    const count = Number(byId("batch-count").value);
    set(true);
    try {
      for (let number = 0; number < count && goesOn(); number += 1) {
        for (const player of players) {
          const game = await play(player.question, (first + number) >>> 0, goesOn);
          if (game === null) return;
          player.games.push(game);
        }
        show(players, count);
      }
    } catch (error) {
      toast(error.message);
    }
    if (mine === run) set(false);
  }

  function set(isOn) {
    isRunning = isOn;
    byId("batch").textContent = isOn ? "Stop" : "Play them";
  }

  function stop() {
    run += 1;
    set(false);
  }

  function show(players, count) {
    const done = players[0].games.length;
    byId("batch-note").textContent = `${grouped(done)} of ${plural(count, "game")}`;
    const most = players.reduce((top, { games }) => games.reduce((sum, { score }) => Math.max(sum, score), top), 1);
    const ticks = roundTicks(0, most, 4);
    const end = ticks[ticks.length - 1];
    const counts = players.map(({ games }) => {
      const bins = new Array(BINS).fill(0);
      for (const { score } of games) bins[Math.min(Math.floor((score / end) * BINS), BINS - 1)] += 1;
      return bins;
    });
    const top = Math.max(...counts.flat());
    svg.replaceChildren();
    svg.toggleAttribute("hidden", false);
    counts.forEach((bins, player) => bins.forEach((number, bin) => {
      const [size, height] = [WIDTH / BINS / counts.length, (number / top) * (HEIGHT - 20)];
      if (number > 0) svg.append(drawing("rect", {
        x: (bin * counts.length + player) * size + 0.5, y: HEIGHT - 16 - height, width: size - 1, height,
        class: `bar-${player}` }));
    }));
    for (const tick of ticks) {
      const anchor = tick === 0 ? "start" : tick === end ? "end" : "middle";
      const text = drawing("text", { x: (tick / end) * WIDTH, y: HEIGHT - 2, "text-anchor": anchor });
      text.textContent = compact(tick);
      svg.append(text);
    }
    byId("batch-table").replaceChildren(...table(players));
    svg.setAttribute("aria-label", `Histogram of the scores of ${plural(done, "game")}; the table has the numbers.`);
  }

  // The players as columns, numbers and tiles as rows.
  function table(players) {
    const row = (title, cell) => element("tr", {}, element("th", { scope: "row" }, title), ...players.map(
      (player) => element("td", {}, cell(player))));
    const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
    const scores = ({ games }) => games.map(({ score }) => score).sort((a, b) => a - b);
    const error = (list) => Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / list.length);
    const largest = Math.max(...players.flatMap(({ games }) => games.map((game) => game.largest)));
    const tiles = [0, 1, 2, 3, 4].map((less) => largest - less).filter((exponent) => exponent > 0);
    const head = element("tr", {}, element("td"), ...players.map(({ name }, index) => element(
      "th", { scope: "col" }, element("i", { class: `bar-${index}`, "aria-hidden": "true" }), name)));
    return [
      head, row("Mean score", (one) => `${grouped(mean(scores(one)))} ± ${grouped(error(scores(one)))}`),
      row("Median", (one) => grouped(scores(one)[Math.floor(one.games.length / 2)])),
      row("Best", (one) => grouped(scores(one)[one.games.length - 1])),
      ...tiles.map((exponent) => row(`Reach ${grouped(Rules.tile(exponent))}`, ({ games }) =>
        percent(games.filter((game) => game.largest >= exponent).length / games.length))),
    ];
  }

  byId("batch").addEventListener("click", () => (isRunning ? stop() : start()));

  return { stop };
})();
