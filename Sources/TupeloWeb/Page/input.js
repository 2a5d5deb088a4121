// Keys and swipes, as moves and commands.
const Input = (() => {
  const MOVE_KEYS = {
    ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3, w: 0, d: 1, s: 2, a: 3, k: 0, l: 1, j: 2, h: 3,
  };
  const DEAD_ZONE = 20; // points

  // The larger axis decides, horizontal when they are equal; null inside the dead zone.
  function direction(dx, dy) {
    if (Math.max(Math.abs(dx), Math.abs(dy)) < DEAD_ZONE) return null;
    if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 ? 1 : 3;
    return dy > 0 ? 2 : 0;
  }

  // Keys belong to what has the focus when that uses them itself.
  const usesKeys = (element, key) =>
    element.closest("input:not([type=checkbox]), textarea, select") !== null ||
    (element.closest("[role=tab]") !== null && key.startsWith("Arrow")) ||
    (element.closest("button, a, summary, input") !== null && (key === " " || key === "Enter"));

  function onKey(handlers) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || usesKeys(event.target, event.key)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const handled = key in MOVE_KEYS ? handlers.move(MOVE_KEYS[key]) : handlers.command(key);
      if (handled) event.preventDefault();
    });
  }

  // A swipe counts as soon as it leaves the dead zone, once per touch.
  function onSwipe(element, move) {
    let start = null;
    element.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
      if (start === null || event.pointerId !== start.id) return;
      const way = direction(event.clientX - start.x, event.clientY - start.y);
      if (way === null) return;
      start = null;
      move(way);
    });
    for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { start = null; });
  }

  return { direction, onKey, onSwipe };
})();
