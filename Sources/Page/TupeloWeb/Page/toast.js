// A short message at the edge of the window, with at most one thing to do. It stays while it is pointed at or has the
// focus; Escape closes it.
const toast = (() => {
  const box = byId("toast");
  const [label, button, close] = box.children;
  let timer = null;
  let time = 0;

  function hide() {
    clearTimeout(timer);
    const hadFocus = box.contains(document.activeElement);
    box.hidden = true;
    if (hadFocus) takeFocusBack();
  }

  function wait() {
    clearTimeout(timer);
    const isHeld = box.matches(":hover") || box.contains(document.activeElement);
    if (!isHeld) timer = setTimeout(hide, time);
  }

  for (const event of ["pointerenter", "pointerleave", "focusin"]) box.addEventListener(event, wait);
  box.addEventListener("focusout", () => setTimeout(wait));
  close.addEventListener("click", hide);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !box.hidden) hide(); });

  return (text, action = null) => {
    label.textContent = text;
    button.textContent = action?.label ?? "";
    button.hidden = action === null;
    button.onclick = () => {
      hide();
      action?.run();
    };
    box.hidden = false;
    time = action ? 12_000 : 5000;
    wait();
  };
})();
