// The rules of 2048, as TupeloEngine has them; tests compare the two on thousands of boards.
// A board is an array of 16 exponents, row by row: 0 empty, 1 = 2, ..., 17 = 131072.
const Rules = (() => {
  const MOVES = ["up", "right", "down", "left"];
  const LETTERS = "urdl";
  const DIGITS = "0123456789abcdefgh";
  const LARGEST = 17;

  // The cells of line `line`, the one at the wall first.
  const cells = (move, line) =>
    [0, 1, 2, 3].map((place) => {
      const back = move === 1 || move === 2 ? 3 - place : place;
      return move % 2 === 1 ? line * 4 + back : back * 4 + line;
    });
  const LINES = MOVES.map((_, move) => [0, 1, 2, 3].map((line) => cells(move, line)));

  // Slides all tiles. Says for every tile where it comes from and goes to; of two that merge, the one that arrives
  // (farther from the wall) lives on and `absorbed` is the cell of the other. Two tiles of 131072 do not merge.
  function slide(board, move) {
    const next = new Array(16).fill(0);
    const slides = [];
    let reward = 0;
    let changed = false;
    for (const line of LINES[move]) {
      const sources = line.filter((cell) => board[cell] > 0);
      let place = 0;
      for (let index = 0; index < sources.length; index += 1) {
        const to = line[place];
        place += 1;
        const first = sources[index];
        const merges =
          index + 1 < sources.length && board[first] === board[sources[index + 1]] && board[first] < LARGEST;
        if (merges) index += 1;
        const from = sources[index];
        next[to] = board[first] + (merges ? 1 : 0);
        if (merges) reward += 2 ** next[to];
        changed ||= merges || from !== to;
        slides.push({ from, to, absorbed: merges ? first : null, exponent: next[to] });
      }
    }
    return { board: next, reward, changed, slides };
  }

  const isLegal = (board, move) => slide(board, move).changed;
  const legalMoves = (board) => [0, 1, 2, 3].filter((move) => isLegal(board, move));
  const isOver = (board) => legalMoves(board).length === 0;
  const emptyCells = (board) => [...board.keys()].filter((cell) => board[cell] === 0);
  const tile = (exponent) => (exponent === 0 ? 0 : 2 ** exponent);
  const largest = (board) => Math.max(...board);

  // The tile that appears: every empty cell is equally likely, and it is a 4 with probability `four`.
  function draw(board, four, random = Math.random) {
    const empty = emptyCells(board);
    return { cell: empty[Math.floor(random() * empty.length)], exponent: random() < four ? 2 : 1 };
  }

  function startBoard(four, tiles = 2, random = Math.random) {
    const board = new Array(16).fill(0);
    for (let count = 0; count < tiles; count += 1) {
      const { cell, exponent } = draw(board, four, random);
      board[cell] = exponent;
    }
    return board;
  }

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
        throw new Error(`‘${word}’, number ${index + 1}, is not a tile: use 0 or a power of two from 2 to 131072.`);
      }
      return exponent;
    });
  }

  function parseDigits(text) {
    if (text.length !== 16) throw new Error(`A board has 16 digits, this has ${text.length}.`);
    return [...text].map((digit, index) => {
      const exponent = DIGITS.indexOf(digit);
      if (exponent < 0) {
        const digits = "use 0 (empty), 1 (2) to f (32768), g, h (131072).";
        throw new Error(`‘${digit}’, digit ${index + 1}, is not a tile: ${digits}`);
      }
      return exponent;
    });
  }

  return {
    MOVES, LETTERS, LARGEST, slide, isLegal, legalMoves, isOver, emptyCells, tile, largest, draw, startBoard, hex,
    parse,
  };
})();
