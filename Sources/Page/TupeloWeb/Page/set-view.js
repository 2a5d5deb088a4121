// The view of the card game Set: its numbers and clock, new games and earlier ones, records, keys.
const SetView = (() => {
  let isShown = false;
  let isOpening = false;
  let opened = false;
  let shownNotice = "";

  async function load() {
    if (isOpening || opened) return;
    isOpening = true;
    try {
      await SetTable.open();
      opened = true;
    } catch (error) {
      SetPlay.fail(error);
    }
    isOpening = false;
  }

  async function open(round, text = "Your game.") {
    try {
      const before = { round: SetTable.round, answer: SetTable.answer };
      if (!(await SetTable.replace(round))) return;
      const offersBack = before.round?.hasStarted && !before.answer.over && before.round.id !== round.id;
      if (offersBack) toast(text, { label: "Back to the last one", run: () => open(before.round, "The game before.") });
    } catch (error) {
      SetPlay.fail(error);
    }
  }

  const restart = () => open(new SetRound(), "New game.");

  async function back(step) {
    SetWatch.halt();
    try {
      await step();
    } catch (error) {
      SetPlay.fail(error);
    }
  }

  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  function showNumbers() {
    const { round, answer } = SetTable;
    byId("set-score").textContent = String(answer.score);
    byId("set-deck").textContent = String(answer.deck);
    byId("set-time").textContent = round.isPersons ? clock(round.seconds) : "–";
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
    const text = answer.over ? summary() : "";
    const isNew = text !== shownNotice;
    shownNotice = text;
    byId("set-notice").hidden = !answer.over;
    byId("set-notice-title").textContent = answer.table.length === 0 ? "The table is clear" : "Game over";
    byId("set-notice-text").textContent = text;
    if (text === "" || !isNew) return;
    Voice.say(`${byId("set-notice-title").textContent}. ${text}`);
    const plays = document.activeElement.matches("body, .set-card, .set-actions button");
    if (isShown && plays) byId("set-again").focus({ preventScroll: true });
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
      const when = new Date(Number(game.when) || 0).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
      const button = element("button", {}, element("span", {}, `${sets}${state} `,
        element("small", {}, shortened(round.players.join(", ") || "person"))), element("small", {}, when));
      button.addEventListener("click", () => open(round, "An earlier game."));
      return element("li", {}, button);
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

  function showLetters() {
    document.body.classList.toggle("letters", Table.settings.setLetters === true);
  }

  SetTable.onChange(({ kind }) => {
    if (kind === "asking" || kind === "failed") return;
    showNumbers();
    showNotice();
    showPast();
  });
  byId("set-new").addEventListener("click", restart);
  byId("set-undo").addEventListener("click", () => back(SetTable.undo));
  byId("set-redo").addEventListener("click", () => back(SetTable.redo));
  byId("set-again").addEventListener("click", restart);
  byId("set-same").addEventListener("click", () => open(SetTable.round.again(), "The same cards again."));
  byId("set-back").addEventListener("click", () => back(SetTable.undo));
  byId("set-save").addEventListener("click", () => {
    if (SetTable.answer !== null) download("tupelo-set.txt", SetTable.answer.record);
  });
  byId("set-open").addEventListener("click", () => byId("set-file").click());
  byId("set-file").addEventListener("change", () => {
    const [file] = byId("set-file").files;
    if (file) openRecord(file);
    byId("set-file").value = "";
  });
  byId("set-letters").checked = Table.settings.setLetters === true;
  byId("set-letters").addEventListener("change", () => {
    Table.set({ setLetters: byId("set-letters").checked });
    showLetters();
  });
  showLetters();

  return {
    open, restart,
    enter() {
      isShown = true;
      load();
      SetLocal.begin();
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
    command(key) {
      const commands = {
        "?": SetPlay.hint, "+": SetPlay.deal, u: () => back(SetTable.undo), r: () => back(SetTable.redo), n: restart,
        p: SetWatch.toggle, ".": SetWatch.step, " ": () => SetPlay.view.focus(), Escape: SetPlay.clear,
      };
      return obey(commands, key);
    },
    // Where the focus goes after a click on a button.
    focus: () => SetPlay.view.focus(),
  };
})();
