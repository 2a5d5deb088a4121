// One game in progress, with its whole past: what is played, undone and redone, by whom, under which odds.
class Game {
  // `fresh` games count for the best score; one from a board set by hand does not.
  constructor({ four = 0.1, start = null } = {}) {
    this.four = four;
    this.fresh = start === null;
    this.positions = [{ board: start ?? Rules.startBoard(four), score: 0 }];
    this.steps = [];
    this.undone = [];
    this.undos = 0;
    this.players = new Set();
    this.celebrated = Rules.largest(this.board) >= 11;
  }

  get board() { return this.positions[this.positions.length - 1].board; }
  get score() { return this.positions[this.positions.length - 1].score; }
  get isOver() { return Rules.isOver(this.board); }
  get canUndo() { return this.steps.length > 0; }
  get canRedo() { return this.undone.length > 0; }
  get hasStarted() { return this.steps.length > 0 || this.undone.length > 0; }

  // Plays a move and lets a tile appear. What happened, for the view; null when the move is illegal.
  play(move, player) {
    const result = Rules.slide(this.board, move);
    if (!result.changed) return null;
    const step = { move, ...Rules.draw(result.board, this.four), player };
    this.undone = [];
    return this.#advance(step, result);
  }

  #advance(step, result) {
    const board = result.board.slice();
    board[step.cell] = step.exponent;
    const before = this.board;
    this.positions.push({ board, score: this.score + result.reward });
    this.steps.push(step);
    this.players.add(step.player);
    return { before, board, step, slides: result.slides, reward: result.reward };
  }

  undo() {
    if (!this.canUndo) return false;
    this.undone.push(this.steps.pop());
    this.positions.pop();
    this.undos += 1;
    return true;
  }

  // Brings back what was undone, the same tile included: redo is no second draw.
  redo() {
    const step = this.undone.pop();
    const result = step && Rules.slide(this.board, step.move);
    return result?.changed && result.board[step.cell] === 0 ? this.#advance(step, result) : null;
  }

  // Who played, for the record; undoing is marked there.
  get agent() {
    const players = [...this.players].sort().join(", ") || "person";
    return this.undos === 0 ? players : `${players}, ${this.undos} undone`;
  }

  get text() {
    return GameText.write({ four: this.four, start: this.positions[0].board, agent: this.agent, steps: this.steps });
  }

  get isPersons() { return [...this.players].every((player) => player === "person"); }

  save() {
    return {
      record: this.text, fresh: this.fresh, undos: this.undos, players: [...this.players], celebrated: this.celebrated,
      redo: this.undone,
    };
  }

  // Null when what was saved is not a game: it may be from another version.
  static restore(saved) {
    try {
      const record = GameText.read(saved.record);
      const game = new Game({ four: record.four, start: record.start });
      game.positions = GameText.replay(record);
      game.steps = record.steps.map((step) => ({ ...step, player: "person" }));
      game.fresh = saved.fresh === true;
      game.undos = Number(saved.undos) || 0;
      game.players = new Set((saved.players ?? []).map(String));
      game.celebrated = saved.celebrated === true;
      game.undone = saved.redo ?? [];
      return game;
    } catch {
      return null;
    }
  }
}
