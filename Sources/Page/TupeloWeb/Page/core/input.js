// Keys and swipes, as moves and commands.
export const Input = (() => {
  const MOVE_KEYS = {
    ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3, w: 0, d: 1, s: 2, a: 3, k: 0, l: 1, j: 2, h: 3,
  };
  // Letters that the page names in some view. They are letters, not places on the keyboard.
  const LETTERS = "wasdhjklnurp";
  const DEAD_ZONE = 20; // points

  // The larger axis decides, horizontal when they are equal; null inside the dead zone.
  function direction(dx, dy) {
    if (Math.max(Math.abs(dx), Math.abs(dy)) < DEAD_ZONE) return null;
    if (Math.abs(dx) >= Math.abs(dy)) return dx > 0 ? 1 : 3;
    return dy > 0 ? 2 : 0;
  }

  const isText = (element) => element.closest("textarea, select, input:not([type=range], [type=checkbox])") !== null;
  const TAB_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End", " ", "Enter"];
  const RETURNING_KEYS = /^(Arrow.*|Escape|.)$/u; // a list that a pointer has left gives them to the view
  const SLIDER_KEYS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft", "Home", "End", "PageUp", "PageDown"];

  // Keys belong to what has the focus when that uses them itself; all others are the view's.
  function usesKey(element, key) {
    if (isText(element)) return true;
    if (element.closest("[type=range]") !== null) return SLIDER_KEYS.includes(key);
    if (element.closest("[role=tab]") !== null) return TAB_KEYS.includes(key);
    return element.closest("button, a, summary, input") !== null && (key === " " || key === "Enter");
  }

  let pointed = null; // the list or slider that a pointer has opened or holds

  // A list that a pointer has opened keeps the focus. No event says that it was closed without a change, as by Escape.
  // While it is open, it uses the keys itself.
  function isLeftOver(element) {
    if (element !== pointed || !element.matches("select")) return false;
    return !(CSS.supports("selector(:open)") && element.matches(":open"));
  }

  // The meanings of a key, the likeliest first: its letter, then the letter at its place on a Latin keyboard. The place
  // counts where the letters are of another script, and for W A S D where these letters are elsewhere.
  function meanings({ key, code }) {
    const own = key.length === 1 ? key.toLowerCase() : key;
    const letter = /^Key([A-Z])$/.exec(code)?.[1].toLowerCase();
    if (letter === undefined) return [own];
    const isForeign = !/^[ -~]$/.test(key);
    const isPlace = "wasd".includes(letter) && !LETTERS.includes(own);
    return isForeign || isPlace ? [own, letter] : [own];
  }

  // `takeBack` gives the focus to the board. A dialog over the page has all keys.
  function onKey(handlers, takeBack) {
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || document.querySelector("dialog:modal") !== null) return;
      if (event.ctrlKey || event.metaKey) {
        const isUndo = event.key.toLowerCase() === "z" && !isText(event.target);
        if (isUndo && handlers.command(event.shiftKey ? "r" : "u")) event.preventDefault();
        return;
      }
      const isFreed = isLeftOver(event.target) && RETURNING_KEYS.test(event.key);
      if (isFreed) takeBack();
      else if (usesKey(event.target, event.key)) return;
      const isHandled = meanings(event).some(
        (key) => (Object.hasOwn(MOVE_KEYS, key) ? handlers.move(MOVE_KEYS[key]) : handlers.command(key)));
      if (isHandled || isFreed) event.preventDefault();
    });
  }

  // A button, tab, list or slider that a pointer has used keeps the focus, and with it the keys that the view promises:
  // an arrow key would change the setting again. So the board takes the focus back, as the view says. Whoever reaches a
  // control by keyboard stays there.
  function afterClicks(takeBack) {
    document.addEventListener("click", (event) => {
      const isPointer = event.detail > 0 && event.pointerType !== "";
      const control = event.target.closest("button, input[type=range]");
      if (isPointer && control !== null && !control.matches("[data-keeps-focus]")) takeBack();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      pointed = target.closest("select, input[type=range]");
    });
    document.addEventListener("focusin", ({ target }) => { if (target !== pointed) pointed = null; });
    // Before the list's own listeners, which may replace it.
    document.addEventListener("change", ({ target }) => {
      if (target !== pointed) return;
      pointed = null;
      takeBack();
    }, { capture: true });
  }

  // A swipe counts as soon as it leaves the dead zone, once per touch, and begins on no control. Two fingers are the
  // browser's, to zoom.
  function onSwipe(element, move) {
    let start = null;
    element.addEventListener("pointerdown", (event) => {
      start = null;
      if (!event.isPrimary || event.button !== 0) return;
      if (event.target.closest("button, input, .timeline, #editor-tools")) return;
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

  return { direction, meanings, onKey, onSwipe, afterClicks };
})();
