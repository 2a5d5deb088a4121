// The view of training runs: their metrics as curves, renewed while they are written.
const Training = (() => {
  const INTERVAL = 2000; // milliseconds between looks
  const AXES = ["games", "moves", "seconds"];
  const KNOWN = [
    { title: "Average score", tags: ["rollout/score_mean", "eval/score_mean"] },
    { title: "Games that reach", rate: true },
    { title: "Best score", tags: ["rollout/score_max"] },
    { title: "Moves per second", tags: ["time/moves_per_second"] },
    { title: "TD error", tags: ["train/td_error_abs"] },
  ];
  const rateOf = (tag) => /^(rollout|eval)\/rate_(\d+)$/.exec(tag);
  const runs = new Map(); // by name: rows, next, color, isShown, size
  const charts = new Map(); // by title
  let tile = null; // which reach rate is shown
  let timer = null;
  let isBusy = false;

  async function look() {
    if (isBusy) return;
    isBusy = true;
    try {
      await list();
      let hasNews = false;
      for (const [name, run] of runs) if (run.isShown) hasNews = (await follow(name, run)) || hasNews;
      if (hasNews) draw();
    } catch (error) {
      byId("runs-note").textContent = error.message;
    }
    isBusy = false;
  }

  async function list() {
    const found = (await Server.runs()).runs;
    byId("runs-note").textContent = found.length > 0 ? ""
      : "No run has metrics yet. They show here as soon as training writes metrics.jsonl.";
    const isFirst = runs.size === 0;
    found.forEach(({ name, modified }, index) => {
      if (!runs.has(name)) {
        runs.set(name, { rows: [], next: 0, isShown: isFirst && index === 0, color: `var(--run-${runs.size % 6})` });
      }
      runs.get(name).modified = modified;
    });
    for (const name of [...runs.keys()]) if (!found.some((run) => run.name === name)) runs.delete(name);
    showList(found);
  }

  // Rows stay as they are while runs come and go, so that the focus does, too.
  function showList(found) {
    const rows = found.map(({ name, modified }) => {
      const run = runs.get(name);
      run.item ??= item(name);
      run.item.box.checked = run.isShown;
      run.item.swatch.style.background = run.isShown ? run.color : "";
      if (run.item.age.textContent !== age(modified)) run.item.age.textContent = age(modified);
      return run.item.row;
    });
    const parent = byId("runs");
    if (rows.length !== parent.children.length || rows.some((row, index) => parent.children[index] !== row)) {
      parent.replaceChildren(...rows);
    }
  }

  function item(name) {
    const box = element("input", { type: "checkbox", onchange: () => choose(name, box.checked) });
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    const written = element("small");
    return { box, swatch, age: written, row: element("li", {}, element("label", {}, box, swatch, name, written)) };
  }

  const age = (modified) => {
    const seconds = Date.now() / 1000 - modified;
    if (seconds < 30) return "live";
    if (seconds < 3600) return `${Math.ceil(seconds / 60)} min ago`;
    return seconds < 86_400 ? `${Math.round(seconds / 3600)} h ago` : `${plural(seconds / 86_400, "day")} ago`;
  };

  function choose(name, isShown) {
    runs.get(name).isShown = isShown;
    look().then(draw);
  }

  // Reads what was added to a run since the last look; false when nothing was.
  async function follow(name, run) {
    const before = run.rows.length;
    for (;;) {
      const answer = await Server.metrics(name, run.next);
      if (answer.restarted) run.rows = [];
      run.rows.push(...answer.rows);
      const isStuck = answer.next === run.next;
      run.next = answer.next;
      if (answer.restarted) continue;
      if (isStuck || run.next >= answer.size) return run.rows.length !== before;
    }
  }

  function draw() {
    const shown = [...runs].filter(([, run]) => run.isShown);
    const tags = new Set(shown.flatMap(([, run]) => run.rows.flatMap((row) => Object.keys(row))));
    const wanted = [];
    for (const { title, tags: own, rate } of KNOWN) {
      if (rate) {
        const tiles = [...tags].map(rateOf).filter(Boolean).map((match) => Number(match[2]));
        if (tiles.length > 0) wanted.push(rateChart(title, [...new Set(tiles)].sort((a, b) => a - b), shown));
      } else if (own.some((tag) => tags.has(tag))) {
        wanted.push({ title, tags: own });
      }
    }
    const known = new Set(KNOWN.flatMap((one) => one.tags ?? []));
    const others = [...tags].filter((tag) => !known.has(tag) && !rateOf(tag) && !AXES.includes(tag)).sort();
    wanted.push(...others.slice(0, 24).map((tag) => ({ title: tag, tags: [tag] })));
    const elements = wanted.map(({ title, tags: own, format, control }) => {
      if (!charts.has(title)) charts.set(title, new LineChart(title, { format, control: control?.() }));
      return { chart: charts.get(title), own };
    });
    const parent = byId("charts");
    const now = elements.map(({ chart }) => chart.element);
    if (now.length !== parent.children.length || now.some((one, index) => parent.children[index] !== one)) {
      parent.replaceChildren(...now);
    }
    for (const { chart, own } of elements) chart.draw(lines(shown, own), byId("axis").value);
  }

  // The reach rates share one chart; which tile it shows is chosen there, at first the largest that any game reaches.
  function rateChart(title, tiles, shown) {
    const reached = (number) => shown.some(([, run]) =>
      run.rows.some((row) => (row[`rollout/rate_${number}`] ?? row[`eval/rate_${number}`] ?? 0) > 0));
    if (tile === null || !tiles.includes(tile)) tile = tiles.findLast(reached) ?? tiles[0];
    const select = charts.get(title)?.element.querySelector("select");
    if (select && select.options.length !== tiles.length) charts.delete(title);
    const control = () => {
      const options = tiles.map((number) => element("option", { value: number, selected: number === tile }, grouped(number)));
      return element("select", { "aria-label": "Tile", onchange: (event) => {
        tile = Number(event.target.value);
        draw();
      } }, ...options);
    };
    return { title, tags: [`rollout/rate_${tile}`, `eval/rate_${tile}`], format: percent, control };
  }

  function lines(shown, tags) {
    const axis = byId("axis").value;
    return shown.flatMap(([name, run]) => tags.map((tag) => ({
      name: tag.startsWith("eval/") ? `${name}, evaluation` : name,
      color: run.color,
      isDashed: tag.startsWith("eval/"),
      points: run.rows.filter((row) => row[tag] !== undefined && row[axis] !== undefined).map((row) => [row[axis], row[tag]]),
    }))).filter(({ points }) => points.length > 0);
  }

  byId("axis").addEventListener("change", draw);

  return {
    enter() {
      if (Agents.hasRuns === false) {
        byId("runs-note").textContent = "To follow training here, start the server with the folder of your runs: tupelo serve --runs runs";
        return;
      }
      look();
      timer = setInterval(() => { if (!document.hidden) look(); }, INTERVAL);
    },
    leave() { clearInterval(timer); },
    move: () => false,
    command: () => false,
  };
})();
