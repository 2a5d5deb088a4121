import { Server } from "../engine/answers.js";
import { byId, capital, element, grouped, mean, percent, plural, remark, showChildren } from "../core/text.js";
import { Settings, Store } from "../core/storage.js";
import { LineChart, smooth, thin } from "../core/chart.js";
import { Agents } from "../play/agents.js";

// Settings of training runs, compared; names of their metrics; curves of runs that differ by their seed alone.
const RunSettings = (() => {
  // A run that differs from another by these alone is a repetition of it.
  const INCIDENTAL = /^(name|seed|output\..*|evaluation\.(seed|threads)|training\.threads)$/;
  const TITLES = {
    "rollout/moves_mean": "Moves per game", "train/step_size": "Mean step size", "train/weight_norm": "Weight norm",
    "train/update_norm": "Update norm", "train/weights_visited": "Weights that were visited",
  };

  // A function from x to y: the straight line between two points. It is called with larger and larger x.
  function between(points) {
    let at = 0;
    return (x) => {
      while (at < points.length - 1 && points[at][0] < x) at += 1;
      const [[x0, y0], [x1, y1]] = [points[Math.max(at - 1, 0)], points[at]];
      return x1 <= x ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
    };
  }

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
    // One curve for all runs of a kind: the mean where all of them have values, and their range as a band.
    merge(lines) {
      const groups = Map.groupBy(lines, ({ kind, tag, name }) => `${kind || name} ${tag}`);
      return [...groups.values()].flatMap((group) => {
        if (group.length < 2) return group;
        const isIn = (x) => group.every(({ points }) => points[0][0] <= x && x <= points.at(-1)[0]);
        const values = group.map(({ points }) => between(points));
        const shared = group[0].points.flatMap(([x]) => (isIn(x) ? [[x, values.map((value) => value(x))]] : []));
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

// The values of a metric in the rows of a run. However long the run is, a curve has a bounded number of points: each of
// them is the mean over as many lines as are needed for that.
class Curve {
  static AXES = ["games", "moves", "seconds"];
  static MOST = 2048;
  #points = []; // values by axis, and the metric's
  #next = []; // the values of the next point
  #lines = 0;
  #due = 1; // the number of lines at which the next point is full

  // Adds the values of a row, which stands for a number of lines.
  add(values, lines) {
    this.#next.push(values);
    if ((this.#lines += lines) < this.#due) return;
    this.#points.push(...thin(this.#next, 1));
    this.#next = [];
    if (this.#points.length === Curve.MOST) this.#points = thin(this.#points, Curve.MOST / 2);
    this.#due = this.#lines + this.#lines / this.#points.length;
  }

  // The points [x, y] over an axis, which a row may lack. The last one may not be full yet.
  over(axis) {
    const points = [...this.#points, ...thin(this.#next, 1)].map((one) => [one[Curve.AXES.indexOf(axis)], one[3]]);
    return points.filter(([x]) => !Number.isNaN(x));
  }
}

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
  const runs = new Map(); // by name: curves by tag, how far it is read, settings, color, isShown
  const charts = new Map(); // by title
  let tile = null; // which reach rate is shown
  let timer = null;
  let isBusy = false;

  // The choices of the last visit: names of runs, and their colours.
  const kept = { shown: null, colors: {}, ...(Store.read("training") ?? {}) };

  function keep(values) {
    Object.assign(kept, values);
    Store.write("training", kept);
  }

  async function look() {
    if (isBusy) return;
    isBusy = true;
    try {
      await list();
      for (let isBehind = true; isBehind;) {
        const news = [];
        for (const [name, run] of runs) if (run.isShown) news.push(await follow(name, run));
        if (news.some((one) => one !== null)) draw();
        else explain();
        isBehind = news.includes(true);
      }
    } catch (error) {
      say(error.message, true);
    }
    isBusy = false;
  }

  const say = (text, isError) => remark("runs-note", text, isError);

  // Explains why there is nothing to see.
  function explain() {
    const shown = [...runs].filter(([, run]) => run.isShown);
    const empty = shown.filter(([, run]) => run.curves.size === 0).map(([name]) => name);
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
    for (const { name } of fresh) runs.set(name, { ...unread(), isShown: false, color: "" });
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

  const unread = () => ({ curves: new Map(), next: 0, mark: "", settings: null });

  // Reads what was added to a run: whether there is more to read, and null when nothing was added. A run in place of
  // another one is read from its start.
  async function follow(name, run) {
    run.settings ??= RunSettings.parse(await Server.settings(name));
    const { rows, lines, next, mark, size, restarted } = await Server.metrics(name, run.next, run.mark);
    const isStuck = next === run.next;
    Object.assign(run, restarted ? unread() : { next, mark });
    rows.forEach((row, index) => {
      const places = Curve.AXES.map((axis) => row[axis] ?? NaN);
      for (const [tag, value] of Object.entries(row)) {
        if (!run.curves.has(tag) && run.curves.size < 500) run.curves.set(tag, new Curve());
        run.curves.get(tag)?.add([...places, value], lines[index]);
      }
    });
    return isStuck ? null : next < size;
  }

  function draw() {
    const shown = [...runs].filter(([, run]) => run.isShown);
    const tags = new Set(shown.flatMap(([, run]) => [...run.curves.keys()]));
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
      chart.draw(lines(shown, own), Settings.values.axis, { isLog: Settings.values.scale === "log", tags: own });
    }
  }

  // The reach rates share one chart; which tile it shows is chosen there, at first the largest that any game reaches.
  function rateChart(title, tiles, shown) {
    const reached = (number) => shown.some(([, run]) => ["rollout", "eval"].some(
      (part) => points(run, `${part}/rate_${number}`, "games").some(([, rate]) => rate > 0)));
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
    const { axis, smoothing } = Settings.values;
    const all = shown.flatMap(([name, run]) => tags.map((tag) => {
      const evaluation = EVALUATIONS.get(tag.split("/")[0]);
      const own = points(run, tag, axis);
      const high = new Map(tag === "eval/score_mean" ? points(run, "eval/score_high", axis) : []);
      return {
        tag, kind: RunSettings.kind(run.settings),
        name: evaluation ? `${name}, ${evaluation}` : name, color: run.color, isDashed: evaluation !== undefined,
        points: evaluation ? own : smooth(own, smoothing),
        band: points(run, "eval/score_low", axis).flatMap(([x, low]) => (high.has(x) ? [[x, low, high.get(x)]] : [])),
      };
    })).filter((line) => line.points.length > 0);
    return Settings.values.seeds === "single" ? all : RunSettings.merge(all);
  }

  const points = (run, tag, axis) => run.curves.get(tag)?.over(axis) ?? [];

  for (const id of ["axis", "smoothing", "scale", "seeds"]) Settings.bind(id, id, draw);

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
