// The view of the card game Set: its numbers and clock, new games and earlier ones, records, keys.
const SetView = (() => {
  let isShown = false;
  let isOpening = false;
  let opened = false;
  const notice = new NoticeBox("set-notice", ".set-card, .set-actions button");

  async function load() {
    if (isOpening || opened) return;
    isOpening = true;
    opened = (await SetPlay.attempt(SetTable.open)) !== undefined;
    isOpening = false;
  }

  async function open(round, text = "Your game.") {
    const before = { round: SetTable.round, answer: SetTable.answer };
    if (!(await SetPlay.attempt(() => SetTable.replace(round)))) return;
    const offersBack = before.round?.hasStarted && !before.answer.over && before.round.id !== round.id;
    if (offersBack) toast(text, { label: "Back to the last one", run: () => open(before.round, "The game before.") });
  }

  const restart = () => open(new SetRound(), "New game.");

  function back(step) {
    SetWatch.halt();
    return SetPlay.attempt(step);
  }

  function showNumbers() {
    const { round, answer } = SetTable;
    const time = round.isPersons ? clock(round.seconds) : "–";
    texts({ "set-score": answer.score, "set-deck": answer.deck, "set-time": time });
    byId("set-undo").disabled = !round.canUndo;
    byId("set-redo").disabled = !round.canRedo;
  }

  function summary() {
    const { round, answer } = SetTable;
    const left = answer.table.length === 0 ? "no card left" : `${plural(answer.table.length, "card")} left`;
    const time = round.isPersons ? ` in ${clock(round.seconds)}` : "";
    return `${plural(answer.score, "Set")}${time}, ${left}.`;
  }

  function showNotice() {
    const { answer } = SetTable;
    const title = answer.table.length === 0 ? "The table is clear" : "Game over";
    const choices = [
      { label: "New game", run: restart },
      { label: "Same cards again", run: () => open(SetTable.round.again(), "The same cards again.") },
      { label: "Undo", run: undo },
    ];
    notice.show(answer.over ? { title, text: summary(), choices } : null);
  }

  // Only a person's time counts, and only while the table is looked at.
  function tick() {
    const { round, answer } = SetTable;
    if (!isShown || document.hidden || answer === null || SetTable.isAsking || answer.over || !round.isPersons) return;
    SetTable.count("seconds");
    byId("set-time").textContent = clock(round.seconds);
  }
  setInterval(tick, 1000);

  function showPast() {
    const games = SetPast.list().filter((one) => !SetPast.continues(SetTable.round, one));
    byId("set-past-note").hidden = games.length > 0;
    byId("set-past").replaceChildren(...games.map((game) => {
      const round = SetRound.restore(game);
      const sets = Number.isFinite(game.score) ? plural(game.score, "Set") : plural(game.choices.length, "choice");
      const state = game.isOver ? `, ${plural(game.left, "card")} left` : ", not over";
      const about = element("span", {}, `${sets}${state} `,
        element("small", {}, shortened(round.players.join(", ") || "person")));
      return element("li", {}, element(
        "button", { onclick: () => open(round, "An earlier game.") }, about, element("small", {}, dated(game.when))));
    }));
  }

  async function openRecord(file) {
    const error = byId("set-record-error");
    error.textContent = "";
    try {
      if (file.size > 100_000) throw new Error("The file is too large to be a record of Set.");
      const said = await SetLocal.record(await file.text());
      const players = [JSON.parse(said.record.slice(0, said.record.indexOf("\n"))).agent];
      await open(new SetRound({ seed: said.seed, game: said.game, choices: said.choices, players }), "The record.");
    } catch (problem) {
      error.textContent = problem.message;
    }
  }

  const showLetters = () => document.body.classList.toggle("letters", Table.settings.setLetters === true);

  SetTable.onChange(({ kind }) => {
    if (kind === "asking" || kind === "failed") return;
    showNumbers();
    showNotice();
    showPast();
  });
  function save() {
    if (SetTable.answer !== null) download("tupelo-set.txt", SetTable.answer.record);
  }

  const [undo, redo] = [() => back(SetTable.undo), () => back(SetTable.redo)];
  clicks({
    "set-new": restart, "set-undo": undo, "set-redo": redo, "set-save": save,
  });
  onFile("set-open", "set-file", openRecord);
  Table.bind("set-letters", "setLetters", showLetters);
  showLetters();

  return {
    open, restart,
    enter() {
      isShown = true;
      load();
      SetLocal.open();
      SetWatch.enter();
    },
    leave() {
      isShown = false;
      SetWatch.leave();
      SetTable.save();
    },
    move(way) {
      if (SetTable.answer !== null) SetPlay.view.step(way);
      return true;
    },
    command: (key) => obey({
      "?": SetPlay.hint, "+": SetPlay.deal, u: undo, r: redo, n: restart, p: SetWatch.toggle, ".": SetWatch.step,
      " ": () => SetPlay.view.focus(), Escape: SetPlay.clear,
    }, key),
    // Where the focus goes after a click on a button.
    focus: () => SetPlay.view.focus(),
  };
})();
