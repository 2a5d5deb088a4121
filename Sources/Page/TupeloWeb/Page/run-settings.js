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
        const [, indent, key, value] = /^( *)([\w-]+): ?(.*?)( +#.*)?$/.exec(line) ?? [];
        if (indent === "") section = key;
        return value ? [[indent === "" ? key : `${section}.${key}`, value.replaceAll('"', "")]] : [];
      }));
    },
    // What repetitions of a run have in common.
    kind: (settings) => [...settings ?? []].filter(([key]) => !INCIDENTAL.test(key)).map(String).sort().join("\n"),
    // What a person reads for a tag; the tag itself where two of `all` would read alike.
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
