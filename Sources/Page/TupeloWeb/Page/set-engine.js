// Questions about Set to an engine: they and their answers are lines of text, and here objects. The function uses
// nothing of the page, because a worker runs it.
function makeSetEngine(engine) {
  const view = new DataView(new ArrayBuffer(8));
  // A number whose bits are given in hex.
  const number = (bits) => {
    view.setBigUint64(0, BigInt(`0x${bits}`));
    return view.getFloat64(0);
  };
  const list = (text, separator = ",") => (text === "" ? [] : text.split(separator));
  const cards = (text) => list(text).map((one) => ({ card: one.slice(0, 4), name: one.slice(5) }));
  const flags = (text) => text.split(" ").map((flag) => flag === "1");

  // The lines of an answer. What the engine refuses is an error of the name Refused.
  function ask(name, parts, ...more) {
    const question = new TextEncoder().encode(parts.join("\n"));
    engine.fill(question);
    const failure = engine.exports[name](question.length, ...more);
    const text = engine.message();
    if (failure !== 0) throw Object.assign(new Error(text), { name: "Refused" });
    return text.split("\n");
  }

  function game([seed, number, choices, counts, table, unseen, sets, taken, dealt, pattern, ...record]) {
    const [deck, score] = counts.split(" ").map(Number);
    const [, , stuck, over, hasLast] = flags(counts);
    const last = { taken: cards(taken), dealt: cards(dealt), ...(pattern === "" ? {} : { pattern }) };
    return {
      seed, game: number, choices: list(choices), table: cards(table), deck, unseen, score,
      sets: list(sets).map((places) => places.split(" ").map(Number)), stuck, over, ...(hasLast ? { last } : {}),
      record: record.join("\n"),
    };
  }

  function choice(line) {
    const [trio, tableSets, setsLeft, value, difference] = line.split(" ");
    return {
      cards: trio.split(","), tableSets: Number(tableSets), setsLeft: Number(setsLeft),
      ...(value === undefined ? {} : { value: number(value), difference: number(difference) }),
    };
  }

  return {
    game: ({ seed, game: number, choices, player }) =>
      game(ask("setGame", [seed, number, choices.join(","), player])),
    record: ({ text }) => game(ask("setRecord", [text])),
    claim({ cards: three }) {
      const [set, pattern, ...faults] = ask("setClaim", [three.join(" ")]);
      return { set: set === "1", faults, ...(pattern === "" ? {} : { pattern }) };
    },
    // `seed` is for agents that choose at random: two numbers of 32 bits.
    analyze({ cards: table, unseen, agent, seed: [low, high] }) {
      const [name, best, state, ...lines] = ask("setAnalyze", [agent, table.join(" "), unseen], low, high);
      const [exact, over] = flags(state);
      const choices = lines.map(choice);
      return { agent: name, ...(best === "" ? {} : { best: best.split(",") }), exact, over, choices };
    },
  };
}
