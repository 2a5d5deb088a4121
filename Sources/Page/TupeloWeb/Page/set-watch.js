// An agent at the table of Set: it plays on with the game, and all its choices are valued beside the table.
const SetWatch = (() => {
  const choices = new ChoicesView(byId("set-choices"), (cards) => SetPlay.view.mark("shown", cards));
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  let isRunning = false;
  let run = 0; // number of the run in progress: an older one that still waits for something ends
  let isWatching = false; // whether the agent was the last to choose: then its values are shown unasked
  let isShown = false;
  let isStepping = false;
  let thoughts = 0; // number of the newest question: answers to older ones, of another agent perhaps, are dropped
  let retry = null;
  let stale = null;

  const speed = () => Table.settings.setSpeed ?? 1; // choices a second
  const isOpen = () => isShown && SetAdvice.isReady && SetTable.answer !== null;

  // Shows the values of this table, if they are wanted; null when there are none or the table has changed meanwhile.
  async function think() {
    clearTimeout(retry);
    clearTimeout(stale);
    const mine = (thoughts += 1);
    const { answer } = SetTable;
    const isNews = () => mine === thoughts && answer === SetTable.answer && !SetTable.isAsking && isShown;
    const isWanted = Table.settings.setValues === true || isWatching || isRunning;
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
    try {
      return await SetTable.make(choice, SetAdvice.current.name);
    } catch (error) {
      halt();
      SetPlay.fail(error);
      return false;
    }
  }

  async function loop() {
    const mine = (run += 1);
    const goesOn = () => isRunning && mine === run;
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

  function start() {
    if (!isOpen()) return toast("There is no answer yet.");
    if (isRunning || SetTable.isAsking) return;
    if (SetTable.answer.over) return toast("The game is over.", { label: "New game", run: SetView.restart });
    SetPlay.clear();
    keepPersonsGame();
    isRunning = true;
    showButton();
    loop();
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
    if (!isRunning) return;
    isRunning = false;
    run += 1;
    showButton();
  }

  function stop() {
    halt();
    refresh();
  }

  function showButton() {
    icon(byId("set-run").querySelector("use"), isRunning ? "pause" : "play");
    byId("set-run").lastElementChild.textContent = isRunning ? "Pause" : "Start";
  }

  const toggle = () => (isRunning ? stop() : start());

  async function step() {
    halt();
    if (!isOpen()) return toast("There is no answer yet.");
    if (isStepping || SetTable.isAsking) return;
    if (SetTable.answer.over) return toast("The game is over.", { label: "New game", run: SetView.restart });
    SetPlay.clear();
    isStepping = true;
    keepPersonsGame();
    isWatching = true;
    const thought = await think();
    if (thought !== null && thought.choice !== null) await choose(thought);
    isStepping = false;
  }

  function refresh() {
    if (isOpen() && !isRunning) think();
  }

  SetTable.onChange(({ kind, player, isOther }) => {
    if (kind === "asking" || kind === "failed") return;
    if (isOther) halt();
    // Whoever finds Sets does not want to be shown them.
    if (player === "person" || kind === "new") isWatching = false;
    if (kind === "new") halt();
    refresh();
  });
  byId("set-run").addEventListener("click", toggle);
  byId("set-step").addEventListener("click", step);
  byId("set-agent").addEventListener("change", () => {
    Table.set({ setAgent: byId("set-agent").value });
    refresh();
  });
  byId("set-values").checked = Table.settings.setValues === true;
  byId("set-values").addEventListener("change", () => {
    Table.set({ setValues: byId("set-values").checked });
    if (!byId("set-values").checked) {
      isWatching = false;
      SetPlay.view.mark("chosen", []);
    }
    refresh();
  });
  byId("set-speed").addEventListener("change", () => Table.set({ setSpeed: Number(byId("set-speed").value) }));
  byId("set-speed").value = String(speed());
  if (byId("set-speed").value === "") {
    Table.set({ setSpeed: 1 });
    byId("set-speed").value = "1";
  }

  return {
    toggle, step, refresh, halt,
    get isFast() { return isRunning && speed() > 2; },
    get isRunning() { return isRunning; },
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
