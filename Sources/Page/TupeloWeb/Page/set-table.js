// The game of Set on the table, and what the engine says of it. The engine is asked after each choice; until it has
// answered, the table stays as it is and takes no other choice.
const SetTable = (() => {
  const listeners = [];
  let round = null;
  let answer = null; // what the engine says of `round`
  let pending = null; // a round that the engine is asked about
  let asked = 0; // number of the newest question: answers to older ones are dropped
  let stamp = Store.read("set-stamp"); // of the stored game as this tab last read or wrote it
  let isDirty = false; // whether this tab has changed the game since
  let hasCounted = false; // whether only time, hints or mistakes have changed

  // Asks about a round, and makes it the game. False when something newer was asked meanwhile; throws what the engine
  // says when it refuses, and the game stays as it was.
  async function change(next, what) {
    const mine = (asked += 1);
    pending = next;
    for (const listener of listeners) listener({ kind: "asking" });
    const said = await SetLocal.game(next).catch((error) => error);
    if (mine !== asked) return false;
    pending = null;
    if (said instanceof Error) {
      for (const listener of listeners) listener({ kind: "failed" });
      throw said;
    }
    const before = { round, answer };
    round = next;
    answer = said;
    if (what.kind === "new" && before.round !== null && !SetPast.continues(next, before.round)) {
      SetPast.add(before.round, before.answer);
    }
    if (what.kind !== "show") {
      isDirty = true;
      save();
    }
    for (const listener of listeners) listener(what);
    return true;
  }

  function save() {
    const isAlone = Store.read("set-stamp") === stamp;
    // Time that went by is not a reason to overwrite a game that another tab has played.
    if (round === null || !(isDirty || (hasCounted && isAlone))) return;
    isDirty = hasCounted = false;
    if (!isAlone) {
      const other = SetRound.restore(Store.read("set"));
      if (other !== null && !SetPast.continues(round, other)) SetPast.add(other, null);
    }
    stamp = `${Date.now()} ${Math.random()}`;
    Store.write("set", round);
    Store.write("set-stamp", stamp);
  }

  // Continues the game in the state that another tab has left.
  async function takeOver() {
    const newest = Store.read("set-stamp");
    if (newest === stamp || round === null) return;
    const other = SetRound.restore(Store.read("set"));
    if (other === null) return;
    if (!SetPast.continues(other, round)) SetPast.add(round, answer);
    isDirty = hasCounted = false;
    try {
      if (await change(other, { kind: "show", isOther: true })) stamp = newest;
    } catch {
      // The table stays as it is, and what it shows is right.
    }
  }

  // The stored game, or a new one.
  async function open() {
    const stored = Store.read("set");
    const restored = SetRound.restore(stored);
    // A game that cannot be read, of a newer version perhaps, is not written over.
    if (stored !== null && restored === null) Store.write("set-unread", stored);
    if (restored === null) return change(new SetRound(), { kind: "new" });
    try {
      return await change(restored, { kind: "show" });
    } catch (error) {
      if (!(error instanceof Server.Refused)) throw error;
      Store.write("set-unread", stored);
      return change(new SetRound(), { kind: "new" });
    }
  }

  const latest = () => pending ?? round;
  const step = (next, kind) => (next === null ? Promise.resolve(false) : change(next, { kind }));

  addEventListener("pagehide", save);
  document.addEventListener("visibilitychange", () => (document.hidden ? save() : takeOver()));
  addEventListener("storage", ({ key }) => {
    if (key === "tupelo.set-stamp" && !document.hidden) takeOver();
  });

  return {
    open, save,
    // Puts another game on the table. The one before is kept.
    replace: (next) => change(next, { kind: "new" }),
    get round() { return round; },
    get answer() { return answer; },
    get isAsking() { return pending !== null; },
    // A choice by `player`: three cards, or "deal". False while another one is asked about.
    make: (choice, player) => (answer === null || pending !== null ? Promise.resolve(false)
      : change(round.making(choice, player), { kind: choice === "deal" ? "deal" : "take", player })),
    undo: () => step(latest()?.undoing() ?? null, "undo"),
    redo: () => step(latest()?.redoing() ?? null, "redo"),
    // Counts an event of the game that is not a choice: a hint, a wrong claim, a second.
    count(name, by = 1) {
      if (round === null) return;
      round[name] += by;
      hasCounted = true;
    },
    // Continues the game as a new one; the earlier game keeps its identity.
    branch() { round = round.copy(); },
    onChange: (listener) => listeners.push(listener),
  };
})();
