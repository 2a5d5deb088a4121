// Who plays in Watch, and who is the coach everywhere else: who is on offer, and what is chosen.
const Agents = {
  list: [],
  modelName: "",

  named(name) { return this.list.find((agent) => agent.name === name); },
  get current() { return this.named(Table.settings.agent); },
  get coach() { return this.judges.find(({ name }) => name === Table.settings.coach); },
  // Who has an opinion on every move.
  get judges() { return this.list.filter(({ valuesMoves }) => valuesMoves); },
  get hasValues() { return this.coach !== undefined; },

  get needsValues() {
    return this.list.length === 0 ? "The server has not answered yet." : "No agent here has an opinion on moves.";
  },

  // Asks until the server answers: it may be started after the page.
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
    if (!this.current) Table.set({ agent: this.list[0].name, plies: state.plies });
    if (!this.coach) Table.set({ coach: this.judges[0]?.name ?? null, coachPlies: state.plies });
    byId("agent").replaceChildren(...this.list.map(option));
    byId("coach").replaceChildren(...this.judges.map(option));
    const [{ usesModel, evaluators, title }] = this.list;
    this.modelName = !usesModel ? "No model loaded"
      : evaluators.length === 0 ? title : `Networks ${evaluators.map((one) => one.title).join(", ")}`;
    SetAdvice.load(SetLocal.offer(state.set));
    for (const id of ["run", "step"]) byId(id).disabled = false;
    this.show();
  },

  // Plies that an agent takes of those that are wanted: 1 of one that does not search.
  plies: (agent, wanted) => Math.max(Math.min(wanted ?? 2, agent?.maximumPlies ?? 1), 1),

  // How the agent that is watched, or the coach, is asked. Where time is the limit, plies are none.
  question(isCoach) {
    const agent = isCoach ? this.coach : this.current;
    const { plies, coachPlies } = Table.settings;
    const more = AgentSettings.of(agent, isCoach ? "coach" : "agent");
    const limit = more.milliseconds ? {} : { plies: this.plies(agent, isCoach ? coachPlies : plies) };
    return { agent: agent?.name, ...limit, ...more };
  },

  // How the coach is asked about a record: a position and the list of the worst moves get one and the same answer.
  // There are thousands of positions, so each is searched to the coach's depth, and not for a time.
  get recordQuestion() {
    const { milliseconds, ...question } = this.question(true);
    return { ...question, plies: this.plies(this.coach, Table.settings.coachPlies) };
  },

  show() {
    const { settings } = Table;
    showChoice("agent", "plies", this.current, settings.plies, this.question(false));
    if (this.coach) showChoice("coach", "coach-plies", this.coach, settings.coachPlies, this.question(true));
    this.showSettings();
    const advice = this.list.some((agent) => agent.usesModel) ? ""
      : "No model is loaded. To watch a trained network, start the server with one: tupelo serve MODEL";
    const { valuesMoves, title } = this.current;
    byId("agent-note").textContent = valuesMoves ? advice : `${title}: it has no opinion to show.`;
    byId("coach-choice").hidden = !this.hasValues;
    byId("coach-note").textContent = this.hasValues ? "" : this.needsValues;
    byId("show-hints").disabled = !this.hasValues;
    byId("coach-name").textContent = !this.hasValues ? this.needsValues
      : `Judged by ${this.coachName}. Choose another coach in the settings.`;
  },

  // What can be chosen besides the plies. A choice counts at once in Watch, and where the coach is asked.
  showSettings() {
    const changed = (refresh) => () => {
      this.show();
      refresh();
    };
    AgentSettings.show(this.current, "agent", changed(Watch.refresh));
    if (this.coach) AgentSettings.show(this.coach, "coach", changed(Play.refresh));
  },

  get coachName() { return this.nameOf(this.recordQuestion); },

  // An agent and its settings, for people.
  nameOf({ agent: name, plies, milliseconds, ...more }) {
    const agent = this.named(name);
    const depth = agent.maximumPlies > 0 && plies ? `, ${ahead(plies)}` : "";
    return agent.title + AgentSettings.text(agent, { ...more, milliseconds }) + depth;
  },

  // How a game record names who plays now.
  get player() {
    const { agent, plies, ...more } = this.question(false);
    const words = Object.entries(more).map(([name, value]) => ` ${name}: ${value}`).join("");
    return (this.current.maximumPlies > 0 && plies ? `${agent} ${plies}-ply` : agent) + words;
  },
};

const ahead = (plies) => `${plural(plies, "move")} ahead`;
const option = ({ name, title }) => element("option", { value: name }, title);

function showChoice(id, pliesId, { name, maximumPlies }, plies, { milliseconds }) {
  const counts = Array.from({ length: Math.max(maximumPlies, 1) }, (_, index) => index + 1);
  const isTimed = milliseconds !== undefined;
  byId(id).value = name;
  byId(pliesId).replaceChildren(...(isTimed ? [element("option", {}, "in its time")] : counts.map(
    (count) => element("option", { value: count }, maximumPlies > 0 ? plural(count, "move") : "–"))));
  if (!isTimed) byId(pliesId).value = Agents.plies({ maximumPlies }, plies);
  byId(pliesId).disabled = maximumPlies === 0 || isTimed;
}
