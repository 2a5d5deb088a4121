// A game of Set as the page keeps it: the seed of its deck and the choices made. What they come to says the engine. A
// round is not changed by what is played: each choice makes a new one. Its counts of time and mistakes go with it.
class SetRound {
  constructor(values = {}) {
    Object.assign(this, {
      id: Math.random().toString(36).slice(2), seed: SetRound.randomSeed(), game: "0", choices: [], undone: [],
      players: [], undos: 0, hints: 0, wrong: 0, seconds: 0,
    }, values);
  }

  static randomSeed() {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return String((BigInt(high) << 32n) | BigInt(low));
  }

  get canUndo() { return this.choices.length > 0; }
  get canRedo() { return this.undone.length > 0; }
  get hasStarted() { return this.canUndo || this.canRedo; }
  get isPersons() { return this.players.every((player) => player === "person"); }

  // Who played, and with what help, for the record.
  get player() {
    const notes = [
      [this.undos, "undone"], [this.hints, this.hints === 1 ? "hint" : "hints"],
    ].flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : []));
    return [...(this.players.length === 0 ? ["person"] : this.players), ...notes].join(", ").slice(0, 200);
  }

  making(choice, player) {
    const players = this.players.includes(player) ? this.players : [...this.players, player].sort();
    return new SetRound({ ...this, choices: [...this.choices, choice], undone: [], players });
  }

  // One choice back or on; null when there is none.
  undoing() {
    if (!this.canUndo) return null;
    const undone = [...this.undone, this.choices[this.choices.length - 1]];
    return new SetRound({ ...this, choices: this.choices.slice(0, -1), undone, undos: this.undos + 1 });
  }

  redoing() {
    if (!this.canRedo) return null;
    const choices = [...this.choices, this.undone[this.undone.length - 1]];
    return new SetRound({ ...this, choices, undone: this.undone.slice(0, -1) });
  }

  // A game with this one's cards, from the start.
  again() { return new SetRound({ seed: this.seed, game: this.game }); }

  // A game of its own that continues from here.
  copy() { return new SetRound({ ...this, id: new SetRound().id }); }

  // Null when what was saved is not a game: it may be from another version, or damaged.
  static restore(saved) {
    const isChoices = (list) => Array.isArray(list) && list.length <= 50
      && list.every((choice) => /^(deal|[0-9a-z]{12})$/.test(choice));
    const isNumber = (text) => typeof text === "string" && /^\d{1,20}$/.test(text);
    if (!isNumber(saved?.seed) || !isNumber(saved.game) || !isChoices(saved.choices)) return null;
    const count = (value) => (Number.isFinite(value) && value >= 0 ? value : 0);
    const { id, seed, game, choices } = saved;
    return new SetRound({
      ...(typeof id === "string" ? { id } : {}), seed, game, choices,
      undone: isChoices(saved.undone) ? saved.undone : [],
      players: Array.isArray(saved.players) ? saved.players.map(String) : [],
      undos: count(saved.undos), hints: count(saved.hints), wrong: count(saved.wrong), seconds: count(saved.seconds),
    });
  }
}
