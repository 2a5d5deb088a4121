// An agent at the table of Set: it plays on with the game, and all its choices are valued beside the table.
const SetWatch = (() => {
  const choices = new ChoicesView(byId("set-choices"), (cards) => SetPlay.view.mark("shown", cards));
  const running = new Running("set-run");
  let isWatching = false; // whether the agent was the last to choose: then its values are shown unasked
  let isShown = false;
  let isStepping = false;
  let thoughts = 0; // number of the newest question: answers to older ones, of another agent perhaps, are dropped
  let retry = null;
  let stale = null;

  const speed = () => Table.settings.setSpeed; // choices a second
  const isOpen = () => isShown && SetAdvice.isReady && SetTable.answer !== null;

  // Shows the values of this table, if they are wanted; null when there are none or the table has changed meanwhile.
  async function think() {
    clearTimeout(retry);
    clearTimeout(stale);
    const mine = (thoughts += 1);
    const { answer } = SetTable;
    const isNews = () => mine === thoughts && answer === SetTable.answer && !SetTable.isAsking && isShown;
    const isWanted = Table.settings.setValues || isWatching || running.isOn;
    byId("set-choices-card").hidden = !isWanted;
    if (answer === null || !isWanted) {
      choices.clear();
      return null;
    }
    SetPlay.view.mark("chosen", []);
    byId("set-expected").textContent = "–";
    byId("set-choices-error").textContent = "";
    // Values of another table or agent are gone; sooner it would flicker.
    stale = setTimeout(() => {
      choices.clear();
      byId("set-choices-note").textContent = "";
    }, ValuesView.PATIENCE);
    let analysis;
    try {
      analysis = await SetAdvice.of(answer);
    } catch (error) {
      if (!isNews()) return null;
      clearTimeout(stale);
      halt();
      choices.clear();
      byId("set-choices-error").textContent = error.isFinal ? error.message : `${error.message} It is asked again.`;
      if (!error.isFinal) retry = setTimeout(refresh, 2000);
      return null;
    }
    if (!isNews()) return null;
    clearTimeout(stale);
    show(answer, analysis);
    return { answer, choice: answer.stuck ? "deal" : analysis?.best?.join("") ?? null };
  }

  function show(answer, analysis) {
    const { criterion } = SetAdvice.current;
    const note = byId("set-choices-note");
    if (analysis === null) {
      choices.clear();
      if (answer.over) byId("set-expected").textContent = String(answer.score);
      note.textContent = answer.over ? "The game is over." : "No Set on the table: three more cards are dealt.";
      return;
    }
    const names = new Map(answer.table.map(({ card, name }) => [card, name]));
    choices.show(analysis, names, criterion);
    note.textContent = ChoicesView.legend(analysis, criterion);
    SetPlay.view.mark("chosen", analysis.best ?? []);
    const value = analysis.choices[0]?.value;
    byId("set-expected").textContent = value === undefined ? "–" : (answer.score + value).toFixed(2);
  }

  async function choose({ choice }) {
    isWatching = true;
    const made = await SetPlay.attempt(() => SetTable.make(choice, SetAdvice.current.name));
    if (made === undefined) halt();
  }

  async function loop(goesOn) {
    while (goesOn()) {
      const due = performance.now() + 1000 / speed();
      const thought = await think();
      if (!goesOn()) return;
      if (thought === null) {
        await pause(50);
        continue;
      }
      if (thought.choice === null) return halt();
      await pause(Math.max(due - performance.now(), 10));
      if (!goesOn()) return;
      if (thought.answer === SetTable.answer) await choose(thought);
    }
  }

  // Makes the table the agent's; false when there is nothing to play on.
  function take() {
    if (!isOpen()) toast("There is no answer yet.");
    else if (SetTable.answer.over) toast("The game is over.", { label: "New game", run: SetView.restart });
    if (!isOpen() || running.isOn || isStepping || SetTable.isAsking || SetTable.answer.over) return false;
    SetPlay.clear();
    keepPersonsGame();
    return true;
  }

  function start() {
    if (take()) loop(running.begin());
  }

  // A person's game stays the person's: the agent continues with a copy.
  function keepPersonsGame() {
    const { round, answer } = SetTable;
    if (!round.isPersons || !round.canUndo) return;
    SetPast.add(round, answer);
    SetTable.branch();
    const back = () => {
      halt();
      isWatching = false;
      SetView.open(round);
    };
    toast("The agent plays on with a copy of your game.", { label: "Back to your game", run: back });
  }

  function halt() {
    if (running.isOn) running.end();
  }

  function stop() {
    halt();
    refresh();
  }

  const toggle = () => (running.isOn ? stop() : start());

  async function step() {
    halt();
    if (!take()) return;
    isStepping = isWatching = true;
    const thought = await think();
    if (thought !== null && thought.choice !== null) await choose(thought);
    isStepping = false;
  }

  function refresh() {
    if (isOpen() && !running.isOn) think();
  }

  SetTable.onChange(({ kind, player, isOther }) => {
    if (kind === "asking" || kind === "failed") return;
    if (isOther) halt();
    // Whoever finds Sets does not want to be shown them.
    if (player === "person" || kind === "new") isWatching = false;
    if (kind === "new") halt();
    refresh();
  });
  clicks({ "set-run": toggle, "set-step": step });
  Table.bind("set-agent", "setAgent", refresh);
  Table.bind("set-values", "setValues", () => {
    if (!Table.settings.setValues) {
      isWatching = false;
      SetPlay.view.mark("chosen", []);
    }
    refresh();
  });
  Table.bind("set-speed", "setSpeed");

  return {
    toggle, step, refresh, halt,
    get isFast() { return running.isOn && speed() > 2; },
    enter() {
      isShown = true;
      refresh();
    },
    leave() {
      isShown = false;
      halt();
    },
  };
})();
