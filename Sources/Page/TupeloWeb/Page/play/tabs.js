import { Game } from "../core/game.js";
import { Bests, Past, Settings, Store } from "../core/storage.js";

// Keeps the person's game in the browser. Each tab plays its own. The next visit continues the game that was changed
// last, and the games of other tabs are among the earlier games.
export const Tabs = (() => {
  let table = null; // with `game`, and with what it does when another tab has a better score
  let stamp = Store.read("stamp"); // of the stored game as this tab last read or wrote it
  let isDirty = false; // whether this tab has changed the game since
  let saving = null;

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

  addEventListener("pagehide", saveNow);
  document.addEventListener("visibilitychange", () => { if (document.hidden) saveNow(); });
  addEventListener("storage", ({ key }) => {
    if (key !== "tupelo.best") return;
    Bests.merge();
    table.showBest();
  });

  return { restore, save, connect(own) { table = own; } };
})();
