// The text of a game record: one line of JSON, then steps such as `l52` for "left, then a 2 on cell 5", twenty to a
// line. The same format as GameRecord in TupeloEngine.
const GameText = (() => {
  const FORMAT = 1;
  const NO_HEADER = "The first line is not a record’s header: expected JSON with tupelo_record and start.";

  function write({ four, start, startTiles, agent, model, steps }) {
    const header = {
      agent, columns: 4, four_probability: four, ...(model ? { model } : {}), rows: 4, start: Rules.hex(start),
      start_tiles: startTiles, tupelo_record: FORMAT,
    };
    const tokens = steps.map((step) => Rules.LETTERS[step.move] + step.cell.toString(16) + 2 ** step.exponent);
    const lines = [JSON.stringify(header)];
    for (let index = 0; index < tokens.length; index += 20) lines.push(tokens.slice(index, index + 20).join(" "));
    return lines.join("\n") + "\n";
  }

  function readHeader(line) {
    let header;
    try {
      header = JSON.parse(line);
    } catch {
      throw new Error(NO_HEADER);
    }
    if (typeof header?.tupelo_record !== "number" || typeof header.start !== "string") throw new Error(NO_HEADER);
    if (header.tupelo_record > FORMAT) {
      throw new Error(`The record has format ${header.tupelo_record}; this page reads 1.`);
    }
    if (header.rows !== 4 || header.columns !== 4) {
      throw new Error("The record is not of a 4x4 board, which this page shows.");
    }
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
    const start = Rules.parse(header.start);
    if (Rules.largest(start) === 0) throw new Error("The record starts with an empty board.");
    const four = header.four_probability ?? 0.1;
    if (!(four >= 0 && four <= 1)) throw new Error("The record’s probability of a 4 is not in 0 to 1.");
    const number = (value, usual) => (typeof value === "number" ? value : usual);
    return {
      four: Number(four), startTiles: number(header.start_tiles, 2), start,
      agent: String(header.agent ?? ""), model: header.model, steps, text,
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

  return { write, read, replay };
})();
