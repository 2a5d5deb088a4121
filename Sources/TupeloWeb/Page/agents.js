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
    byId("model-name").textContent = this.list[0].maximumPlies > 0 ? `Model: ${this.list[0].title}` : "No model loaded";
    this.show();
  },

  show() {
    const { maximumPlies, title } = this.current;
    const options = Array.from({ length: Math.max(maximumPlies, 1) }, (_, index) =>
      element("option", { value: index + 1 }, plural(index + 1, "move")));
    byId("agent").value = Table.settings.agent;
    byId("plies").replaceChildren(...options);
    byId("plies").value = Table.settings.plies;
    byId("plies").disabled = maximumPlies === 0;
    byId("agent-note").textContent = maximumPlies > 0 ? "" : this.list.some((agent) => agent.maximumPlies > 0)
      ? `${title}: it has no opinion to show.`
      : "No model is loaded, so this plays random moves. To watch a learned network, start the server with one: tupelo serve MODEL";
    byId("coach-note").textContent = maximumPlies > 0 ? "" : "The coach needs a model: tupelo serve MODEL";
    byId("show-hints").disabled = maximumPlies === 0;
  },

  // How a game record names who plays now.
  get player() {
    return this.current.maximumPlies > 0 ? `${this.current.name} ${Table.settings.plies}-ply` : this.current.name;
  },
};
