// The rules of 2048 as the engine has them, and boards as text.
// A board is an array of 16 exponents, row by row: 0 empty, 1 = 2, ..., 17 = 131072.
const Rules = (() => {
  const MOVES = ["up", "right", "down", "left"];
  const LETTERS = "urdl";
  const DIGITS = "0123456789abcdefgh";
  const LARGEST = 17;
  const TILES = Array.from({ length: LARGEST + 1 }, (_, exponent) => exponent);

  const engine = makeEngine(ENGINE_MODULE);

  // Slides all tiles. Says for every tile where it comes from and goes to. When two tiles merge, the one that arrives
  // (farther from the wall) stays, and `absorbed` is the cell of the other.
  const { slide, legalMoves } = engine;
  const isOver = (board) => legalMoves(board).length === 0;
  const tile = (exponent) => (exponent === 0 ? 0 : 2 ** exponent);
  const largest = (board) => Math.max(...board);

  const START = 0xffffffff; // stands for the number of a move
  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];

  // The tile that appears: every empty cell is equally likely, and it is a 4 with probability `four`. It follows from
  // two numbers of 32 bits: for a game with a seed, the seed and the number of the move.
  const draw = (board, four, low = seed(), high = seed()) => engine.draw(board, four, low, high);
  const startBoard = (four, tiles = 2, low = null) =>
    engine.startBoard(four, tiles, low ?? seed(), low === null ? seed() : START);

  const hex = (board) => board.map((exponent) => DIGITS[exponent]).join("");

  // Reads 16 digits, or 16 numbers between any separators. Throws an Error that says what is wrong.
  function parse(text) {
    const trimmed = text.trim();
    const isDigits = /^[0-9a-z]*$/i.test(trimmed);
    const words = isDigits ? [...trimmed.toLowerCase()]
      : trimmed.split(/[^0-9a-z.+-]+/i).filter((word) => word !== "");
    const [one, all, usable] = isDigits ? ["character", "digits", "0 (empty), 1 (2) to f (32768), g, h (131072)"]
      : ["number", "numbers", "0 or a power of two from 2 to 131072"];
    const number = (word) => (word === "0" ? 0 : /^\d+$/.test(word) ? Math.log2(Number(word)) || -1 : -1);
    const exponents = words.map(isDigits ? (digit) => DIGITS.indexOf(digit) : number);
    const wrong = exponents.findIndex((exponent) => !TILES.includes(exponent));
    if (wrong >= 0 && (isDigits || words.length === 16)) {
      throw new Error(`‘${words[wrong].slice(0, 20)}’, ${one} ${wrong + 1}, is not a tile: use ${usable}.`);
    }
    if (words.length !== 16) throw new Error(`A board has 16 ${all}, this has ${words.length}.`);
    return exponents;
  }

  // A board that has a tile, as whoever sets one means it.
  function parseTiles(text) {
    const board = parse(text);
    if (largest(board) === 0) throw new Error("A board needs at least one tile.");
    return board;
  }

  return {
    MOVES, LETTERS, LARGEST, slide, legalMoves, isOver, tile, largest, seed, draw, startBoard, hex, parse,
    parseTiles,
  };
})();
