// The panel of settings: rules, coach, colours, and what the page has loaded. It stands beside the board, and over the
// page where that is too small for both.
const Settings = (() => {
  const panel = byId("settings");
  const button = byId("open-settings");
  const isSmall = matchMedia("(max-width: 860px), (max-height: 520px)");

  function open() {
    if (panel.open) return panel.close();
    showRules();
    App.show();
    panel[isSmall.matches ? "showModal" : "show"]();
    button.setAttribute("aria-expanded", "true");
  }

  // Other rules are the next game's.
  function showRules() {
    const isOther = Bests.rule(Table.settings) !== Bests.rule(Table.game) && Table.game.hasStarted;
    byId("rules-next").hidden = !isOther;
  }

  function restart() {
    Table.restart();
    showRules();
  }

  clicks({ "open-settings": open, "close-settings": () => panel.close(), "rules-restart": restart });
  panel.addEventListener("close", () => button.setAttribute("aria-expanded", "false"));
  // Beside the dialog's content there is only what is around it.
  panel.addEventListener("click", ({ target }) => { if (target === panel) panel.close(); });
  document.addEventListener("keydown", ({ key }) => { if (key === "Escape" && panel.open) panel.close(); });
  isSmall.addEventListener("change", () => panel.close());

  for (const [id, name] of [["odds", "four"], ["start-tiles", "startTiles"]]) {
    Table.bind(id, name, () => {
      if (!Table.game.hasStarted) Table.restart();
      showRules();
    });
  }
  for (const [id, name] of [["coach", "coach"], ["coach-plies", "coachPlies"]]) {
    Table.bind(id, name, () => {
      Agents.show();
      Play.refresh();
    });
  }
})();
