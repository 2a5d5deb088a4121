// The board of Analyze as 16 buttons, to place tiles by clicking, touch and keys: a tile is chosen, then its cells.
const Editor = (() => {
  const layer = byId("editor");
  const cells = Array.from({ length: 16 }, (_, cell) => element("button", {
    "data-keeps-focus": true, tabindex: cell === 0 ? 0 : -1, onclick: () => place(cell, chosen),
    onfocus: () => rove(cell),
  }));
  const palette = Array.from({ length: Rules.LARGEST + 1 }, (_, exponent) => element("button", {
    class: "tile", "data-exponent": exponent, "data-keeps-focus": true, "aria-pressed": "false",
    onclick: () => choose(exponent),
  }, exponent === 0 ? "Erase" : String(Rules.tile(exponent))));
  let chosen = 1;
  let isOn = false;
  let at = 0; // the cell that has or had the focus

  layer.append(...cells);
  byId("palette").append(...palette);
  // Or the board would take the pointer for a swipe.
  layer.addEventListener("pointerdown", (event) => event.stopPropagation());

  function rove(cell) {
    at = cell;
    cells.forEach((one, index) => { one.tabIndex = index === cell ? 0 : -1; });
  }

  function choose(exponent) {
    chosen = exponent;
    palette.forEach((one, index) => one.setAttribute("aria-pressed", String(index === exponent)));
  }

  function place(cell, exponent) {
    // Once more on such a tile takes it away.
    const board = Analyze.board.slice();
    board[cell] = board[cell] === exponent ? 0 : Math.min(Math.max(exponent, 0), Rules.LARGEST);
    Analyze.edit(board);
  }

  function show(board) {
    cells.forEach((one, cell) => {
      const tile = board[cell] === 0 ? "empty" : Rules.tile(board[cell]);
      one.setAttribute("aria-label", `Row ${Math.floor(cell / 4) + 1}, column ${(cell % 4) + 1}: ${tile}`);
    });
  }

  function turn(isEditing) {
    isOn = isEditing;
    layer.hidden = !isOn;
    byId("editor-tools").hidden = !isOn;
    byId("edit").setAttribute("aria-pressed", String(isOn));
    byId("edit").textContent = isOn ? "Done" : "Edit the board";
    if (!isOn) return;
    cells[at].focus({ preventScroll: true });
    byId("board").scrollIntoView({ block: "nearest" });
  }

  byId("edit").addEventListener("click", () => turn(!isOn));
  byId("edit-rotate").addEventListener("click", () => {
    Analyze.edit(Analyze.board.map((_, cell) => Analyze.board[(3 - (cell % 4)) * 4 + Math.floor(cell / 4)]));
  });
  byId("edit-clear").addEventListener("click", () => Analyze.edit(new Array(16).fill(0)));
  choose(1);

  return {
    show,
    get isOn() { return isOn; },
    end: () => turn(false),
    // Arrow keys go from cell to cell.
    step(way) {
      const [row, column] = [Math.floor(at / 4) + [-1, 0, 1, 0][way], (at % 4) + [0, 1, 0, -1][way]];
      if (row >= 0 && row < 4 && column >= 0 && column < 4) cells[row * 4 + column].focus({ preventScroll: true });
      return true;
    },
    // Digits place a tile by its power of two, plus and minus change one, a dot or Delete takes it away.
    command(key) {
      const tile = Analyze.board[at];
      const next = key === "+" ? tile + 1 : key === "-" ? Math.max(tile - 1, 0)
        : /^([0-9]|\.|Delete|Backspace)$/.test(key) ? Number(key) || 0 : null;
      if (next !== null && next !== tile) place(at, next);
      return next !== null;
    },
  };
})();
