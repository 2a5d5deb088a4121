// Settings of training runs: read from their texts, compared, and named for people; curves of runs that differ by seed.
const RunSettings = (() => {
  // A run that differs from another by these alone is a repetition of it.
  const INCIDENTAL = /^(name|seed|output\..*|evaluation\.(seed|threads)|training\.threads)$/;

  // The values of a configuration by their keys, such as `learner.alpha`.
  function parse(text) {
    const values = new Map();
    let section = "";
    for (const line of text.split("\n")) {
      const [, indent, key, value] = /^( *)([\w-]+): ?(.*)$/.exec(line) ?? [];
      if (key === undefined) continue;
      if (indent === "") section = key;
      if (value !== "") values.set(indent === "" ? key : `${section}.${key}`, value.replace(/ +#.*$/, "").replaceAll('"', ""));
    }
    return values;
  }

  const kind = (values) => [...values].filter(([key]) => !INCIDENTAL.test(key)).map(String).sort().join("\n");

  // Rows of a table: the settings in which runs differ.
  function differences(runs) {
    const keys = new Set(runs.flatMap(([, { settings }]) => [...settings.keys()]));
    return [...keys].map((key) => [key, ...runs.map(([, { settings }]) => settings.get(key) ?? "–")])
      .filter(([key, ...values]) => !key.startsWith("output.") && new Set(values).size > 1);
  }

  // One curve for all runs with the same settings: the mean where all of them have a value, and their range as a band.
  function merge(lines) {
    const groups = Map.groupBy(lines, ({ kind: own, tag, name }) => `${own || name} ${tag}`);
    return [...groups.values()].flatMap((group) => {
      if (group.length < 2 || group[0].kind === "") return group;
      const values = Map.groupBy(group.flatMap(({ points }) => points), ([x]) => x);
      const shared = [...values].filter(([, points]) => points.length === group.length).sort(([a], [b]) => a - b)
        .map(([x, points]) => [x, points.map(([, y]) => y)]);
      const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
      return [{
        ...group[0], name: `${group[0].name} and ${plural(group.length - 1, "more seed")}`,
        points: shared.map(([x, list]) => [x, mean(list)]),
        band: shared.map(([x, list]) => [x, Math.min(...list), Math.max(...list)]),
      }];
    });
  }

  // What a person reads for a tag of the metrics.
  function title(tag) {
    const known = {
      "rollout/moves_mean": "Moves per game", "train/step_size": "Mean step size", "train/weight_norm": "Size of the weights",
      "train/update_norm": "Size of the updates", "train/weights_visited": "Weights that were visited",
    };
    const words = tag.split("/").pop().replaceAll("_", " ");
    return known[tag] ?? words[0].toUpperCase() + words.slice(1);
  }

  return { parse, kind, differences, merge, title };
})();
