// The board of Analyze as 16 buttons, to place tiles by clicking, touch and keys: a tile is chosen, then its cells.
const Editor = (() => {
  const layer = byId("editor");
  const list = (count, make) => Array.from({ length: count }, (_, index) => element("button", {
    "data-keeps-focus": true, ...make(index) }));
  const cells = list(16, (cell) => ({ onclick: () => place(cell, chosen), onfocus: () => rove(cell) }));
  const palette = list(Rules.LARGEST + 1, (exponent) => ({
    class: "tile", "data-exponent": exponent, onclick: () => choose(exponent) }));
  let chosen = 1;
  let isOn = false;
  let at = 0; // the cell that has or had the focus

  palette.forEach((one, exponent) => { one.textContent = exponent === 0 ? "Erase" : Rules.tile(exponent); });
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

  // Once more on such a tile takes it away.
  function place(cell, exponent) {
    const { board } = Analyze;
    Analyze.edit(board.with(cell, board[cell] === exponent ? 0 : Math.min(exponent, Rules.LARGEST)));
  }

  function turn(isEditing) {
    isOn = isEditing;
    layer.hidden = byId("editor-tools").hidden = !isOn;
    byId("edit").textContent = isOn ? "Done" : "Edit the board";
    if (!isOn) return;
    cells[at].focus({ preventScroll: true });
    byId("board").scrollIntoView({ block: "nearest" });
  }

  const rotated = (board) => board.map((_, cell) => board[(3 - (cell % 4)) * 4 + Math.floor(cell / 4)]);

  clicks({
    edit: () => turn(!isOn), "edit-rotate": () => Analyze.edit(rotated(Analyze.board)),
    "edit-clear": () => Analyze.edit(new Array(16).fill(0)),
  });
  choose(1);
  rove(0);

  return {
    get isOn() { return isOn; },
    end: () => turn(false),
    show: (board) => cells.forEach((one, cell) => one.setAttribute("aria-label",
      `Row ${Math.floor(cell / 4) + 1}, column ${(cell % 4) + 1}: ${Rules.tile(board[cell]) || "empty"}`)),
    // Arrow keys go from cell to cell.
    step(way) {
      const [row, column] = [Math.floor(at / 4) + [-1, 0, 1, 0][way], (at % 4) + [0, 1, 0, -1][way]];
      if (row >= 0 && row < 4 && column >= 0 && column < 4) cells[row * 4 + column].focus({ preventScroll: true });
      return true;
    },
    // Digits place a tile by its power of two, plus and minus change one, a dot or Delete takes it away.
    command(key) {
      const tile = Analyze.board[at];
      const next = { "+": tile + 1, "-": Math.max(tile - 1, 0), ".": 0, Delete: 0, Backspace: 0 }[key]
        ?? (/^[0-9]$/.test(key) ? Number(key) : null);
      if (next !== null && next !== tile) place(at, next);
      return next !== null;
    },
  };
})();
