// A board as people type it: what `Rules.parse` reads, and lines of four digits, with dots and dashes for empty cells.
function typedBoard(text) {
  const words = text.trim().split(/\s+/);
  const isEmpty = (word) => /^[.\-_]$/.test(word);
  // Four numbers such as 1024 are also four digits each: they are too few numbers rather than a board.
  const areTiles = words.every((word) => /^\d+$/.test(word) && Number.isInteger(Math.log2(Number(word))));
  const areLines = words.length === 4 && words.every((word) => /^[0-9a-h.\-_]{4}$/i.test(word)) && !areTiles;
  if (areLines || words.length === 1) return Rules.parseTiles(words.join("").replace(/[.\-_]/g, "0"));
  return Rules.parseTiles(words.map((word) => (isEmpty(word) ? "0" : word)).join(" "));
}
