// The rules of 2048 as the engine has them, and boards as text.
// A board is an array of 16 exponents, row by row: 0 empty, 1 = 2, ..., 17 = 131072.
const Rules = (() => {
  const MOVES = ["up", "right", "down", "left"];
  const LETTERS = "urdl";
  const DIGITS = "0123456789abcdefgh";
  const LARGEST = 17;

  const engine = makeEngine(ENGINE_MODULE);

  // Slides all tiles. Says for every tile where it comes from and goes to. When two tiles merge, the one that arrives
  // (farther from the wall) stays, and `absorbed` is the cell of the other.
  const { slide, legalMoves } = engine;
  const isOver = (board) => legalMoves(board).length === 0;
  const tile = (exponent) => (exponent === 0 ? 0 : 2 ** exponent);
  const largest = (board) => Math.max(...board);

  const START = 0xffffffff; // stands for the number of a move
  const seed = () => Math.floor(Math.random() * 2 ** 32);

  // The tile that appears: every empty cell is equally likely, and it is a 4 with probability `four`. It follows from
  // two numbers of 32 bits: for a game with a seed, the seed and the number of the move.
  const draw = (board, four, low = seed(), high = seed()) => engine.draw(board, four, low, high);
  const startBoard = (four, tiles = 2, low = null) =>
    engine.startBoard(four, tiles, low ?? seed(), low === null ? seed() : START);

  const hex = (board) => board.map((exponent) => DIGITS[exponent]).join("");

  // Reads 16 digits, or 16 numbers between any separators. Throws an Error that says what is wrong.
  function parse(text) {
    const trimmed = text.trim();
    if (/^[0-9a-z]*$/i.test(trimmed)) return parseDigits(trimmed.toLowerCase());
    const words = trimmed.split(/[^0-9a-z.+-]+/i).filter((word) => word !== "");
    if (words.length !== 16) throw new Error(`A board has 16 numbers, this has ${words.length}.`);
    return words.map((word, index) => {
      const exponent = word === "0" ? 0 : Math.log2(Number(word));
      if (!/^\d+$/.test(word) || !Number.isInteger(exponent) || exponent < 0 || exponent > LARGEST || word === "1") {
        const shown = word.slice(0, 20);
        throw new Error(`‘${shown}’, number ${index + 1}, is not a tile: use 0 or a power of two from 2 to 131072.`);
      }
      return exponent;
    });
  }

  function parseDigits(text) {
    const exponents = [...text].map((digit, index) => {
      const exponent = DIGITS.indexOf(digit);
      if (exponent < 0) {
        const digits = "use 0 (empty), 1 (2) to f (32768), g, h (131072).";
        throw new Error(`‘${digit}’, character ${index + 1}, is not a tile: ${digits}`);
      }
      return exponent;
    });
    if (exponents.length !== 16) throw new Error(`A board has 16 digits, this has ${exponents.length}.`);
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
