// Where records come from and go to: files, the clipboard, the games that left the table.
const Records = (() => {
  const LARGEST = 500_000; // characters: some 120,000 moves

  async function open(name, size, read) {
    try {
      if (size > LARGEST) throw new Error("The file is too large for a game record.");
      const record = GameText.read(await read());
      GameText.replay(record);
      Replay.load(record, name.startsWith("This link") ? "A game by link" : name, () => Game.from(record));
    } catch (error) {
      byId("record-error").textContent = `${name}: ${error.message}`;
    }
  }

  // The record in the address. Its problems are shown in the same way as those of a file.
  const openLink = () => open("This link has no game", 0, () => Share.read(location.hash));

  const openFile = (file) => open(file.name, file.size, () => file.text());

  // The games that left the table, newest first.
  function list() {
    const past = Past.list();
    byId("past-note").hidden = past.length > 0;
    byId("past").replaceChildren(...past.map((saved) => {
      const about = `${plural(saved.moves, "move")}, tile ${grouped(Rules.tile(saved.largest))}`
        + (saved.isOver ? "" : ", not over");
      const load = () => Replay.load(GameText.read(saved.record), "An earlier game", () => Game.restore(saved));
      return element("li", {}, element(
        "button", { onclick: load }, element("b", {}, grouped(saved.score)), element("span", {}, about),
        element("small", {}, dated(saved.when))));
    }));
  }

  onFile("load-file", "record-file", openFile);
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      if (!Replay.isShown) return;
      event.preventDefault();
      if (name === "drop" && event.dataTransfer.files.length > 0) openFile(event.dataTransfer.files[0]);
    });
  }
  onPaste(() => Replay.isShown, (text) => open("What was pasted", text.length, async () => text));

  return { list, open, openLink };
})();
