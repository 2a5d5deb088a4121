import { Server } from "../engine/answers.js";
import { byId, capital, element, grouped, mean, percent, plural, remark, showChildren } from "../core/text.js";
import { Store } from "../core/storage.js";
import { LineChart, smooth } from "../core/chart.js";
import { Agents } from "../play/agents.js";

// Settings of training runs, compared; names of their metrics; curves of runs that differ by their seed alone.
const RunSettings = (() => {
  // A run that differs from another by these alone is a repetition of it.
  const INCIDENTAL = /^(name|seed|output\..*|evaluation\.(seed|threads)|training\.threads)$/;
  const TITLES = {
    "rollout/moves_mean": "Moves per game", "train/step_size": "Mean step size", "train/weight_norm": "Weight norm",
    "train/update_norm": "Update norm", "train/weights_visited": "Weights that were visited",
  };

  const words = (tag) => TITLES[tag] ?? capital(tag.split("/").pop().replaceAll("_", " "));

  return {
    // The values of a configuration by their keys, such as `learner.alpha`.
    parse(text) {
      let section = "";
      return new Map(text.split("\n").flatMap((line) => {
        const [, indent, key, text] = /^( *)([\w-]+): ?(.*)$/.exec(line) ?? [];
        const value = text?.split(" #")[0].trimEnd();
        if (indent === "") section = key;
        return value ? [[indent === "" ? key : `${section}.${key}`, value.replaceAll('"', "")]] : [];
      }));
    },
    // The name that repetitions of a run share.
    kind: (settings) => [...settings ?? []].filter(([key]) => !INCIDENTAL.test(key)).map(String).sort().join("\n"),
    // The name of a tag for people; the tag itself where two tags of `all` would have the same name.
    title: (tag, all) => (all.some((one) => one !== tag && words(one) === words(tag)) ? tag : words(tag)),
    // One curve for all runs of a kind: the mean where all of them have a value, and their range as a band.
    merge(lines) {
      const groups = Map.groupBy(lines, ({ kind, tag, name }) => `${kind || name} ${tag}`);
      return [...groups.values()].flatMap((group) => {
        if (group.length < 2) return group;
        const values = Map.groupBy(group.flatMap(({ points }) => points), ([x]) => x);
        const shared = [...values].filter(([, points]) => points.length === group.length).sort(([a], [b]) => a - b)
          .map(([x, points]) => [x, points.map(([, y]) => y)]);
        return [{
          ...group[0], name: `${group[0].name} and ${plural(group.length - 1, "more seed")}`,
          points: shared.map(([x, list]) => [x, mean(list)]),
          band: shared.map(([x, list]) => [x, Math.min(...list), Math.max(...list)]),
        }];
      });
    },
    // Shows the settings in which two runs differ.
    compare(runs) {
      const isPair = runs.length === 2 && runs.every(([, { settings }]) => settings?.size > 0);
      byId("run-settings").hidden = !isPair;
      if (!isPair) return;
      const keys = new Set(runs.flatMap(([, { settings }]) => [...settings.keys()]));
      const rows = [...keys].map((key) => [key, ...runs.map(([, { settings }]) => settings.get(key) ?? "–")])
        .filter(([key, one, other]) => !key.startsWith("output.") && one !== other);
      const head = ["", ...runs.map(([name]) => name)];
      byId("run-differences").replaceChildren(...[head, ...rows].map(([key, ...values]) => element(
        "tr", {}, element("th", { scope: "row" }, key), ...values.map((value) => element("td", {}, value)))));
    },
  };
})();

// The view of training runs: their metrics as curves, renewed while they are written.
export const Training = (() => {
  const INTERVAL = 2000; // milliseconds between looks
  const KNOWN = [
    { title: "Average score", tags: ["rollout/score_mean", "eval/score_mean", "final/score_mean"] },
    { title: "Games that reach" }, // a tile, which is chosen there
    { title: "Best score", tags: ["rollout/score_max"] },
    { title: "Moves per second", tags: ["time/moves_per_second"] },
    { title: "TD error", tags: ["train/td_error_abs"] },
  ];
  const rateOf = (tag) => /^(rollout|eval)\/rate_(\d+)$/.exec(tag);
  const COLORS = 10;
  // Times that are drawn elsewhere or not at all, and what belongs to an evaluation: its band and number of games.
  const NO_CHART = /^(games|moves|seconds|time|(eval|final)\/(score_low|score_high|games))$/;
  const EVALUATIONS = new Map([["eval", "evaluation"], ["final", "final evaluation"]]); // by the first part of a tag
  const runs = new Map(); // by name: rows, tags, next, color, isShown
  const charts = new Map(); // by title
  let tile = null; // which reach rate is shown
  let timer = null;
  let isBusy = false;

  // The choices of the last visit: names of runs, their colours, the axis, the smoothing.
  const kept = {
    shown: null, colors: {}, axis: "games", smoothing: "1", scale: "linear", seeds: "",
    ...(Store.read("training") ?? {}),
  };

  function keep(values) {
    Object.assign(kept, values);
    Store.write("training", kept);
  }

  async function look() {
    if (isBusy) return;
    isBusy = true;
    try {
      await list();
      let hasNews = false;
      for (const [name, run] of runs) if (run.isShown) hasNews = (await follow(name, run)) || hasNews;
      if (hasNews) draw();
      else explain();
    } catch (error) {
      say(error.message, true);
    }
    isBusy = false;
  }

  const say = (text, isError) => remark("runs-note", text, isError);

  // Explains why there is nothing to see.
  function explain() {
    const shown = [...runs].filter(([, run]) => run.isShown);
    const empty = shown.filter(([, run]) => run.rows.length === 0).map(([name]) => name);
    if (runs.size === 0) say("No run has metrics yet. They show here as soon as training writes metrics.jsonl.");
    else if (shown.length === 0) say("Choose a run to see its curves.");
    else if (empty.length > 0) say(`No numbers yet of ${empty.join(", ")}: they show here as training writes them.`);
    else say("");
  }

  // Runs keep their places while they are looked at, or the list would jump under the pointer; new ones come first.
  async function list() {
    const found = (await Server.runs()).runs;
    const isFirst = runs.size === 0;
    const fresh = found.filter(({ name }) => !runs.has(name));
    const old = [...runs].filter(([name]) => found.some((run) => run.name === name));
    runs.clear();
    for (const { name } of fresh) runs.set(name, { rows: [], tags: new Set(), next: 0, isShown: false, color: "" });
    for (const [name, run] of old) runs.set(name, run);
    const usual = found.find(({ size }) => size > 0) ?? found[0];
    const chosen = (kept.shown ?? []).filter((name) => fresh.some((run) => run.name === name));
    if (chosen.length > 0) chosen.forEach((name) => mark(name, true));
    else if (isFirst && kept.shown?.length !== 0 && usual) mark(usual.name, true);
    for (const { name, modified } of found) runs.get(name).modified = modified;
    showList();
  }

  // A run keeps its colour from visit to visit, unless a run beside it has the same.
  function mark(name, isShown) {
    const run = runs.get(name);
    run.isShown = isShown;
    if (!isShown) return;
    const uses = new Array(COLORS).fill(0);
    for (const [other, { isShown: isOther }] of runs) if (isOther && other !== name) uses[kept.colors[other]] += 1;
    const own = kept.colors[name];
    const color = uses[own] === 0 ? own : uses.indexOf(Math.min(...uses));
    keep({ colors: { ...kept.colors, [name]: color } });
    run.color = `var(--run-${color})`;
  }

  function showList() {
    const rows = [...runs].map(([name, run]) => {
      run.item ??= item(name);
      run.item.box.checked = run.isShown;
      run.item.swatch.style.background = run.isShown ? run.color : "";
      if (run.item.age.textContent !== age(run.modified)) run.item.age.textContent = age(run.modified);
      return run.item.row;
    });
    showChildren(byId("runs"), rows);
  }

  function item(name) {
    const box = element("input", { type: "checkbox", onchange: () => choose(name, box.checked) });
    const swatch = element("span", { class: "swatch", "aria-hidden": "true" });
    const written = element("small");
    const label = element("label", {}, box, swatch, element("span", {}, name), written);
    return { box, swatch, age: written, row: element("li", {}, label) };
  }

  const age = (modified) => {
    const seconds = Date.now() / 1000 - modified;
    if (seconds < 30) return "live";
    if (seconds < 3600) return `${Math.ceil(seconds / 60)} min ago`;
    return seconds < 86_400 ? `${Math.round(seconds / 3600)} h ago` : `${plural(seconds / 86_400, "day")} ago`;
  };

  function choose(name, isShown) {
    mark(name, isShown);
    keep({ shown: [...runs].filter(([, run]) => run.isShown).map(([one]) => one) });
    showList();
    look().then(draw);
  }

  // Reads what was added to a run since the last look; false when nothing was.
  async function follow(name, run) {
    const before = run.rows.length;
    run.settings ??= RunSettings.parse(await Server.settings(name));
    for (;;) {
      const answer = await Server.metrics(name, run.next);
      if (answer.restarted) run.rows = [];
      for (const row of answer.rows) {
        run.rows.push(row);
        for (const tag of Object.keys(row)) run.tags.add(tag);
      }
      const isStuck = answer.next === run.next;
      run.next = answer.next;
      if (answer.restarted) continue;
      if (isStuck || run.next >= answer.size) return run.rows.length !== before;
    }
  }

  function draw() {
    const shown = [...runs].filter(([, run]) => run.isShown);
    const tags = new Set(shown.flatMap(([, run]) => [...run.tags]));
    explain();
    RunSettings.compare(shown);
    const tiles = [...new Set([...tags].flatMap((tag) => rateOf(tag)?.[2] ?? []))].map(Number).sort((a, b) => a - b);
    const known = KNOWN.map((one) => (one.tags ? one : rateChart(one.title, tiles, shown)))
      .filter(({ tags: own }) => own.some((tag) => tags.has(tag)));
    const isOther = (tag) => !known.some((one) => one.tags.includes(tag)) && !rateOf(tag) && !NO_CHART.test(tag);
    const others = [...tags].filter(isOther).sort();
    const all = others.slice(0, 24).map((tag) => ({ title: RunSettings.title(tag, others), tags: [tag] }));
    const wanted = [...known, ...all].map(({ title, tags: own, format, control }) => {
      if (!charts.has(title)) charts.set(title, new LineChart(title, { format, control: control?.() }));
      return { chart: charts.get(title), own };
    });
    showChildren(byId("charts"), wanted.map(({ chart }) => chart.element));
    for (const { chart, own } of wanted) {
      chart.draw(lines(shown, own), byId("axis").value, { isLog: byId("scale").value === "log", tags: own });
    }
  }

  // The reach rates share one chart; which tile it shows is chosen there, at first the largest that any game reaches.
  function rateChart(title, tiles, shown) {
    const reached = (number) => shown.some(([, run]) =>
      run.rows.some((row) => (row[`rollout/rate_${number}`] ?? row[`eval/rate_${number}`] ?? 0) > 0));
    if (tile === null || !tiles.includes(tile)) tile = tiles.findLast(reached) ?? tiles[0];
    const select = charts.get(title)?.element.querySelector("select");
    if (select && select.options.length !== tiles.length) charts.delete(title);
    const control = () => {
      const options = tiles.map(
        (number) => element("option", { value: number, selected: number === tile }, grouped(number)));
      return element("select", { "aria-label": "Tile", onchange: (event) => {
        tile = Number(event.target.value);
        draw();
      } }, ...options);
    };
    return { title, tags: [`rollout/rate_${tile}`, `eval/rate_${tile}`], format: percent, control };
  }

  // Evaluations are few and exact, so they are not smoothed.
  function lines(shown, tags) {
    const axis = byId("axis").value;
    const window = Number(byId("smoothing").value);
    const all = shown.flatMap(([name, run]) => tags.map((tag) => {
      const evaluation = EVALUATIONS.get(tag.split("/")[0]);
      const points = columns(run, [axis, tag]);
      return {
        tag, kind: RunSettings.kind(run.settings),
        name: evaluation ? `${name}, ${evaluation}` : name, color: run.color, isDashed: evaluation !== undefined,
        points: evaluation ? points : smooth(points, window),
        band: tag === "eval/score_mean" ? columns(run, [axis, "eval/score_low", "eval/score_high"]) : [],
      };
    })).filter(({ points }) => points.length > 0);
    return byId("seeds").value === "" ? all : RunSettings.merge(all);
  }

  const columns = (run, tags) =>
    run.rows.filter((row) => tags.every((tag) => row[tag] !== undefined)).map((row) => tags.map((tag) => row[tag]));

  for (const id of ["axis", "smoothing", "scale", "seeds"]) {
    byId(id).value = kept[id];
    if (byId(id).selectedIndex < 0) byId(id).selectedIndex = 0;
    byId(id).addEventListener("change", () => {
      keep({ [id]: byId(id).value });
      draw();
    });
  }

  return {
    enter() {
      const advice = "To follow training here, start the server with the folder of your runs: tupelo serve --runs runs";
      if (Agents.hasRuns === false) return say(advice);
      look();
      timer = setInterval(() => { if (!document.hidden) look(); }, INTERVAL);
    },
    leave() { clearInterval(timer); },
  };
})();
