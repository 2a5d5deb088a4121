import { Answers, Local } from "../engine/answers.js";
import { byId, element, option, pause, plural } from "../core/text.js";
import { Settings, Site } from "../core/storage.js";

// Settings of an agent besides its plies: its evaluator, the number of rollouts, and the time for a move. The agent of
// Watch and the coach have separate settings.
const AgentSettings = (() => {
  const ROLLOUTS = [5, 20, 50, 100];
  const TIMES = { agent: ["", 10, 50, 200, 1000], coach: [100, 300, 1000] }; // milliseconds a move

  const timeText = (time) => (time === "" ? "no limit" : time < 1000 ? `${time} ms` : `${time / 1000} s`);
  const kept = (role) => Settings.values[`${role}More`] ?? {};

  // The choice among `choices` that was made, or the first.
  const chosen = (choices, value) => choices.find(([own]) => String(own) === String(value)) ?? choices[0];

  // The settings of an agent: the name in questions, the label, and what there is to choose.
  const fieldsOf = ({ evaluators = [], maximumRollouts = 0, maximumMilliseconds = 0 } = {}, role) => [
    ["evaluator", "Plays by", evaluators.map(({ name, title }) => [name, title])],
    ["rollouts", "Games per move", ROLLOUTS.filter((count) => count <= maximumRollouts).map((count) => [count, count])],
    ["milliseconds", "Time per move",
      TIMES[role].filter((time) => time <= maximumMilliseconds).map((time) => [time, timeText(time)])],
  ].filter(([, , choices]) => choices.length > 1);

  // The settings that are put to the server: those that the agent knows.
  const of = (agent, role) => Object.fromEntries(fieldsOf(agent, role)
    .map(([name, , choices]) => [name, chosen(choices, kept(role)[name])[0]]).filter(([, value]) => value !== ""));

  // Shows a field for each setting of the agent. `onChange` is called when one is chosen.
  function show(agent, role, onChange) {
    const fields = fieldsOf(agent, role);
    byId(`${role}-more`).hidden = fields.length === 0;
    byId(`${role}-more`).replaceChildren(...fields.map(([name, label, choices]) => {
      const select = element("select", { id: `${role}-${name}` }, ...choices.map(
        ([value, title]) => element("option", { value }, title)));
      [select.value] = chosen(choices, kept(role)[name]);
      select.addEventListener("change", () => {
        const hasFocus = select === document.activeElement;
        Settings.set({ [`${role}More`]: { ...kept(role), [name]: select.value } });
        onChange();
        if (hasFocus) byId(`${role}-${name}`)?.focus();
      });
      return element("label", { class: "field" }, element("span", {}, label), select);
    }));
  }

  // The settings in words, such as " by 4x6, 50 ms per move".
  function text(agent, { evaluator, rollouts, milliseconds }) {
    const by = agent.evaluators.find(({ name }) => name === evaluator);
    return (by ? ` by ${by.title}` : "") + (rollouts ? `, ${plural(rollouts, "game")} per move` : "")
      + (milliseconds ? `, ${timeText(milliseconds)} per move` : "");
  }

  return { of, show, text };
})();

// The agents on offer. One plays in Watch, and one is the coach everywhere else.
export const Agents = {
  list: [],
  modelName: "",
  onSettings() {}, // after a change of the settings of `agent` or `coach`

  named(name) { return this.list.find((agent) => agent.name === name); },
  get current() { return this.named(Settings.values.agent); },
  get coach() { return this.judges.find(({ name }) => name === Settings.values.coach); },
  // Agents that value every move by a search, as deep as the time allows.
  get judges() {
    return this.list.filter(({ valuesMoves, maximumMilliseconds }) => valuesMoves && maximumMilliseconds > 0);
  },
  get hasValues() { return this.coach !== undefined; },

  get needsValues() {
    return this.list.length === 0 ? "The server has not answered yet." : "No agent here can rate moves.";
  },

  // Returns what the server or site says of itself. Repeats the request, because the server may start after the page.
  async load() {
    let state;
    for (let wait = 1000; !state; wait = Math.min(wait * 2, 10_000)) {
      try {
        state = await Answers.state();
      } catch (error) {
        this.modelName = error.message;
        byId("news-text").textContent = error.message;
        await pause(wait);
      }
    }
    Local.offer(state.local);
    this.list = state.agents;
    this.hasRuns = state.runs;
    if (!this.current) Settings.set({ agent: this.list[0].name, plies: state.plies });
    if (!this.coach) Settings.set({ coach: this.judges[0]?.name ?? null });
    this.reviewPlies = state.plies;
    byId("agent").replaceChildren(...this.list.map(option));
    const [{ usesModel, evaluators, title }] = this.list;
    this.modelName = !usesModel ? "No model loaded"
      : evaluators.length === 0 ? title : `Networks ${evaluators.map((one) => one.title).join(", ")}`;
    for (const id of ["run", "step"]) byId(id).disabled = false;
    this.show();
    return state;
  },

  // Plays and advises by a network of this page, given as a model file, a blob.
  async adopt(file, title) {
    const name = await Local.adopt(file, title);
    if (!this.named(name)) {
      this.list.unshift({
        name, usesModel: true, valuesMoves: true, evaluators: [], maximumPlies: 3, maximumMilliseconds: 1000,
      });
    }
    this.named(name).title = `Network ${title}`;
    byId("agent").replaceChildren(...this.list.map(option));
    this.modelName = title;
    Settings.set({ agent: name, coach: name });
    this.changed("agent");
    this.changed("coach");
  },

  // Plies that an agent takes of those that are wanted: 1 of one that does not search.
  plies: (agent, wanted) => Math.max(Math.min(wanted ?? 2, agent?.maximumPlies ?? 1), 1),

  // The settings for requests to the agent of Watch or to the coach. With a time limit there are no plies.
  question(isCoach) {
    const agent = isCoach ? this.coach : this.current;
    const more = AgentSettings.of(agent, isCoach ? "coach" : "agent");
    const limit = more.milliseconds ? {} : { plies: this.plies(agent, Settings.values.plies) };
    return { agent: agent?.name, ...limit, ...more };
  },

  // The settings for requests to the coach about a game, with another time than the chosen one where that is given.
  coachQuestion(game, milliseconds = null) {
    const question = { ...this.question(true), four: game.four };
    if (milliseconds === null || !question.milliseconds) return question;
    const most = Answers.isHere(question) ? Infinity : this.coach.maximumMilliseconds;
    return { ...question, milliseconds: Math.min(milliseconds, most) };
  },

  // The settings for the first look at a record. A record has thousands of positions, so each is searched to a depth
  // and not for a time.
  recordQuestion({ four = 0.1 } = {}) {
    const { milliseconds, ...question } = this.question(true);
    return { ...question, plies: this.plies(this.coach, this.reviewPlies), four };
  },

  show() {
    const { name, title, maximumPlies, valuesMoves } = this.current;
    const isTimed = this.question(false).milliseconds !== undefined;
    const counts = Array.from({ length: Math.max(maximumPlies, 1) }, (_, index) => index + 1);
    byId("agent").value = name;
    byId("plies").replaceChildren(...(isTimed ? [element("option", {}, "in its time")] : counts.map(
      (count) => element("option", { value: count }, maximumPlies > 0 ? plural(count, "move") : "–"))));
    if (!isTimed) byId("plies").value = this.plies(this.current, Settings.values.plies);
    byId("plies").disabled = maximumPlies === 0 || isTimed;
    byId("coach").replaceChildren(...this.judges.map((one) => option({ ...one, title: this.titleOf(one) })));
    if (this.coach) byId("coach").value = this.coach.name;
    AgentSettings.show(this.current, "agent", () => this.changed("agent"));
    if (this.coach) AgentSettings.show(this.coach, "coach", () => this.changed("coach"));
    const advice = this.list.some((agent) => agent.usesModel) ? ""
      : "No model is loaded. To watch a trained network, start the server with one: tupelo serve MODEL";
    byId("agent-note").textContent = valuesMoves ? advice : `${title}: it cannot rate moves.`;
    byId("coach").parentElement.hidden = !this.hasValues;
    byId("coach-note").textContent = this.hasValues ? "" : this.needsValues;
    byId("show-hints").disabled = !this.hasValues;
    byId("coach-name").textContent = !this.hasValues ? this.needsValues
      : `Judged by ${this.nameOf(this.recordQuestion())}. Choose another coach in the settings.`;
  },

  // A change of the settings of `agent` or `coach` applies at once.
  changed(role) {
    this.show();
    this.onSettings(role);
  },

  // An agent and its settings, for people.
  nameOf({ agent: name, plies, milliseconds, ...more }) {
    const agent = this.named(name);
    const depth = agent.maximumPlies > 0 && plies ? `, ${ahead(plies)}` : "";
    return this.titleOf(agent) + AgentSettings.text(agent, { ...more, milliseconds }) + depth;
  },

  // An agent by the model that answers: on a site the small one does until the larger one is there.
  titleOf: ({ title, usesModel }) => (usesModel && (Site !== null || Local.isFromHere)
    ? `Network ${Local.answering.title || Site.title}` : title),

  // The name of the current player in a game record.
  get player() {
    const { agent, plies, ...more } = this.question(false);
    const words = Object.entries(more).map(([name, value]) => ` ${name}: ${value}`).join("");
    return (this.current.maximumPlies > 0 && plies ? `${agent} ${plies}-ply` : agent) + words;
  },
};

for (const id of ["agent", "plies"]) Settings.bind(id, id, () => Agents.changed("agent"));
Settings.bind("coach", "coach", () => Agents.changed("coach"));

export const ahead = (plies) => `${plural(plies, "move")} ahead`;
