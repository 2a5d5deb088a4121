// What the chosen agent thinks of the table: asked once for each table, never shown for another one.
const SetAdvice = (() => {
  let agents = [];
  const known = new Remembered();

  const current = () => agents.find(({ name }) => name === Table.settings.setAgent) ?? agents[0];

  // A promise of what the agent says of what the engine says; null when there is nothing to choose.
  function of(answer) {
    if (answer.stuck || answer.over) return Promise.resolve(null);
    const cards = answer.table.map(({ card }) => card);
    const key = `${[...cards].sort().join("")} ${answer.unseen} ${current().name}`;
    // Agents without values choose at random: their choice is remembered, or a hint would change with each request.
    return known.of(key, () => SetLocal.analyze(cards, answer.unseen, current().name));
  }

  return {
    of,
    get current() { return current(); },
    get isReady() { return agents.length > 0; },
    load(list) {
      agents = list;
      byId("set-agent").replaceChildren(...agents.map(option));
      if (!agents.some(({ name }) => name === Table.settings.setAgent)) Table.set({ setAgent: agents[0].name });
      byId("set-agent").value = current().name;
    },
    get modelName() { return SetLocal.hasModel ? agents[0].title : "No model of Set loaded"; },
  };
})();
