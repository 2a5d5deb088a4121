// Who can be asked: the server's list, and what is chosen.
const Agents = {
  list: [],

  get current() { return this.list.find(({ name }) => name === Table.settings.agent); },

  async load() {
    const state = await Server.state();
    this.list = state.agents;
    this.hasRuns = state.runs;
    if (!this.current) Table.set({ agent: state.agents[0].name, plies: state.plies });
    Table.set({ plies: Math.min(Table.settings.plies, Math.max(this.current.maximumPlies, 1)) });
    byId("agent").replaceChildren(...this.list.map(({ name, title }) => element("option", { value: name }, title)));
    byId("model-name").textContent = this.list[0].usesModel ? `Model: ${this.list[0].title}` : "No model loaded";
    this.show();
  },

  show() {
    const { maximumPlies, title, valuesMoves } = this.current;
    const options = Array.from({ length: Math.max(maximumPlies, 1) }, (_, index) =>
      element("option", { value: index + 1 }, maximumPlies > 0 ? plural(index + 1, "move") : "–"));
    byId("agent").value = Table.settings.agent;
    byId("plies").replaceChildren(...options);
    byId("plies").value = Table.settings.plies;
    byId("plies").disabled = maximumPlies === 0;
    const advice = this.list.some((agent) => agent.usesModel) ? ""
      : "No model is loaded. To watch a trained network, start the server with one: tupelo serve MODEL";
    byId("agent-note").textContent = valuesMoves ? advice : `${title}: it has no opinion to show.`;
    byId("coach-note").textContent = this.hasValues ? "" : this.needsValues;
    byId("show-hints").disabled = !this.hasValues;
  },

  // Whether who is asked has an opinion on every move.
  get hasValues() { return this.current?.valuesMoves === true; },

  get needsValues() { return `${this.current?.title ?? "This agent"} has no opinion: choose another agent under Watch.`; },

  // How a game record names who plays now.
  get player() {
    return this.current.maximumPlies > 0 ? `${this.current.name} ${Table.settings.plies}-ply` : this.current.name;
  },
};
