import { Game } from "../core/game.js";
import { Bests, Past, Settings, Store } from "../core/storage.js";
import { toast } from "../core/views.js";

// Keeps the game on the table in the browser, and shares it with the other tabs of the page: the tab that is looked at
// continues the newest game.
export const Tabs = (() => {
  let table = null; // with `game`, and with what it does when another tab has written
  let stamp = Store.read("stamp"); // of the stored game as this tab last read or wrote it
  let isDirty = false; // whether this tab has changed the game since
  let saving = null;
  let toldAt = -Infinity; // when it was last said that another tab plays

  // The stored game, or a new one.
  function restore() {
    const stored = Store.read("game");
    const game = Game.restore(stored ?? {});
    if (game !== null) return game;
    // A game that cannot be read, of a newer version perhaps, is not written over.
    if (stored !== null) Store.write("unread", stored);
    isDirty = true;
    return new Game(Settings.values);
  }

  // Writing at every move of fast play would be too much: four times a second is enough, and when the page goes.
  function save() {
    isDirty = true;
    if (saving === null) saving = setTimeout(saveNow, 250);
  }

  function saveNow() {
    clearTimeout(saving);
    saving = null;
    if (!isDirty) return;
    isDirty = false;
    Bests.save();
    // Another tab has written since: what it wrote is not lost.
    if (Store.read("stamp") !== stamp) Past.add(Store.read("game") ?? {});
    stamp = `${Date.now()} ${Math.random()}`;
    Store.write("game", table.game().save());
    Store.write("stamp", stamp);
  }

  // Continues the game in the state that another tab has left.
  function takeOver() {
    const newest = Store.read("stamp");
    if (newest === stamp) return;
    const other = Game.restore(Store.read("game") ?? {});
    if (other === null) return;
    if (isDirty) Past.add(table.game().save());
    clearTimeout(saving);
    saving = null;
    isDirty = false;
    stamp = newest;
    Bests.merge();
    // Once in a while: an agent in the other tab may play on for hours.
    if (performance.now() - toldAt > 60_000) toast("The game continues in another tab.");
    toldAt = performance.now();
    table.continue(other);
  }

  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", () => (document.hidden ? saveNow() : takeOver()));
  addEventListener("storage", ({ key }) => {
    if (key === "tupelo.best") {
      Bests.merge();
      table.showBest();
    }
    if (key === "tupelo.stamp" && !document.hidden) takeOver();
  });

  return { restore, save, connect(own) { table = own; } };
})();
