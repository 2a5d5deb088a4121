// What can be chosen of an agent besides its plies: whose values it plays by, how many games it plays out, and the time
// it may take for a move. The agent that is watched and the coach have settings of their own.
const AgentSettings = (() => {
  const ROLLOUTS = [5, 20, 50, 100];
  const TIMES = [10, 50, 200, 1000]; // milliseconds a move

  // Each setting: its name in questions, its label, and what an agent lets one choose; nothing to choose is left out.
  const FIELDS = [
    { name: "evaluator", label: "Plays by", choices: (agent) => agent.evaluators.map((one) => [one.name, one.title]) },
    {
      name: "rollouts", label: "Games a move",
      choices: (agent) => ROLLOUTS.filter((count) => count <= agent.maximumRollouts).map((count) => [count, count]),
    },
    {
      name: "milliseconds", label: "Time a move",
      choices: (agent) => (agent.maximumMilliseconds === 0 ? [] : [["", "no limit"]]).concat(
        TIMES.filter((time) => time <= agent.maximumMilliseconds).map((time) => [time, timeText(time)])),
    },
  ];

  const timeText = (time) => (time < 1000 ? `${time} ms` : `${time / 1000} s`);
  const kept = (role) => Table.settings[`${role}More`] ?? {};

  // The choice among `choices` that was made, or the first.
  const chosen = (choices, value) => choices.find(([own]) => String(own) === String(value)) ?? choices[0];

  // What there is to choose of an agent: name, label and choices.
  const fieldsOf = (agent) => FIELDS.map(({ name, label, choices }) => [name, label, agent ? choices(agent) : []])
    .filter(([, , choices]) => choices.length > 1);

  // The settings that are put to the server: those that the agent knows.
  const of = (agent, role) => Object.fromEntries(fieldsOf(agent)
    .map(([name, , choices]) => [name, chosen(choices, kept(role)[name])[0]]).filter(([, value]) => value !== ""));

  // Shows a field for each setting of the agent. `onChange` is called when one is chosen.
  function show(agent, role, onChange) {
    const fields = fieldsOf(agent);
    byId(`${role}-more`).hidden = fields.length === 0;
    byId(`${role}-more`).replaceChildren(...fields.map(([name, label, choices]) => {
      const select = element("select", { id: `${role}-${name}` }, ...choices.map(
        ([value, title]) => element("option", { value }, title)));
      [select.value] = chosen(choices, kept(role)[name]);
      select.addEventListener("change", () => {
        const hasFocus = select === document.activeElement;
        Table.set({ [`${role}More`]: { ...kept(role), [name]: select.value } });
        onChange();
        if (hasFocus) byId(`${role}-${name}`)?.focus();
      });
      return element("label", { class: "field" }, element("span", {}, label), select);
    }));
  }

  // What a person is told of the settings, such as " by 4x6, 50 ms a move".
  function text(agent, { evaluator, rollouts, milliseconds }) {
    const by = agent.evaluators.find(({ name }) => name === evaluator);
    return (by ? ` by ${by.title}` : "") + (rollouts ? `, ${plural(rollouts, "game")} a move` : "")
      + (milliseconds ? `, ${timeText(milliseconds)} a move` : "");
  }

  return { of, show, text };
})();
