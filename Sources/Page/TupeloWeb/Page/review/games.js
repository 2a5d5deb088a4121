import { byId, clicks, dated, download, element, grouped, plural } from "../core/text.js";
import { Game, GameText, RuleNames, Rules, Verdicts } from "../core/game.js";
import { Ledger } from "../core/ledger.js";
import { toast } from "../core/views.js";
import { Table } from "../play/table.js";
import { Replay } from "./replay.js";

// The view with every game of the person: what became of it, and what can be done with it.
export const GamesView = (() => {
  const MORE = 50; // games at a time
  let isShown = false;
  let count = MORE;

  const own = () => Ledger.list("2048").filter(({ isAgents }) => !isAgents);

  // A game that is no longer there has a message instead.
  async function withGame(id, work) {
    const saved = await Ledger.saved(id);
    if (saved === undefined) return toast("The browser has given up the moves of this game.");
    return work(saved);
  }

  const review = (id) => withGame(id, (saved) => {
    location.hash = "#replay";
    Replay.load(GameText.read(saved.record), "An earlier game", () => Game.restore(saved));
  });

  const goOn = (id) => withGame(id, (saved) => {
    location.hash = "#play";
    Table.replace(Game.restore(saved), "Your earlier game.");
  });

  async function remove(entry) {
    const saved = await Ledger.saved(entry.id);
    await Ledger.remove(entry.id);
    toast("The game is deleted.", { label: "Undo", run: () => Ledger.putBack(entry, saved) });
  }

  function row(entry) {
    const { id, score, largest, moves, isOver, help, day, rule, when, verdicts = {} } = entry;
    const judged = [verdicts.best > 0 ? `${grouped(verdicts.best)} best` : "", Verdicts.count(verdicts)];
    const about = [
      plural(moves, "move"), isOver ? "" : "not over", day ? `game of the day ${day}` : "",
      !rule || rule === RuleNames.USUAL ? "" : RuleNames.text(rule), help ? `with help: ${help}` : "without help",
      judged.filter(Boolean).join(", ")];
    const isHere = id === Table.game.id;
    const button = (text, run, isOff) => element("button", { onclick: run, disabled: isOff }, text);
    return element("li", { class: "game" }, element("b", {}, grouped(score)),
      element("span", {}, `tile ${grouped(Rules.tile(largest))}`, element("small", {}, dated(when))),
      element("small", {}, about.filter(Boolean).join("; ")),
      element("div", { class: "row wrap" }, button("Review", () => review(id)),
        button(isHere ? "On the board" : "Continue", () => goOn(id), isHere),
        button("Delete", () => remove(entry), isHere)));
  }

  function show() {
    if (!isShown) return;
    const games = own();
    byId("games-note").textContent = games.length === 0 ? "Games that you play are listed here."
      : `${plural(games.length, "game")}, kept in this browser alone.`;
    byId("games-export").disabled = games.length === 0;
    byId("games-more").hidden = games.length <= count;
    byId("games-list").replaceChildren(...games.slice(0, count).map(row));
  }

  // All games in one file: their facts and their records.
  async function save() {
    const games = await Promise.all(own().map(async (entry) => (
      { ...entry, record: (await Ledger.saved(entry.id))?.record ?? null })));
    download("tupelo-games.json", JSON.stringify(games, null, 1));
  }

  Ledger.onChange(show);
  clicks({ "games-export": save, "games-more"() {
    count += MORE;
    show();
  } });

  return {
    enter() {
      isShown = true;
      show();
    },
    leave() { isShown = false; },
    refresh: show,
  };
})();
