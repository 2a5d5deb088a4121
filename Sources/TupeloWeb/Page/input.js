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

  const isText = (element) => element.closest("textarea, select, input:not([type=range], [type=checkbox])") !== null;
  const TAB_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", " ", "Enter"];
  const SLIDER_KEYS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", "Home", "End", "PageUp", "PageDown"];

  // Keys belong to what has the focus when that uses them itself; all others are the view's.
  function usesKey(element, key) {
    if (isText(element)) return true;
    if (element.closest("[type=range]") !== null) return SLIDER_KEYS.includes(key);
    if (element.closest("[role=tab]") !== null) return TAB_KEYS.includes(key);
    return element.closest("button, a, summary, input") !== null && (key === " " || key === "Enter");
  }

  function onKey(handlers) {
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (usesKey(event.target, event.key)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const handled = key in MOVE_KEYS ? handlers.move(MOVE_KEYS[key]) : handlers.command(key);
      if (handled) event.preventDefault();
    });
  }

  // A button or tab that was clicked keeps the focus, and with it the keys that the view promises: the board takes it
  // back, as the view says. Whoever reaches a button by keyboard stays there.
  function afterClicks(takeBack) {
    document.addEventListener("click", (event) => {
      const isPointer = event.detail > 0 && event.pointerType !== "";
      const button = event.target.closest("button");
      if (isPointer && button !== null && !button.matches("[data-keeps-focus]")) takeBack();
    });
  }

  // A swipe counts as soon as it leaves the dead zone, once per touch. Two fingers are the browser's, to zoom.
  function onSwipe(element, move) {
    let start = null;
    element.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary) {
        start = null;
        return;
      }
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

  return { direction, onKey, onSwipe, afterClicks };
})();
