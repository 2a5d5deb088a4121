import { byId, clicks, isShown, pause, plural, Running } from "../core/text.js";
import { Settings } from "../core/storage.js";
import { toast, ValuesView, Voice } from "../core/views.js";
import { Question } from "../core/question.js";
import { Ledger } from "../core/ledger.js";
import { SetAdvice, SetLocal, SetRound, SetTable } from "./table.js";
import { CardsView, ChoicesView } from "./cards.js";

// An agent at the table of Set: it plays on with the game, and all its choices are valued beside the table.
export const SetWatch = (() => {
  const choices = new ChoicesView(byId("set-choices"), (cards) => SetPlay.view.mark("shown", cards));
  const running = new Running("set-run");
  let isWatching = false; // whether the agent was the last to choose: then its values are shown unasked
  let isStepping = false;
  const thinking = new Question("set"); // of this table and agent
  let retry = null;
  let stale = null;

  const speed = () => Settings.values.setSpeed; // choices a second
  const isOpen = () => isShown("set") && SetAdvice.isReady && SetTable.answer !== null;

  // Shows the values of this table, if they are wanted; null when there are none or the table has changed meanwhile.
  async function think() {
    clearTimeout(retry);
    clearTimeout(stale);
    thinking.end();
    const { answer } = SetTable;
    const isNews = () => answer === SetTable.answer && !SetTable.isAsking;
    const isWanted = Settings.values.setValues || isWatching || running.isOn;
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
    // An answer of null is that there is nothing to choose.
    const said = await thinking.ask(async () => [await SetAdvice.of(answer)]).catch((error) => error);
    if (said === null || !isNews()) return null;
    const analysis = Array.isArray(said) ? said[0] : said;
    clearTimeout(stale);
    if (analysis instanceof Error) {
      const { isFinal, message } = analysis;
      halt();
      choices.clear();
      byId("set-choices-error").textContent = isFinal ? message : `${message} Retrying.`;
      if (!isFinal) retry = setTimeout(refresh, 2000);
      return null;
    }
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
    else if (SetTable.answer.over) toast("The game is over.", { label: "New game", run: SetPlay.restart });
    if (!isOpen() || running.isOn || isStepping || SetTable.isAsking || SetTable.answer.over) return false;
    SetPlay.clear();
    keepPersonsGame();
    return true;
  }

  // A person's game stays the person's: the agent continues with a copy.
  function keepPersonsGame() {
    const { round, answer } = SetTable;
    if (!round.isPersons || !round.canUndo) return;
    Ledger.put("set", round, round.about(answer));
    SetTable.branch();
    const back = () => {
      halt();
      isWatching = false;
      SetPlay.open(round);
    };
    toast("The agent plays on with a copy of your game.", { label: "Back to your game", run: back });
  }

  const halt = () => running.end();

  function stop() {
    halt();
    refresh();
  }

  function toggle() {
    if (running.isOn) stop();
    else if (take()) loop(running.begin());
  }

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

  SetTable.onChange(({ kind, player }) => {
    // A person who finds Sets does not want to see them.
    if (player === "person" || kind === "new") isWatching = false;
    if (kind === "new") halt();
    refresh();
  });
  clicks({ "set-run": toggle, "set-step": step });
  Settings.bind("set-agent", "setAgent", refresh);
  Settings.bind("set-values", "setValues", () => {
    if (!Settings.values.setValues) {
      isWatching = false;
      SetPlay.view.mark("chosen", []);
    }
    refresh();
  });
  Settings.bind("set-speed", "setSpeed");

  return {
    toggle, step, halt, refresh,
    get isFast() { return running.isOn && speed() > 2; },
  };
})();

// A game of Set that a person plays: selection of cards, hints, three more cards, messages.
export const SetPlay = (() => {
  const view = new CardsView(byId("set-cards"), pick);
  let selection = [];
  let hinted = []; // the cards that hints have marked, the next one of which a hint adds
  let isJudging = false; // a claim is with the engine
  let wrongTimer = null;

  const nameOf = (card) => SetTable.answer.table.find((one) => one.card === card)?.name ?? card;
  const isCurrent = () => SetTable.answer !== null && !SetTable.isAsking && !isJudging;

  // Says something under the cards and to screen readers. `kind` is found, wrong, error or nothing.
  function tell(text, kind = "", spoken = text) {
    byId("set-message").textContent = text;
    byId("set-message").className = `set-message ${kind}`;
    if (spoken !== "") Voice.say(spoken);
  }

  // Sends a request to the engine. If the engine refuses, the reason is shown and the result is undefined.
  async function attempt(work, isNews = () => true) {
    try {
      return await work();
    } catch (error) {
      if (isNews()) tell(error.message, "error");
      return undefined;
    }
  }

  function pick(card) {
    if (!isCurrent() || SetTable.answer.over) return;
    SetWatch.halt();
    clearWrong();
    selection = selection.includes(card) ? selection.filter((one) => one !== card) : [...selection, card];
    view.press(selection);
    if (selection.length === 3) decide(selection);
    else byId("set-message").textContent = "";
  }

  // The engine decides whether three cards are a Set: it has named all Sets on this table.
  async function decide(cards) {
    const { table, sets } = SetTable.answer;
    const places = cards.map((card) => table.findIndex((one) => one.card === card)).sort((a, b) => a - b);
    if (!sets.some((set) => set.join() === places.join())) return refuse(cards);
    if ((await attempt(() => SetTable.make(cards.join(""), "person"))) === undefined) select([]);
  }

  async function refuse(cards) {
    const { answer } = SetTable;
    isJudging = true;
    SetTable.showBusy(true);
    const isNews = () => answer === SetTable.answer;
    const claim = await attempt(() => SetLocal.claim(cards), isNews);
    isJudging = false;
    SetTable.showBusy(false);
    if (!isNews()) return;
    select([]);
    if (claim === undefined) return;
    count("wrong");
    view.mark("wrong", cards);
    wrongTimer = setTimeout(clearWrong, 1500);
    tell(`No Set: ${claim.faults.join("; ")}.`, "wrong");
  }

  function clearWrong() {
    clearTimeout(wrongTimer);
    view.mark("wrong", []);
  }

  function select(cards) {
    selection = cards;
    view.press(selection);
  }

  async function deal() {
    if (!isCurrent()) return;
    SetWatch.halt();
    const { stuck, over, deck } = SetTable.answer;
    if (over) return tell("The game is over.");
    if (!stuck) {
      if (deck > 0) count("wrong");
      const text = deck === 0 ? "The deck is empty, and there is a Set on the table."
        : "There is a Set on the table: three more are dealt only when there is none.";
      return tell(text, "wrong");
    }
    await attempt(() => SetTable.make("deal", "person"));
  }

  // Each hint shows one more card of the Set that the agent would take.
  async function hint() {
    if (!isCurrent() || !SetAdvice.isReady) return;
    const { answer } = SetTable;
    if (answer.over) return tell("The game is over.");
    if (answer.stuck) {
      count("hints");
      return tell("There is no Set on the table: deal three more.");
    }
    clearWrong();
    if (hinted.length === 3) return tell(`The three cards: ${hinted.map(nameOf).join(", ")}.`);
    const agent = SetAdvice.current;
    const analysis = await attempt(() => SetAdvice.of(answer), () => answer === SetTable.answer);
    const isOld = answer !== SetTable.answer || SetTable.isAsking || SetAdvice.current !== agent;
    if (isOld || analysis === undefined) return;
    const order = answer.table.map(({ card }) => card).filter((card) => analysis.best.includes(card));
    hinted = order.slice(0, hinted.length + 1);
    count("hints");
    view.mark("hinted", hinted);
    const text = ["One card of a Set", "Two cards of a Set", "A Set"][hinted.length - 1];
    tell(`${text}: ${hinted.map(nameOf).join(", ")}.`);
  }

  function count(name) {
    SetTable.count(name);
    SetTable.save();
    showCounts();
  }

  function showCounts() {
    const { wrong, hints, undos } = SetTable.round;
    const notes = [[wrong, "wrong claim"], [hints, "hint"], [undos, "undo"]]
      .flatMap(([count, word]) => (count > 0 ? [plural(count, word)] : []));
    byId("set-note").textContent = notes.join(", ");
  }

  // After a choice: what it was, and what was dealt.
  function announce({ kind, player }) {
    const { last, score, over, deck } = SetTable.answer;
    const isPersons = player === "person";
    const dealt = last?.dealt.length > 0 ? ` New: ${last.dealt.map(({ name }) => name).join(", ")}.` : "";
    if (kind === "take") {
      const text = `A Set: ${last.pattern}.`;
      const cards = last.taken.map(({ name }) => name).join(", ");
      const lead = isPersons ? text : `${SetAdvice.current.title} takes ${cards}.`;
      tell(isPersons ? text : "", "found", "");
      if (!over) Voice.say(`${lead} ${plural(score, "Set")}.${dealt}`, { isUrgent: isPersons });
    } else if (kind === "deal") {
      tell(deck === 0 ? "Three more, the last of the deck." : "Three more cards.", "", `Three more cards.${dealt}`);
    } else {
      byId("set-message").textContent = "";
      const done = { undo: "Undone", redo: "Redone" }[kind];
      if (done !== undefined) Voice.say(`${done}. ${plural(score, "Set")}.`);
      if (kind === "new") Voice.say(`New game. ${SetTable.answer.table.length} cards.`);
    }
  }

  SetTable.onChange((what) => {
    hinted = [];
    clearWrong();
    for (const mark of ["hinted", "chosen", "shown"]) view.mark(mark, []);
    view.show(SetTable.answer.table, { isFast: what.player !== "person" && SetWatch.isFast });
    select([]);
    showCounts();
    announce(what);
  });

  async function open(round, text = "Your game.") {
    const before = { round: SetTable.round, answer: SetTable.answer };
    if (!(await attempt(() => SetTable.replace(round)))) return;
    byId("set-cards").scrollIntoView({ block: "nearest" });
    const isNext = before.answer?.over && text === "New game.";
    const offersBack = before.round?.hasStarted && !isNext && before.round.id !== round.id;
    if (offersBack) toast(text, { label: "Back to the last one", run: () => open(before.round, "The game before.") });
  }

  const restart = () => open(new SetRound(), "New game.");

  clicks({ "set-hint": hint, "set-deal": deal });

  return {
    view, hint, deal, attempt, open, restart,
    clear() {
      select([]);
      clearWrong();
    },
  };
})();
