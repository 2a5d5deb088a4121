import { bytesOf } from "../engine/engine.js";
import { byId, download, element, plural } from "../core/text.js";
import { Rules } from "../core/game.js";
import { DIGIT_SIZES, toast } from "../core/views.js";

// Links to positions and games, and pictures of boards. A game is in its link while it fits: its record, deflated.
export const Share = (() => {
  const LONGEST = 8000; // letters of a link that messengers still take
  const MOST = 500_000; // characters of a record
  const [SIZE, TOP] = [640, 84]; // of a picture, in points: its width, and the place of the numbers

  async function piped(bytes, stream) {
    const parts = [];
    let size = 0;
    for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      if ((size += value.length) > MOST) throw new Error("It is too large.");
    }
  }

  // The record of a link. An error says why there is none.
  async function read(hash) {
    try {
      const letters = hash.slice("#game=".length).replaceAll("-", "+").replaceAll("_", "/");
      return new TextDecoder().decode(await piped(bytesOf(letters), new DecompressionStream("deflate-raw")));
    } catch {
      throw new Error("its address is damaged or incomplete.");
    }
  }

  // Gives something to the system's share menu where there is one, or does the other thing.
  function give(data, otherwise) {
    if (!navigator.canShare?.(data)) return otherwise();
    return navigator.share(data).catch((error) => (error.name === "AbortError" ? null : otherwise()));
  }

  // Copies a text. A browser has no clipboard for a page that came over plain HTTP: there, it does the other thing.
  async function copy(text, done, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return otherwise();
    }
    return done();
  }

  // An address of this machine: others cannot open it, so that `instead` is offered.
  const isOwn = /^(file:|https?:\/\/(localhost|127\.|\[::1\]))/.test(location.href);

  function link(hash, text, instead) {
    const { href } = new URL(hash, location.href);
    const tell = (where) => (isOwn ? toast(`${where} It works on this machine only.`, instead) : toast(where));
    const share = () => copy(href, () => tell("The link is copied."), () => {
      location.hash = hash;
      tell("The link is in the address of this page.");
    });
    return isOwn ? share() : give({ text, url: href }, share);
  }

  async function game(text, about) {
    const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    const letters = btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ""));
    const hash = `#game=${letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
    const file = new File([text], "2048-game.txt", { type: "text/plain" });
    const save = () => download(file.name, file);
    if (hash.length <= LONGEST) return link(hash, about, { label: "Save the record", run: save });
    return give({ files: [file], text: about }, () => {
      save();
      toast("The game is too long for a link: its record is saved as a file.");
    });
  }

  // A board with the colours of the page; `score` and `moves` are null for a board of no game.
  function draw(board, score, moves) {
    const rows = Rules.rows(board);
    const step = (SIZE - 16) / rows[0].length;
    const height = 16 + rows.length * step;
    const canvas = element("canvas", { width: SIZE, height: height + TOP });
    const pen = canvas.getContext("2d");
    const box = (fill, x, y, width, height, radius) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.roundRect(x, y, width, height, radius);
      pen.fill();
    };
    const write = (text, fillStyle, size, x, y, textAlign) => Object.assign(pen, {
      fillStyle, font: `700 ${size}px system-ui`, textAlign, textBaseline: "middle" }).fillText(text, x, y);
    const { color, backgroundColor } = getComputedStyle(document.body);
    box(backgroundColor, 0, 0, SIZE, height + TOP, 0);
    write(score === null ? "2048" : plural(score, "point"), color, 34, 16, 44, "left");
    write(moves === null ? "tupelo" : plural(moves, "move"), color, 24, SIZE - 16, 46, "right");
    box(getComputedStyle(byId("board")).backgroundColor, 0, TOP, SIZE, height, 16);
    rows.forEach((cells, row) => cells.forEach((exponent, column) => {
      const [x, y] = [16 + column * step, TOP + 16 + row * step];
      const tile = byId("palette").children[exponent];
      const ground = exponent === 0 ? document.querySelector(".cells i") : tile;
      box(getComputedStyle(ground).backgroundColor, x, y, step - 16, step - 16, 10);
      const text = exponent === 0 ? "" : tile.textContent;
      const [size, middle] = [DIGIT_SIZES[text.length] * step / 100, step / 2 - 8];
      write(text, getComputedStyle(tile).color, size, x + middle, y + middle + 4, "center");
    }));
    return new Promise((done) => canvas.toBlob(done));
  }

  async function picture(board, score, moves) {
    const name = `2048-${score ?? Rules.hex(board)}.png`;
    const file = new File([await draw(board, score, moves)], name, { type: "image/png" });
    return give({ files: [file] }, () => download(file.name, file));
  }

  // A few words, and the address of the page.
  function words(text) {
    const data = { text, url: new URL(".", location.href).href };
    return give(data, () => copy(`${text} ${data.url}`, () => toast("The text is copied."), () => toast(text)));
  }

  const position = (board) => link(`#analyze=${Rules.hex(board)}`, "A position of 2048", {
    label: "Save a picture", run: () => picture(board, null, null) });

  return { copy, game, link, picture, read, position, words };
})();
