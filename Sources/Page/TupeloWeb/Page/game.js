// One game in progress, with its whole past: what is played, undone and redone, by whom, under which odds.
class Game {
  // `fresh` games count for the best score; one from a board set by hand, or cut from another game, does not. All tiles
  // follow from `seed`, if there is one.
  constructor({ four = 0.1, start = null, startTiles = 2, seed = null } = {}) {
    this.seed = seed;
    this.id = Math.random().toString(36).slice(2);
    this.four = four;
    this.startTiles = startTiles;
    this.fresh = start === null;
    this.positions = [{ board: start ?? Rules.startBoard(four, startTiles, seed), score: 0 }];
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

  // Plays a move and lets a tile appear, which may be known already. What happened, for the view; null when the move is
  // illegal.
  play(move, player, tile = null) {
    const result = Rules.slide(this.board, move);
    if (!result.changed) return null;
    const luck = this.seed === null ? [] : [this.seed, this.steps.length];
    const step = { move, ...(tile ?? Rules.draw(result.board, this.four, ...luck)), player };
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

  // Plays the undone move again, with the same tile: redo does not draw again.
  redo() {
    const step = this.undone.pop();
    const result = step && Rules.slide(this.board, step.move);
    return result?.changed && result.board[step.cell] === 0 ? this.#advance(step, result) : null;
  }

  // Continues from the position after `count` moves, as a game of its own: the earlier moves stay its past, and the
  // later moves can be redone. At the end of a game, the result is that game.
  cut(count, { isCopy = count < this.steps.length } = {}) {
    if (!isCopy) return this;
    this.id = Math.random().toString(36).slice(2);
    this.fresh &&= count === this.steps.length;
    while (this.steps.length > count) {
      this.undone.push(this.steps.pop());
      this.positions.pop();
    }
    this.celebrated = Rules.largest(this.board) >= 11;
    return this;
  }

  // Who played, for the record; undoing is marked there.
  get agent() {
    const players = [...this.players].sort().join(", ") || "person";
    return this.undos === 0 ? players : `${players}, ${this.undos} undone`;
  }

  get text() {
    const { four, startTiles, agent, model, steps } = this;
    return GameText.write({ four, start: this.positions[0].board, startTiles, agent, model, steps });
  }

  get isPersons() { return [...this.players].every((player) => player === "person"); }

  // Why this game does not count for the best score; null when it does.
  get exemption() {
    if (!this.isPersons) return "an agent played";
    if (!this.fresh) return "the board was set";
    if (this.seed !== null) return "the tiles follow from a seed";
    return this.undos > 0 ? "undo was used" : null;
  }

  save() {
    // Verdicts are few: only moves of a person that the coach saw have one.
    const judged = this.steps.flatMap(({ judged: one }, index) =>
      (one ? [[index, one.loss, one.best, one.value]] : []));
    return {
      id: this.id, record: this.text, fresh: this.fresh, undos: this.undos, players: [...this.players],
      celebrated: this.celebrated, seed: this.seed, redo: this.undone, judged,
    };
  }

  // A record's game, to be continued. Its header says who played, and how often was undone.
  static from(record) {
    const game = new Game({ four: record.four, start: record.start, startTiles: record.startTiles });
    const [, players, undos] = /^(.*?)(?:, (\d+) undone)?$/s.exec(record.agent || "unknown player");
    game.positions = GameText.replay(record);
    game.steps = record.steps.map((step) => ({ ...step, player: players }));
    game.model = record.model;
    // Commas inside of parentheses belong to one player: expectimax(plies: 3, cutoff: 0.001).
    game.players = new Set(players.split(/, (?![^(]*\))/));
    game.undos = Number(undos ?? 0);
    game.celebrated = Rules.largest(game.board) >= 11;
    return game;
  }

  // Null when what was saved is not a game: it may be from another version.
  static restore(saved) {
    try {
      const game = Game.from(GameText.read(saved.record));
      game.id = typeof saved.id === "string" ? saved.id : game.id;
      game.steps.forEach((step) => { step.player = "person"; });
      game.fresh = saved.fresh === true;
      game.undos = Number(saved.undos) || 0;
      game.players = new Set((saved.players ?? []).map(String));
      game.celebrated = saved.celebrated === true;
      game.seed = Number.isInteger(saved.seed) ? saved.seed : null;
      game.undone = saved.redo ?? [];
      // Older versions kept no value of the position.
      for (const [index, loss, best, value] of saved.judged ?? []) {
        if (value !== undefined) game.steps[index].judged = { loss, best, value };
      }
      return game;
    } catch {
      return null;
    }
  }
}
