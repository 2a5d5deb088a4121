import { ENGINE_MODULE, makeEngine } from "../engine/engine.js";
import { grouped, orNull, percent } from "./text.js";

// The rules of 2048 as the engine has them, and boards as text. A board is an array of 16 exponents, row by row: 0
// empty, 1 = 2, ..., 17 = 131072.
export const Rules = (() => {
  const MOVES = ["up", "right", "down", "left"];
  const LETTERS = "urdl";
  const ARROWS = "↑→↓←";
  const DIGITS = "0123456789abcdefgh";
  const LARGEST = 17;
  const WALL = -1; // a cell outside a board smaller than 4x4: so a board says its own shape
  const SHAPES = ["4x4", "3x4", "3x3"]; // rows and columns

  const engine = makeEngine(ENGINE_MODULE);

  // Slides all tiles. Says for every tile where it comes from and goes to. When two tiles merge, the one that arrives
  // (farther from the wall) stays, and `absorbed` is the cell of the other.
  const { slide, legalMoves } = engine;
  const isOver = (board) => legalMoves(board).length === 0;
  const tile = (exponent) => (exponent > 0 ? 2 ** exponent : 0);
  const largest = (board) => Math.max(...board);

  // The rows of a board without its walls.
  const rows = (board) => [0, 4, 8, 12].map((first) => board.slice(first, first + 4).filter((one) => one !== WALL))
    .filter(({ length }) => length > 0);
  const shapeOf = (board) => `${rows(board).length}x${rows(board)[0].length}`;
  const isSmall = (board) => board.includes(WALL);
  // A board of a shape without tiles.
  const empty = ([height, , width]) => Array.from({ length: 16 }, (_, cell) => (
    cell < 4 * height && cell % 4 < width ? 0 : WALL));

  const START = 0xffffffff; // stands for the number of a move
  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];

  // The tile that appears: every empty cell is equally likely, and it is a 4 with probability `four`. It follows from
  // two numbers of 32 bits: for a game with a seed, the seed and the number of the move.
  const draw = (board, four, low = seed(), high = seed()) => engine.draw(board, four, low, high);
  const startBoard = (four, tiles = 2, low = null, shape = "4x4") =>
    engine.startBoard(empty(shape), four, tiles, low ?? seed(), low === null ? seed() : START);

  const hex = (board) => rows(board).flat().map((exponent) => DIGITS[exponent]).join("");

  // Reads a digit for each cell, or numbers between any separators. Throws an Error that says what is wrong.
  function parse(text, shape = "4x4") {
    const board = empty(shape);
    const { length } = rows(board).flat();
    const trimmed = text.trim();
    const isDigits = /^[0-9a-z]*$/i.test(trimmed);
    const words = isDigits ? [...trimmed.toLowerCase()]
      : trimmed.split(/[^0-9a-z.+-]+/i).filter((word) => word !== "");
    const [one, all, usable] = isDigits ? ["character", "digits", "0 (empty), 1 (2) to f (32768), g, h (131072)"]
      : ["number", "numbers", "0 or a power of two from 2 to 131072"];
    const number = (word) => (word === "0" ? 0 : /^\d+$/.test(word) ? Math.log2(Number(word)) || -1 : -1);
    const exponents = words.map(isDigits ? (digit) => DIGITS.indexOf(digit) : number);
    const wrong = exponents.findIndex((exponent) => DIGITS[exponent] === undefined);
    if (wrong >= 0 && (isDigits || words.length === length)) {
      throw new Error(`‘${words[wrong].slice(0, 20)}’, ${one} ${wrong + 1}, is not a tile: use ${usable}.`);
    }
    if (words.length !== length) throw new Error(`A board has ${length} ${all}, this has ${words.length}.`);
    return board.map((cell) => (cell === WALL ? WALL : exponents.shift()));
  }

  // A board that has a tile, as whoever sets one means it.
  function parseTiles(text) {
    const board = parse(text);
    if (largest(board) === 0) throw new Error("A board needs at least one tile.");
    return board;
  }

  return {
    MOVES, LETTERS, ARROWS, LARGEST, SHAPES, slide, legalMoves, isOver, tile, largest, rows, shapeOf, isSmall, seed,
    draw, startBoard, hex, parse, parseTiles,
  };
})();

// The rules of a game as a name, such as `0.1 3 3x4`: games by the same rules are compared with each other.
export const RuleNames = (() => {
  const USUAL = "0.1";
  const ODDS = { 0.1: "mostly 2", 0.5: "2 or 4", 0: "2 only" };

  return {
    USUAL,
    of: ({ four, startTiles, shape }) =>
      four + (startTiles === 2 ? "" : ` ${startTiles}`) + (shape === "4x4" ? "" : ` ${shape}`),
    // For people, such as "Usual rules" or "2 only, 3 tiles at the start".
    text(name) {
      if (name === USUAL) return "Usual rules";
      const [four, ...others] = name.split(" ");
      const words = others.map((one) => `, ${one} ${one.includes("x") ? "board" : "tiles at the start"}`);
      return (ODDS[four] ?? `4 in ${percent(four)}`) + words.join("");
    },
  };
})();

// A board as people type it: what `Rules.parse` reads, and lines of digits, with dots and dashes for empty cells.
export function typedBoard(text) {
  const words = text.trim().split(/\s+/);
  const isEmpty = (word) => /^[.\-_]$/.test(word);
  // Four numbers such as 1024 are also four digits each: they are too few numbers rather than a board.
  const areTiles = words.every((word) => /^\d+$/.test(word) && Number.isInteger(Math.log2(Number(word))));
  const areLines = words.length > 2 && words.every((word) => /^[0-9a-h.\-_]{3,4}$/i.test(word)) && !areTiles;
  if (areLines || words.length === 1) return Rules.parseTiles(words.join("").replace(/[.\-_]/g, "0"));
  return Rules.parseTiles(words.map((word) => (isEmpty(word) ? "0" : word)).join(" "));
}

// The text of a game record: one line of JSON, then steps such as `l52` for "left, then a 2 on cell 5", twenty to a
// line. The same format as GameRecord in TupeloEngine.
export const GameText = (() => {
  const FORMAT = 1;
  const MOST_NAMES = 10_000; // letters of all players
  const NO_HEADER = "The first line is not a record’s header: expected JSON with tupelo_record and start.";

  function write({ four, start, startTiles, agent, model, steps }) {
    const rows = Rules.rows(start);
    const header = {
      agent, columns: rows[0].length, four_probability: four, ...(model ? { model } : {}), rows: rows.length,
      start: Rules.hex(start), start_tiles: startTiles, tupelo_record: FORMAT,
    };
    const tokens = steps.map((step) => Rules.LETTERS[step.move] + step.cell.toString(16) + 2 ** step.exponent);
    const lines = [JSON.stringify(header)];
    for (let index = 0; index < tokens.length; index += 20) lines.push(tokens.slice(index, index + 20).join(" "));
    return lines.join("\n") + "\n";
  }

  function readHeader(line) {
    const header = orNull(() => JSON.parse(line));
    if (typeof header?.tupelo_record !== "number" || typeof header.start !== "string") throw new Error(NO_HEADER);
    if (header.tupelo_record > FORMAT) {
      throw new Error(`The record has format ${header.tupelo_record}; this page reads 1.`);
    }
    if (!Rules.SHAPES.includes(`${header.rows}x${header.columns}`)) {
      throw new Error("The record is not of a 4x4, 3x4 or 3x3 board, which this page shows.");
    }
    if (String(header.agent).length > MOST_NAMES) throw new Error("The record’s agent is too long: shorten it.");
    return header;
  }

  // Throws an Error that says what is wrong. `text` is kept: what is saved again is what was loaded, to the byte.
  function read(text) {
    const end = text.indexOf("\n");
    const header = readHeader(end < 0 ? text : text.slice(0, end));
    const steps = [];
    for (const token of (end < 0 ? "" : text.slice(end + 1)).split(/\s+/)) {
      if (token === "") continue;
      if (!/^[urdl][0-9a-f][24]$/.test(token)) {
        throw new Error(`Step ${steps.length + 1} is ‘${token.slice(0, 20)}’: a step looks like l52.`);
      }
      steps.push({
        move: Rules.LETTERS.indexOf(token[0]), cell: parseInt(token[1], 16), exponent: token[2] === "2" ? 1 : 2,
      });
    }
    const start = Rules.parse(header.start, `${header.rows}x${header.columns}`);
    if (Rules.largest(start) === 0) throw new Error("The record starts with an empty board.");
    const four = header.four_probability ?? 0.1;
    if (!(four >= 0 && four <= 1)) throw new Error("The record’s probability of a 4 is not in 0 to 1.");
    return {
      four: Number(four), startTiles: typeof header.start_tiles === "number" ? header.start_tiles : 2, start,
      agent: String(header.agent ?? ""), model: typeof header.model === "string" ? header.model : null, steps, text,
    };
  }

  // All positions from start to end, one more than there are steps. Throws when a step is impossible.
  function replay({ start, steps }) {
    const positions = [{ board: start, score: 0 }];
    steps.forEach((step, index) => {
      const { board, score } = positions[index];
      const result = Rules.slide(board, step.move);
      if (!result.changed) throw new Error(`Step ${index + 1} moves ${Rules.MOVES[step.move]}, which changes nothing.`);
      if (result.board[step.cell] !== 0) throw new Error(`Step ${index + 1} puts a tile on a taken cell.`);
      result.board[step.cell] = step.exponent;
      positions.push({ board: result.board, score: score + result.reward });
    });
    return positions;
  }

  // The players of a list. A comma inside of parentheses belongs to a name: expectimax(plies: 3, cutoff: 0.001).
  const players = (list) => list.split(/, (?![^(]*\))/);

  return { write, read, replay, players };
})();

// Whether a player's name is that of a person: records of other sites do not say who played.
export const isHuman = (name) => name === "person" || name.startsWith("unknown player");

// One game in progress, with its whole past: what is played, undone and redone, by whom, under which odds.
export class Game {
  // `fresh` games count for the best score; one from a board set by hand, or cut from another game, does not. All tiles
  // follow from `seed`, if there is one.
  constructor({ four = 0.1, start = null, startTiles = 2, seed = null, shape } = {}) {
    this.seed = seed;
    this.id = Math.random().toString(36).slice(2);
    this.four = four;
    this.startTiles = startTiles;
    this.fresh = start === null;
    this.positions = [{ board: start ?? Rules.startBoard(four, startTiles, seed, shape), score: 0 }];
    this.steps = [];
    this.undone = [];
    this.undos = 0;
    this.isChanged = false; // whether another move was made in place of an undone one
    this.hints = 0; // moves that were made while the best one was shown
    this.played = 0; // milliseconds of play: from move to move, without long pauses
    this.moved = null; // when the last move was made; null since the page came
    this.times = []; // exponents of tiles from 256 on that were made, each with the time of play until then
    this.luck = null; // the tiles that appear, where they are those of another game
    this.players = new Set();
    this.celebrated = Rules.largest(this.board) >= 11;
  }

  static LONGEST_PAUSE = 60_000; // milliseconds between two moves that count as play

  // The seed of the day's game, which has the same tiles for everybody. The day is that of UTC.
  static get today() { return Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")); }
  get isDaily() { return this.seed > 20_000_000 && this.seed < 30_000_000 && this.fresh; }

  get board() { return this.positions.at(-1).board; }
  get score() { return this.positions.at(-1).score; }
  get shape() { return Rules.shapeOf(this.board); }
  get isOver() { return Rules.isOver(this.board); }
  get canUndo() { return this.steps.length > 0; }
  get canRedo() { return this.undone.length > 0; }
  get hasStarted() { return this.steps.length > 0 || this.undone.length > 0; }

  // Plays a move and lets a tile appear, which may be known. Returns what happened; null when the move is illegal.
  play(move, player, tile = null) {
    const result = Rules.slide(this.board, move);
    if (!result.changed) return null;
    const luck = this.seed === null ? [] : [this.seed, this.steps.length];
    const drawn = tile ?? this.#luck(result.board) ?? Rules.draw(result.board, this.four, ...luck);
    const step = { move, ...drawn, player };
    this.isChanged ||= this.canRedo;
    this.undone = [];
    return this.#advance(step, result);
  }

  // The tile of the same number in the other game: on its cell, or on the next one that is empty.
  #luck(board) {
    const tile = this.luck?.[this.steps.length];
    if (tile === undefined) return null;
    const cells = board.map((_, index) => (tile.cell + index) % 16);
    return { cell: cells.find((cell) => board[cell] === 0), exponent: tile.exponent };
  }

  #advance(step, result) {
    const board = result.board.slice();
    board[step.cell] = step.exponent;
    const before = this.board;
    const now = Date.now();
    this.played += Math.min(now - (this.moved ?? now), Game.LONGEST_PAUSE);
    this.moved = now;
    const largest = Rules.largest(board);
    const isFirst = largest > Math.max(Rules.largest(before), 7) && !this.times.some(([one]) => one >= largest);
    if (isFirst) this.times.push([largest, this.played]);
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
  cut(count) {
    if (count === this.steps.length) return this;
    this.rename();
    this.fresh = false;
    while (this.steps.length > count) {
      this.undone.push(this.steps.pop());
      this.positions.pop();
    }
    this.celebrated = Rules.largest(this.board) >= 11;
    return this;
  }

  // Makes it another game than the one that was saved.
  rename() {
    this.id = Math.random().toString(36).slice(2);
    return this;
  }

  // Another game with the moves of this one.
  copy() { return Game.restore(this.save()).rename(); }

  // The score that counts for Best.
  get best() { return this.exemption === null ? this.score : 0; }

  // The players and the number of undone moves, for the record.
  get agent() {
    const players = [...this.players].sort().join(", ") || "person";
    return this.undos === 0 ? players : `${players}, ${this.undos} undone`;
  }

  get text() { return GameText.write({ ...this, start: this.positions[0].board, agent: this.agent }); }

  get isPersons() { return [...this.players].every(isHuman); }

  // The reason why this game does not count for Best; null when it counts. Whole games of a person count, without a
  // hint before a move, and without another move in place of an undone one.
  get exemption() {
    return this.help ?? ((this.seed ?? this.luck) === null ? null : "its tiles were fixed in advance");
  }

  // What helped the person in this game; null for nothing.
  get help() {
    if (!this.isPersons) return "an agent played";
    if (!this.fresh) return "it began from a position";
    if (this.isChanged) return "a move was changed by Undo";
    return this.hints > 0 ? "hints were shown" : null;
  }

  // The verdicts of the coach on moves that it has judged.
  get judged() { return this.steps.flatMap((step) => step.judged ?? []); }

  save() {
    const { id, fresh, undos, isChanged, hints, celebrated, seed, undone: redo, played, times, luck } = this;
    const players = [...this.players];
    return {
      id, record: this.text, fresh, undos, isChanged, hints, players, celebrated, seed, redo, played, times, luck };
  }

  // The facts that a list has of this game; null for a game without moves.
  get about() {
    if (!this.hasStarted) return null;
    const { score, isOver, steps, board, help, judged } = this;
    return {
      rule: RuleNames.of(this), score, moves: steps.length, largest: Rules.largest(board), isOver, help,
      counts: this.exemption === null, isAgents: !this.isPersons, ...(this.isDaily ? { day: this.seed } : {}),
      ...(judged.length > 0 ? { verdicts: Verdicts.tally(judged) } : {}),
    };
  }

  // A record's game, to be continued. Its header says who played, and how often was undone.
  static from(record) {
    const game = new Game({ four: record.four, start: record.start, startTiles: record.startTiles });
    const [, players, undos] = /^(.*?)(?:, (\d{1,9}) undone)?$/s.exec(record.agent || "unknown player");
    game.positions = GameText.replay(record);
    game.steps = record.steps.map((step) => ({ ...step, player: players }));
    game.model = record.model;
    game.players = new Set(GameText.players(players));
    game.undos = Number(undos ?? 0);
    game.celebrated = Rules.largest(game.board) >= 11;
    return game;
  }

  // Null when what was saved is not a game: it may be from another version.
  static restore(saved) {
    return orNull(() => {
      const game = Game.from(GameText.read(saved.record));
      const [undos, hints] = [Number(saved.undos) || 0, Number(saved.hints) || 0];
      game.steps.forEach((step) => { step.player = "person"; });
      return Object.assign(game, {
        id: typeof saved.id === "string" ? saved.id : game.id, fresh: saved.fresh === true, undos,
        isChanged: saved.isChanged ?? undos > 0, hints, players: new Set((saved.players ?? []).map(String)),
        celebrated: saved.celebrated === true, seed: Number.isInteger(saved.seed) ? saved.seed : null,
        undone: [...saved.redo ?? []], played: saved.played ?? 0, times: [...saved.times ?? []],
        luck: saved.luck ?? null,
      });
    });
  }
}

// A word for the quality of a move, by its loss as a share of the position's value (the value of the best move). Early
// in a game all moves keep nearly all of the value: there the loss counts as a share of less. The thresholds are
// quantiles of games of several strengths: see TupeloWeb.docc/Page.md and Tests/Measure/verdicts.
export const Verdicts = (() => {
  // `most`: the largest share of each verdict.
  const LIST = [
    { name: "best", many: "best", most: 0 }, { name: "good", many: "good", most: 0.01 },
    { name: "inaccuracy", many: "inaccuracies", most: 0.03 }, { name: "mistake", many: "mistakes", most: 0.08 },
    { name: "blunder", many: "blunders", most: Infinity },
  ];
  const WORST = 0.2; // the share from which on bars are as short as they get
  const LEAST = 100; // points: shares of less than that say nothing
  const [EARLY, PER_TILE] = [20_000, 200]; // points: the largest scale, and what each point on tiles adds to it

  // The points of which a loss on a board with this value is a share.
  const scale = (value, board) => Math.min(Math.max(Math.abs(value), LEAST),
    EARLY + PER_TILE * board.reduce((sum, exponent) => sum + Rules.tile(exponent), 0));
  const share = (loss, points) => Math.min(Math.max(loss / points, 0), 1);
  const of = (loss, points) => LIST.find(({ most }) => share(loss, points) <= most);

  // How long the bar of a move is. A move that loses something never has the bar of the best one.
  const length = (loss, points) => (loss === 0 ? 1 : 0.92 - 0.88 * Math.min(share(loss, points) / WORST, 1));

  // How many moves have each verdict, by its name.
  function tally(verdicts) {
    const sums = {};
    for (const { name } of verdicts) sums[name] = (sums[name] ?? 0) + 1;
    return sums;
  }

  // A tally without the best moves in words, such as "3 good, 1 mistake".
  const count = (sums) => LIST.slice(1).flatMap(({ name, many }) =>
    (sums[name] > 0 ? [`${grouped(sums[name])} ${sums[name] === 1 ? name : many}`] : [])).join(", ");

  // The thresholds for people.
  const words = () => LIST.slice(1).map(({ name, most }, index) => (most === Infinity
    ? `${name} above ${percent(LIST[index].most)}` : `${name} up to ${percent(most)}`)).join(", ");

  // The verdict of an analysis on a move from a board; null when it has no values.
  function on(analysis, move, board) {
    const top = analysis.moves[bestMove(analysis)]?.value;
    const candidate = analysis.moves[move];
    if (top === undefined || !candidate.legal) return null;
    const [loss, points] = [isAsGood(candidate) ? 0 : -candidate.difference, scale(top, board)];
    return { loss, scale: points, best: bestMove(analysis), value: top, plies: analysis.plies, ...of(loss, points) };
  }

  return { LIST, scale, share, of, on, length, tally, count, words };
})();

// Analyses, in the form of `/analyze`: whether moves have values, and the number of the best move.
export const hasValues = (analysis) => analysis.moves.some((move) => move.value !== undefined);
export const bestMove = (analysis) => (analysis.best === undefined ? null : Rules.MOVES.indexOf(analysis.best));

// A score to come is never negative, although an estimate can be.
export const expectation = (value) => grouped(Math.max(value, 0));

// Searches add up in another order and round: a loss of less than a twentieth of a point does not count.
export const isAsGood = (candidate) => candidate.difference > -0.05;

// A loss in points: one digit after the point while it is small.
export const lossText = (loss) => (loss < 9.95 ? loss.toFixed(1) : grouped(loss));
