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

  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

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
        element("small", {}, date.format(saved.when))));
    }));
  }

  byId("load-current").addEventListener("click", Replay.loadCurrent);
  byId("load-file").addEventListener("click", () => byId("record-file").click());
  byId("record-file").addEventListener("change", (event) => {
    const [file] = event.target.files;
    if (file) openFile(file);
    event.target.value = "";
  });
  byId("save-record").addEventListener("click", () => {
    if (Replay.record !== null) download("2048-game.txt", Replay.record.text);
  });
  document.addEventListener("dragover", (event) => { if (Replay.isShown) event.preventDefault(); });
  document.addEventListener("drop", (event) => {
    if (!Replay.isShown) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) openFile(file);
  });
  document.addEventListener("paste", (event) => {
    if (!Replay.isShown || event.target.closest("input, textarea")) return;
    const text = event.clipboardData.getData("text/plain");
    if (text !== "") open("What was pasted", text.length, async () => text);
  });

  return { list, open, openLink };
})();
