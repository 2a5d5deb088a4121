import { bytesOf } from "../engine/engine.js";
import { orNull } from "../core/text.js";
import { GameText, Rules } from "../core/game.js";

// Replays of 2048 that other sites export. They become records: moves and tiles, without the times.
const [VERSE, NEXT] = ["2048verse", "2048 Next"];
const NEXT_TEXT = /^REPLAY_v1RPL_B64_/;
const MOVES_ALONE = /^[\s,;|"'[\]]*((up|right|down|left|[urdl↑→↓←])[\s,;|"'[\]]*)+$/i;
// The characters of 2048verse: ASCII from the space on, and the first of code page 850 beyond ASCII.
const VERSE_TEXT = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
  + "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá";

const damaged = (site, place) => new Error(`The replay of ${site} is damaged at ${place}.`);
const tileStep = (move, cell, four) => ({ move, cell: cell & 15, exponent: 1 + (four & 1) });

// The first `count` steps are the tiles to start with. The others are played, so that damage is found.
function recordOf(site, steps, count) {
  const start = new Array(16).fill(0);
  for (const { cell, exponent } of steps.splice(0, count)) start[cell] = exponent;
  steps.reduce((board, { move, cell, exponent }, index) => {
    const slid = Rules.slide(board, move);
    if (!slid.changed || slid.board[cell] !== 0) throw damaged(site, `move ${index + 1}`);
    return slid.board.with(cell, exponent);
  }, start);
  return GameText.read(GameText.write({ four: 0.1, start, startTiles: 2, agent: `unknown player (${site})`, steps }));
}

// A character for each tile. The bits of its number are the move, whether the tile is a 4, the column and the row.
const verseRecord = (text) => recordOf(VERSE, [...text].map((letter, index) => {
  const code = VERSE_TEXT.indexOf(letter);
  if (code < 0) throw damaged(VERSE, `character ${index + 1}`);
  return tileStep(code >> 5, 4 * (code & 3) + ((code >> 2) & 3), code >> 4);
}), 2);

const shifted = (sum) => (sum >>> 1) ^ (sum & 1 && 0xedb88320);
const crc32 = (bytes) => ~bytes.reduce((sum, byte) => [1, 2, 3, 4, 5, 6, 7, 8].reduce(shifted, sum ^ byte), -1);

// The format RPL1: a byte for each move and its tile, then a time. Times and lengths are ULEB128.
function nextRecord(bytes) {
  const end = bytes.length - 4;
  const isWhole = end >= 7 && crc32(bytes.subarray(0, end)) === new DataView(bytes.buffer).getInt32(end, true);
  if (!isWhole) throw damaged(NEXT, "its checksum");
  const [shape, hasTime, count] = bytes.subarray(4);
  if (shape !== 0x44) throw new Error(`The replay of ${NEXT} is not of a 4x4 board, which this page shows.`);
  let at = 7;
  const number = (most = 8) => (most > 1 && bytes[at] > 127 ? bytes[at++] - 128 + 128 * number(most - 1) : bytes[at++]);
  if (hasTime & 1) number();
  const steps = [...bytes.subarray(at, at += count)].map((tile) => tileStep(0, tile, tile >> 4));
  while (at < end && bytes[at] !== 0x84) {
    const tag = bytes[at++];
    if (tag > 0x84) throw damaged(NEXT, `byte ${at}`);
    if (tag < 0x80) steps.push(tileStep(tag & 3, tag >> 2, tag >> 6));
    else if (tag < 0x82) steps.splice(Math.max(steps.length - (tag === 0x80 ? 1 : number()), count)); // undone
    const [, length] = tag === 0x83 ? [number(), number()] : [0, tag === 0x82 ? 10 : 0]; // an extension, a board
    at += length;
    if (tag < 0x82) number(); // the time
  }
  return recordOf(NEXT, steps, count);
}

// The record of a text, or of the bytes of a file: its own, or the record of a replay.
export function readRecord(input) {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : new Uint8Array(input);
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith("RPL1")) return nextRecord(bytes);
  if (NEXT_TEXT.test(text)) return nextRecord(orNull(() => bytesOf(text.replace(NEXT_TEXT, ""))) ?? new Uint8Array());
  if (/^(replay_fib_|\d+x\d+-)/.test(text)) throw new Error(`This page reads only the older ${VERSE} replays of 2048.`);
  // Not trimmed: to 2048verse, a space is a tile.
  if (text.startsWith("replay_")) return verseRecord(text.slice(7).replace(/[\r\n]/g, ""));
  if (MOVES_ALONE.test(text)) throw new Error("This list of moves cannot be replayed without the tiles that appeared.");
  return GameText.read(text);
}
