import {
  attempt, byId, clicks, clock, dated, download, element, entry, isShown, obey, onFile, plural, shortened, texts
} from "../core/text.js";
import { Ledger } from "../core/ledger.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";
import { NoticeBox } from "../core/views.js";
import { SetAdvice, SetLocal, SetRound, SetTable } from "./table.js";
import { SetPlay, SetWatch } from "./play.js";

// Which choices of a game of Set lost most, by the values of the chosen agent; and the numbers of all finished games.
(() => {
  const reviewing = new Question("set");

  const tell = (text) => { byId("set-review-note").textContent = text; };
  const parts = (cards) => cards.match(/.{4}/g).sort().join();

  // The losses of the choices; an error when the agent has no values.
  async function read(round, signal) {
    const losses = [];
    for (const [index, choice] of round.choices.entries()) {
      if (choice === "deal") continue;
      tell(`The agent looks at choice ${index + 1} of ${round.choices.length}.`);
      const before = await SetLocal.game({ ...round, choices: round.choices.slice(0, index) });
      const { choices } = await SetAdvice.of(before);
      const own = choices.find(({ cards }) => parts(cards.join("")) === parts(choice));
      signal.throwIfAborted();
      if (own?.difference === undefined) throw new Error("This agent has no values: choose another one.");
      losses.push({ index, loss: own.difference > -0.005 ? 0 : -own.difference });
    }
    return losses;
  }

  async function start() {
    const { round } = SetTable;
    if (round === null || !SetAdvice.isReady) return;
    byId("set-worst").replaceChildren();
    const losses = await reviewing.ask((signal) => read(round, signal)).catch(({ message }) => message);
    if (losses === null) return;
    if (typeof losses === "string") return tell(losses);
    const [lost, worst] = [losses.reduce((sum, { loss }) => sum + loss, 0), losses.filter(({ loss }) => loss > 0)];
    tell(losses.length === 0 ? "No Set was taken yet." : `${losses.length - worst.length} of `
      + `${plural(losses.length, "Set")} were the best choice; ${lost.toFixed(2)} Sets were lost in all.`);
    const before = (index) => new SetRound({ ...round.copy(), choices: round.choices.slice(0, index), undone: [] });
    byId("set-worst").replaceChildren(...worst.sort((a, b) => b.loss - a.loss).slice(0, 5).map(
      ({ index, loss }) => entry(() => SetPlay.open(before(index), "The table before that choice."),
        element("span", {}, `Choice ${index + 1}`), element("b", {}, `−${loss.toFixed(2)}`))));
  }

  // The numbers of games that a person has finished alone.
  Ledger.onChange(() => {
    const { games = 0, total, best, fastest } = Ledger.statistics("set").set ?? {};
    byId("set-statistics").textContent = games === 0 ? ""
      : `${plural(games, "game")} of your own: ${(total / games).toFixed(1)} Sets on average, ${best} at most`
        + `${fastest < Infinity ? `, the fastest in ${clock(fastest)}` : ""}.`;
  });
  clicks({ "set-review": start });
})();

// The view of the card game Set: its numbers and clock, new games and earlier ones, records, keys.
export const SetView = (() => {
  let opening = null; // a promise of the game; null before, and after a failure
  const notice = new NoticeBox("set-notice", ".set-card, .set-actions button");

  async function load() {
    opening ??= SetPlay.attempt(SetTable.open);
    if ((await opening) === undefined) opening = null;
  }

  function showNumbers() {
    const { round, answer } = SetTable;
    const time = round.isPersons ? clock(round.seconds) : "–";
    texts({ "set-score": answer.score, "set-deck": answer.deck, "set-time": time });
    byId("set-undo").disabled = !round.canUndo;
    byId("set-redo").disabled = !round.canRedo;
  }

  function showNotice() {
    const { round, answer: { over, score, table } } = SetTable;
    const [title, left] = table.length === 0 ? ["The table is clear", "no card"]
      : ["Game over", plural(table.length, "card")];
    const text = `${plural(score, "Set")}${round.isPersons ? ` in ${clock(round.seconds)}` : ""}, ${left} left.`;
    const choices = [
      { label: "New game", run: SetPlay.restart },
      { label: "Same cards again", run: () => SetPlay.open(SetTable.round.again(), "The same cards again.") },
      { label: "Undo", run: undo },
    ];
    notice.show(over ? { title, text, choices } : null);
  }

  // Only a person's time counts, and only while the table is looked at.
  function tick() {
    const { round, answer } = SetTable;
    if (!isShown("set") || document.hidden || SetTable.isAsking || !round?.isPersons || answer.over) return;
    SetTable.count("seconds");
    byId("set-time").textContent = clock(round.seconds);
  }
  setInterval(tick, 1000);

  const MOST = 50; // games of the list
  function showPast() {
    if (!isShown("set")) return;
    const games = Ledger.list("set").filter(({ id }) => id !== SetTable.round?.id).slice(0, MOST);
    byId("set-past-note").hidden = games.length > 0;
    byId("set-past").replaceChildren(...games.map((game) => {
      const sets = Number.isFinite(game.score) ? plural(game.score, "Set") : plural(game.choices, "choice");
      const state = game.isOver ? `, ${plural(game.left, "card")} left` : ", not over";
      const players = element("small", {}, shortened(game.players.join(", ") || "person"));
      const about = element("span", {}, `${sets}${state} `, players);
      return entry(() => openPast(game.id), about, element("small", {}, dated(game.when)));
    }));
  }
  Ledger.onChange(showPast);

  const reading = new Question("set");
  async function openPast(id) {
    const round = SetRound.restore(await reading.ask(() => Ledger.saved(id)));
    if (round !== null) SetPlay.open(round, "An earlier game.");
  }

  const openRecord = (file) => attempt("set-record-error", async () => {
    if (file.size > 100_000) throw new Error("The file is too large to be a record of Set.");
    const { seed, game, choices, record } = await SetLocal.record(await file.text());
    const players = [JSON.parse(record.slice(0, record.indexOf("\n"))).agent.slice(0, 200)];
    await SetPlay.open(new SetRound({ seed, game, choices, players, fresh: false }), "The record.");
  });

  for (const show of [showNumbers, showNotice, showPast]) SetTable.onChange(show);
  function save() {
    if (SetTable.answer !== null) download("tupelo-set.txt", SetTable.answer.record);
  }

  const back = (step) => () => {
    SetWatch.halt();
    return SetPlay.attempt(step);
  };
  const [undo, redo] = [back(SetTable.undo), back(SetTable.redo)];
  clicks({ "set-new": SetPlay.restart, "set-undo": undo, "set-redo": redo, "set-save": save });
  onFile("set-open", "set-file", openRecord);
  Settings.bind("set-letters", "setLetters");

  return {
    enter() {
      load();
      this.refresh();
    },
    refresh() {
      showPast();
      SetLocal.open();
      SetWatch.refresh();
    },
    leave() {
      SetWatch.halt();
      SetTable.save();
    },
    move(way) { if (SetTable.answer !== null) SetPlay.view.step(way); },
    command: (key) => obey({
      "?": SetPlay.hint, "+": SetPlay.deal, n: SetPlay.restart, Escape: SetPlay.clear, u: undo, r: redo,
      p: SetWatch.toggle, ".": SetWatch.step, " ": () => SetPlay.view.focus(),
    }, key),
    // After a click on a button, the cards get the focus.
    focus: () => SetPlay.view.focus(),
  };
})();
