import { Agents } from "../play/agents.js";
import { LineChart, smooth } from "../core/chart.js";
import { bestMove, Game, Rules } from "../core/game.js";
import { Settings } from "../core/storage.js";
import {
  byId, clicks, compact, download, element, grouped, obey, option, pause, percent, remark, texts
} from "../core/text.js";
import { calm, orToast, toast, ValuesView, Voice } from "../core/views.js";
import { Screen } from "../play/screen.js";
import { Share } from "../play/share.js";
import { LearnerFile, LearnerRun } from "./learner.js";

// The settings of a run: what each may be, its name in curves, and what to expect of it.
const LearnerSettings = (() => {
  const isPhone = matchMedia("(pointer: coarse)").matches;
  const memory = navigator.deviceMemory ?? 8; // gigabytes; browsers say at most 8
  const rules = { coherent: "temporal coherence", constant: "constant step" };
  const FIELDS = {
    network: {
      usual: isPhone ? "small" : "4x5", title: "Network", name: (value) => value,
      choices: [["small", "small: six patterns of 4 cells"], ["4x5", "4x5: four patterns of 5 cells"],
        ...(isPhone || memory < 4 ? [] : [["4x6", "4x6: four patterns of 6 cells"]])],
      advice: "More cells in a pattern see more, learn more slowly, and need more memory: 5, 50 or 800 MB.",
    },
    rule: {
      usual: "coherent", title: "Step-size rule", name: (value) => rules[value], choices: Object.entries(rules),
      advice: "Temporal coherence takes small steps where errors change their sign. A constant step learns as fast at "
        + "first, and stops getting better sooner.",
    },
    alpha: {
      usual: "1", title: "Step size", name: (value) => `step ${value}`,
      choices: ["1", "0.5", "0.25", "0.1", "0.025"].map((one) => [one, one]),
      advice: "1 suits temporal coherence, and 0.1 to 0.5 a constant step. Small steps learn slowly and steadily.",
    },
    lambda: {
      usual: "0.5", title: "Lambda", name: (value) => `lambda ${value}`,
      choices: ["0", "0.25", "0.5", "0.75", "0.9"].map((one) => [one, one]),
      advice: "How far the end of a game reaches back. 0 looks one move ahead; near 1, luck drowns what is learned.",
    },
    optimism: {
      usual: "0", title: "Optimistic start", name: (value) => `starts at ${grouped(value)}`,
      choices: [["0", "off"], ["20000", "20,000 points"], ["100000", "100,000 points"]],
      advice: "Every position begins with many points, so that all moves are tried: a slower start, and later more.",
    },
  };
  const seed = byId("learner-seed");
  const controls = {};

  byId("learner-settings").prepend(...Object.entries(FIELDS).map(([key, { title, choices, advice, usual }]) => {
    const id = `learner-${key}`;
    controls[key] = element("select", { id, "aria-describedby": `${id}-advice` },
      ...choices.map(([name, words]) => option({ name, title: words })));
    controls[key].value = usual;
    return element("div", { class: "field" }, element("label", { for: id }, title), controls[key],
      element("small", { id: `${id}-advice` }, advice));
  }));

  return {
    controls,
    get chosen() {
      const chosen = Object.fromEntries(Object.entries(controls).map(([key, { value }]) => [key, value]));
      return { ...chosen, seed: /^\d{1,9}$/.test(seed.value.trim()) ? String(Number(seed.value)) : "1" };
    },
    get link() { return `#learn=${new URLSearchParams(this.chosen)}`; },
    // Takes the settings of a link; values that are not among the choices stay as they are.
    follow(hash) {
      if (!hash.startsWith("#learn=")) return;
      for (const [key, value] of new URLSearchParams(hash.slice(7))) {
        if (key === "seed" && /^\d{1,9}$/.test(value)) seed.value = value;
        const isChoice = Object.hasOwn(FIELDS, key) && FIELDS[key].choices.some(([name]) => name === value);
        if (isChoice) controls[key].value = value;
      }
    },
    // The name of a run beside others: the settings in which they differ.
    name(settings, all) {
      const differs = (key) => all.some((one) => one[key] !== settings[key]);
      const parts = Object.keys(FIELDS).filter(differs).map((key) => FIELDS[key].name(settings[key]));
      if (differs("seed")) parts.push(`seed ${settings.seed}`);
      return parts.join(", ") || settings.network;
    },
  };
})();

// The view in which a network learns 2048 while one watches: its curves, its board, and what it has learned.
export const LearnView = (() => {
  const [MOST, WINDOW] = [4, 5]; // curves; rows in the mean of a point
  const INTERVAL = 450; // milliseconds a move
  const LARGEST = [9, 10, 11, 12, 13]; // the exponents of 512 to 8192
  const COLORS = [3, 6, 11, 12, 14]; // the tiles whose colours their bands have
  const average = new LineChart("Average score of recent games");
  const bands = new LineChart("Games of the newest run that reach", { format: percent });
  const values = new ValuesView(byId("learner-values"));
  let runs = []; // the newest last
  let [game, screen] = [null, Screen.none];
  let [drawn, due] = [0, null]; // the time of the last drawing, and a timer
  let failure = ""; // why a run does not begin or has ended
  let playing = 0; // the number of the loop that moves on the board

  byId("learner-charts").append(average.element, Object.assign(bands.element, { className: "card chart bands" }));

  const current = () => runs.at(-1) ?? null;
  const going = () => runs.filter(({ isOn }) => isOn);

  // Draws five times a second at first, and then once a second, so that a slow phone stays responsive.
  function report(run) {
    clearTimeout(due);
    due = setTimeout(() => { if (screen.isOn) draw(); }, drawn + (run.seconds < 3 ? 200 : 1000) - performance.now());
  }

  // The course of a value: at most 200 points, each of neighbouring rows, and of WINDOW rows at least.
  function curve({ rows }, value) {
    const [size, axis] = [Math.ceil(rows.length / 200), byId("learner-axis").value];
    const groups = Array.from({ length: Math.ceil(rows.length / size) || 0 }, (_, index) => (
      LearnerRun.facts(rows.slice(index * size, (index + 1) * size))));
    const points = groups.map((facts) => [facts[axis], value(facts)]);
    // The sums behind the means are rounded: no value is below 0.
    return smooth(points, Math.ceil(WINDOW / size)).map(([x, y]) => [x, Math.max(y, 0)]);
  }

  function draw() {
    drawn = performance.now();
    const run = current();
    showButtons();
    if (run === null) return;
    const { axis } = Settings.values;
    const all = runs.map(({ settings }) => settings);
    const series = runs.map((one, index) => ({
      name: LearnerSettings.name(one.settings, all) + (one.isOver ? ", earlier" : ""),
      color: one.isOver ? "var(--muted)" : `var(--run-${index % 2})`, isDashed: one.isOver,
      points: curve(one, ({ mean }) => mean),
    })).filter(({ points }) => points.length > 0);
    average.draw(series, axis);
    // The second chart has a frame of its own, so that slow phones stay responsive.
    requestAnimationFrame(() => {
      const rates = LARGEST.map((exponent) => curve(run, ({ rate }) => rate(exponent)));
      bands.draw(run.rows.length === 0 ? [] : LARGEST.map((exponent, index) => ({
        name: grouped(Rules.tile(exponent)), color: `var(--tile-${COLORS[index]})`, points: rates[index],
        band: rates[index].map(([at, share], place) => [at, rates[index + 1]?.[place][1] ?? 0, share]),
      })), axis);
    });
    const { mean, error, rate } = LearnerRun.facts(run.rows.slice(-WINDOW));
    texts({
      "learner-games": grouped(run.totals.games), "learner-average": grouped(mean), "learner-error": grouped(error),
      "learner-speed": compact(run.totals.moves / Math.max(run.seconds, 1e-3)), "learner-reached": percent(rate(11)),
    });
    if (byId("learner-table-box").open) table(run);
  }

  // The lines of the program's report about such a run, but for the speed.
  function table(run) {
    const share = (value) => `${(value * 100).toFixed(1)}%`;
    byId("learner-table").replaceChildren(...run.table.map(({ games, mean, best, rate, error }) => element("tr", {},
      ...[grouped(games), grouped(mean), grouped(best), share(rate(11)), share(rate(13)), grouped(error)]
        .map((cell) => element("td", {}, cell)))));
  }

  function showButtons() {
    const run = current();
    const state = run === null || run.isOver ? "Start" : run.isOn ? "Pause" : "Go on";
    byId("learner-run").querySelector("span").textContent = state;
    byId("learner-run").querySelector("use").setAttribute("href", state === "Pause" ? "#i-pause" : "#i-play");
    const isUseful = run !== null && !run.isOver && run.rows.length > 0;
    for (const id of ["play", "save", "repeat"]) byId(`learner-${id}`).disabled = !isUseful;
    const all = [LearnerSettings.chosen, ...going().map(({ settings }) => settings)];
    const isLarge = all.some(({ network }) => network === "4x6");
    byId("learner-again").disabled = run === null;
    byId("learner-beside").disabled = going().length !== 1 || isLarge;
    remark("learner-note", failure || (isLarge && run !== null ? "4x6 learns alone: two of it would need 1.6 GB."
      : going().length === 2 ? "Two runs learn side by side." : ""), failure !== "");
  }

  const fail = (message) => { failure = message; showButtons(); };

  // Begins a run by the chosen settings. Others end, unless it learns beside them.
  async function start({ isBeside = false } = {}) {
    if (!isBeside) for (const one of runs) if (!one.isOver) one.end();
    const run = new LearnerRun(LearnerSettings.chosen, report);
    failure = "";
    runs = [...runs.filter((one) => one.rows.length > 0 || !one.isOver), run].slice(-MOST);
    byId("learner-about").hidden = true;
    Voice.say("Learning begins.");
    learn(run);
  }

  async function learn(run) {
    const learning = run.learn();
    draw();
    if (run === current()) play(run);
    try {
      await learning;
    } catch ({ message }) {
      run.end();
      runs = runs.filter((one) => one !== run || one.rows.length > 0);
      fail(message);
    }
  }

  function toggle() {
    const run = current();
    if (run === null || run.isOver) return start();
    if (run.isOn) return going().forEach((one) => one.ask("pause"));
    for (const one of runs) if (!one.isOver) learn(one);
  }

  const numbers = () => screen.numbers(game.board, game.score, game.steps.length, game);

  function show(next) {
    game = next;
    screen.show(game.board);
    numbers();
  }

  // The newest network plays, as long as its run learns and the view is shown.
  async function play(run) {
    const mine = (playing += 1);
    const goesOn = () => mine === playing && screen.isOn && run.isOn;
    screen.duration(INTERVAL);
    for (let count = 0; goesOn(); count += 1) {
      const { board } = game;
      const analysis = await run.ask("values", { board }).catch(() => null);
      if (analysis === null || !goesOn()) return;
      const best = bestMove(analysis);
      if (best === null) {
        await pause(3 * INTERVAL);
        if (goesOn()) show(new Game());
        continue;
      }
      values.show(analysis, board);
      screen.note(`The network expects ${grouped(game.score + Math.max(analysis.moves[best].value, 0))} points.`);
      if (count % 8 === 0) look(run, board);
      await pause(count === 0 ? 60 : calm.matches ? 2 * INTERVAL : INTERVAL);
      if (!goesOn()) return;
      screen.move(game.play(best, "network"));
      numbers();
    }
  }

  // What the network has learned: reasons for the move on a board, and the picture of a table.
  async function look(run, board) {
    const [reasons, picture] = await Promise.all([run.ask("reasons", { board }), run.ask("picture")])
      .catch(() => [null, null]);
    if (reasons === null || !screen.isOn) return;
    const cells = (mask) => board.map((exponent, cell) => (mask & (1 << cell)
      ? element("i", { class: "on" }, compact(Rules.tile(exponent))) : element("i")));
    byId("learner-reasons").replaceChildren(...reasons.all.map(({ cells: mask, points }) => element("li", {},
      element("span", { class: "mini-cells", "aria-hidden": "true" }, ...cells(mask)),
      element("b", {}, `${points < 0 ? "−" : "+"}${grouped(Math.abs(points))}`))));
    const move = Rules.MOVES[reasons.best];
    texts({
      "learner-why": move ? `Points that patterns gave to “${move}” some moves ago, compared with the other moves: `
        + "the three that spoke most for it, and the three that spoke most against it." : "",
      "learner-share": `${percent(picture.share)} of the weights of this pattern have been reached. A point is a group `
        + "of tiles on its cells: green adds points, red takes them away.",
    });
    const image = new ImageData(256, 256); // a pixel is alpha, blue, green, red
    const pixels = new Uint32Array(image.data.buffer);
    picture.means.forEach((value, index) => {
      pixels[index] = (Math.min(Math.sqrt(Math.abs(value)) * 5, 255) << 24) | (value < 0 ? 0x283cc8 : 0x5a8228);
    });
    byId("learner-picture").getContext("2d").putImageData(image, 0, 0);
  }

  const use = () => orToast(async () => {
    const games = grouped(current().totals.games);
    await Agents.adopt(await current().model(), `trained here, ${games} games`);
    toast(`The network of ${games} games plays and gives advice now.`, {
      label: "Watch it", run: () => { location.hash = "#watch"; } });
  });

  const save = () => orToast(async () => download("tupelo-page.safetensors", await current().model()));

  function repeat() {
    const text = (byId("learner-command").textContent = current().command);
    Share.copy(text, () => toast("The command is copied."), () => toast("The command is below the buttons."));
  }

  clicks({
    "learner-run": toggle, "learner-again": () => start(), "learner-beside": () => start({ isBeside: true }),
    "learner-play": use, "learner-save": save, "learner-repeat": repeat,
    "learner-link": () => Share.link(LearnerSettings.link, "A network learns 2048"),
  });
  for (const control of Object.values(LearnerSettings.controls)) control.addEventListener("change", showButtons);
  byId("learner-table-box").addEventListener("toggle", () => { if (current() !== null) draw(); });
  byId("learner-axis").value = Settings.values.axis === "seconds" ? "seconds" : "games";
  byId("learner-axis").addEventListener("change", ({ target }) => { Settings.set({ axis: target.value }); draw(); });
  addEventListener("beforeunload", (event) => { if (going().length > 0) event.preventDefault(); });

  return {
    enter(lease) {
      screen = lease;
      LearnerSettings.follow(location.hash);
      LearnerFile.load().catch(({ message }) => fail(message));
      show(game ?? new Game());
      draw();
      if (current()?.isOn) play(current());
    },
    follow: () => LearnerSettings.follow(location.hash),
    command: (key) => obey({ " ": toggle }, key),
  };
})();
