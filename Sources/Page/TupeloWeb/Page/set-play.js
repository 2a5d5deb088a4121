// A person at the table of Set: cards are selected, the third one decides. Hints, three more cards, what is said.
const SetPlay = (() => {
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

  // Asks the engine for something. Why it refuses is told, and the answer is then undefined.
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

  // Whether three cards are a Set says the engine: it has named all Sets on this table.
  function decide(cards) {
    const { table, sets } = SetTable.answer;
    const places = cards.map((card) => table.findIndex((one) => one.card === card)).sort((a, b) => a - b);
    if (sets.some((set) => set.join() === places.join())) take(cards);
    else refuse(cards);
  }

  async function take(cards) {
    if ((await attempt(() => SetTable.make([...cards].join(""), "person"))) === undefined) select([]);
  }

  async function refuse(cards) {
    const { answer } = SetTable;
    isJudging = true;
    byId("set-cards").setAttribute("aria-busy", "true");
    const isNews = () => answer === SetTable.answer;
    const claim = await attempt(() => SetLocal.claim(cards), isNews);
    isJudging = false;
    byId("set-cards").setAttribute("aria-busy", "false");
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
    byId("set-cards").setAttribute("aria-busy", String(what.kind === "asking"));
    if (what.kind === "asking" || what.kind === "failed") return;
    hinted = [];
    clearWrong();
    for (const mark of ["hinted", "chosen", "shown"]) view.mark(mark, []);
    view.show(SetTable.answer.table, { isFast: what.player !== "person" && SetWatch.isFast });
    select([]);
    showCounts();
    announce(what);
    if (what.isOther) toast("The game continues in another tab.");
  });

  clicks({ "set-hint": hint, "set-deal": deal });

  return {
    view, hint, deal, tell, attempt,
    clear() {
      select([]);
      clearWrong();
    },
  };
})();
