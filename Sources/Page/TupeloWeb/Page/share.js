// Links to positions and games, and pictures of boards. A game is in its link while it fits: its record, deflated.
const Share = (() => {
  const LONGEST = 8000; // letters of a link that messengers still take
  const MOST = 500_000; // characters of a record
  const SIZE = 640; // of a picture, in points

  async function piped(bytes, stream) {
    const parts = [];
    let count = 0;
    for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) return new Blob(parts).arrayBuffer().then((buffer) => new Uint8Array(buffer));
      if ((count += value.length) > MOST) throw new Error("It is too large for a game record.");
      parts.push(value);
    }
  }

  const address = (hash) => new URL(hash, location.href).href;

  async function gameLink(text) {
    const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
    const letters = btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ""));
    return address(`#game=${letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`);
  }

  // The record of a link. An error says why there is none.
  async function read(hash) {
    try {
      const letters = hash.slice("#game=".length).replaceAll("-", "+").replaceAll("_", "/");
      const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
      return new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw")));
    } catch {
      throw new Error("its address is damaged, or only a part of it.");
    }
  }

  // Gives something to the system's share menu where there is one, or does the other thing.
  async function give(data, otherwise) {
    if (!navigator.canShare?.(data)) return otherwise();
    return navigator.share(data).catch((error) => { if (error.name !== "AbortError") otherwise(); });
  }

  const link = (url, text) => give({ text, url }, async () => {
    try {
      await navigator.clipboard.writeText(url);
      toast("The link is copied.");
    } catch {
      toast("The browser does not let the page copy. The link is in the address.");
      location.hash = new URL(url).hash;
    }
  });

  async function game(text, about) {
    const url = await gameLink(text);
    if (url.length <= LONGEST) return link(url, about);
    const file = new File([text], "2048-game.txt", { type: "text/plain" });
    return give({ files: [file], text: about }, () => {
      download(file.name, text);
      toast("The game is too long for a link: its record is saved as a file.");
    });
  }

  function draw(board, score, moves) {
    const canvas = element("canvas", { width: SIZE, height: SIZE + 84 });
    const pen = canvas.getContext("2d");
    const color = (one, name) => getComputedStyle(one).getPropertyValue(name);
    const box = (fill, ...place) => {
      pen.fillStyle = fill;
      pen.beginPath();
      pen.roundRect(...place);
      pen.fill();
    };
    const words = (text, fill, size, x, y, align) => {
      [pen.fillStyle, pen.font, pen.textAlign, pen.textBaseline] = [fill, `700 ${size}px system-ui`, align, "middle"];
      pen.fillText(text, x, y);
    };
    const { children } = byId("palette");
    const ground = getComputedStyle(byId("board")).backgroundColor;
    const cell = getComputedStyle(document.querySelector(".cells i")).backgroundColor;
    box(getComputedStyle(document.body).backgroundColor, 0, 0, SIZE, SIZE + 84, 0);
    const ink = color(document.body, "color");
    words(`${score === null ? "2048" : `${grouped(score)} points`}`, ink, 34, 16, 44, "left");
    words(moves === null ? "tupelo" : plural(moves, "move"), ink, 24, SIZE - 16, 46, "right");
    box(ground, 0, 84, SIZE, SIZE, 16);
    board.forEach((exponent, index) => {
      const [x, y, size] = [16 + (index % 4) * 156, 100 + Math.floor(index / 4) * 156, 140];
      box(exponent === 0 ? cell : color(children[exponent], "--tile"), x, y, size, size, 10);
      const text = String(Rules.tile(exponent));
      if (exponent > 0) {
        words(text, color(children[exponent], "color"), [0, 66, 66, 58, 47, 38, 32][text.length], x + 70, y + 74, "center");
      }
    });
    return new Promise((done) => canvas.toBlob(done));
  }

  async function picture(board, score, moves) {
    const file = new File([await draw(board, score, moves)], `2048-${score ?? Rules.hex(board)}.png`, { type: "image/png" });
    return give({ files: [file] }, () => download(file.name, file));
  }

  return { game, link, picture, read, position: (board) => link(address(`#analyze=${Rules.hex(board)}`), "A position of 2048") };
})();
