import { byId, clicks, clock, dated, download, element, obey, onFile, plural, shortened, texts } from "../core/text.js";
import { Settings, Store } from "../core/storage.js";
import { NoticeBox } from "../core/notices.js";
import { SetLocal } from "./local.js";
import { SetAdvice, SetPast, SetRound, SetTable } from "./table.js";
import { SetPlay, SetWatch } from "./play.js";

// Which choices of a game of Set lost most, by the values of the chosen agent; and the numbers of all finished games.
(() => {
  let reviewed = null; // the round whose review is shown

  const tell = (text) => { byId("set-review-note").textContent = text; };
  const parts = (cards) => cards.match(/.{4}/g).sort().join();

  // The losses of the choices; null when the agent has no values, or another review has begun.
  async function read(round) {
    const losses = [];
    for (const [index, choice] of round.choices.entries()) {
      if (choice === "deal") continue;
      tell(`The agent looks at choice ${index + 1} of ${round.choices.length}.`);
      const before = await SetLocal.game({ ...round, choices: round.choices.slice(0, index) });
      const { choices } = await SetAdvice.of(before);
      const own = choices.find(({ cards }) => parts(cards.join("")) === parts(choice));
      if (reviewed !== round || own?.difference === undefined) return null;
      losses.push({ index, loss: own.difference > -0.005 ? 0 : -own.difference });
    }
    return losses;
  }

  async function start() {
    const { round } = SetTable;
    if (round === null || !SetAdvice.isReady) return;
    reviewed = round;
    byId("set-worst").replaceChildren();
    const losses = await read(round).catch(({ message }) => message);
    if (reviewed !== round) return;
    if (typeof losses === "string") return tell(losses);
    if (losses === null) return tell("This agent has no values: choose another one.");
    const [lost, worst] = [losses.reduce((sum, { loss }) => sum + loss, 0), losses.filter(({ loss }) => loss > 0)];
    tell(losses.length === 0 ? "No Set was taken yet." : `${losses.length - worst.length} of `
      + `${plural(losses.length, "Set")} were the best choice; ${lost.toFixed(2)} Sets were lost in all.`);
    const before = (index) => new SetRound({ ...round.copy(), choices: round.choices.slice(0, index), undone: [] });
    byId("set-worst").replaceChildren(...worst.sort((a, b) => b.loss - a.loss).slice(0, 5).map(
      ({ index, loss }) => element("li", {}, element("button", {
        onclick: () => SetPlay.open(before(index), "The table before that choice."),
      }, element("span", {}, `Choice ${index + 1}`), element("b", {}, `−${loss.toFixed(2)}`)))));
  }

  // Finished games that a person played alone; one that is finished again after an undo counts once.
  function count({ round, answer }) {
    const kept = { games: 0, sets: 0, most: 0, fastest: 1e9, last: "", ...(Store.read("set-statistics") ?? {}) };
    if (answer.over && round.isPersons && round.hasStarted && kept.last !== round.id) {
      [kept.games, kept.sets, kept.last] = [kept.games + 1, kept.sets + answer.score, round.id];
      [kept.most, kept.fastest] = [Math.max(kept.most, answer.score), Math.min(kept.fastest, round.seconds)];
      Store.write("set-statistics", kept);
    }
    byId("set-statistics").textContent = kept.games === 0 ? ""
      : `${plural(kept.games, "game")} of your own: ${(kept.sets / kept.games).toFixed(1)} Sets on average, `
        + `${kept.most} at most, the fastest in ${clock(kept.fastest)}.`;
  }

  SetTable.onChange(({ kind }) => { if (kind !== "asking" && kind !== "failed") count(SetTable); });
  clicks({ "set-review": start });
})();

// The view of the card game Set: its numbers and clock, new games and earlier ones, records, keys.
export const SetView = (() => {
  let isShown = false;
  let isOpening = false;
  let opened = false;
  const notice = new NoticeBox("set-notice", ".set-card, .set-actions button");

  async function load() {
    if (isOpening || opened) return;
    isOpening = true;
    opened = (await SetPlay.attempt(SetTable.open)) !== undefined;
    isOpening = false;
  }

  function back(step) {
    SetWatch.halt();
    return SetPlay.attempt(step);
  }

  function showNumbers() {
    const { round, answer } = SetTable;
    const time = round.isPersons ? clock(round.seconds) : "–";
    texts({ "set-score": answer.score, "set-deck": answer.deck, "set-time": time });
    byId("set-undo").disabled = !round.canUndo;
    byId("set-redo").disabled = !round.canRedo;
  }

  function summary() {
    const { round, answer } = SetTable;
    const left = answer.table.length === 0 ? "no card left" : `${plural(answer.table.length, "card")} left`;
    const time = round.isPersons ? ` in ${clock(round.seconds)}` : "";
    return `${plural(answer.score, "Set")}${time}, ${left}.`;
  }

  function showNotice() {
    const { answer } = SetTable;
    const title = answer.table.length === 0 ? "The table is clear" : "Game over";
    const choices = [
      { label: "New game", run: SetPlay.restart },
      { label: "Same cards again", run: () => SetPlay.open(SetTable.round.again(), "The same cards again.") },
      { label: "Undo", run: undo },
    ];
    notice.show(answer.over ? { title, text: summary(), choices } : null);
  }

  // Only a person's time counts, and only while the table is looked at.
  function tick() {
    const { round, answer } = SetTable;
    if (!isShown || document.hidden || answer === null || SetTable.isAsking || answer.over || !round.isPersons) return;
    SetTable.count("seconds");
    byId("set-time").textContent = clock(round.seconds);
  }
  setInterval(tick, 1000);

  function showPast() {
    const games = SetPast.list().filter((one) => !SetPast.continues(SetTable.round, one));
    byId("set-past-note").hidden = games.length > 0;
    byId("set-past").replaceChildren(...games.map((game) => {
      const round = SetRound.restore(game);
      const sets = Number.isFinite(game.score) ? plural(game.score, "Set") : plural(game.choices.length, "choice");
      const state = game.isOver ? `, ${plural(game.left, "card")} left` : ", not over";
      const about = element("span", {}, `${sets}${state} `,
        element("small", {}, shortened(round.players.join(", ") || "person")));
      return element("li", {}, element("button", { onclick: () => SetPlay.open(round, "An earlier game.") }, about,
        element("small", {}, dated(game.when))));
    }));
  }

  async function openRecord(file) {
    const error = byId("set-record-error");
    error.textContent = "";
    try {
      if (file.size > 100_000) throw new Error("The file is too large to be a record of Set.");
      const said = await SetLocal.record(await file.text());
      const players = [JSON.parse(said.record.slice(0, said.record.indexOf("\n"))).agent];
      const { seed, game, choices } = said;
      await SetPlay.open(new SetRound({ seed, game, choices, players }), "The record.");
    } catch (problem) {
      error.textContent = problem.message;
    }
  }

  const showLetters = () => document.body.classList.toggle("letters", Settings.values.setLetters === true);

  SetTable.onChange(({ kind }) => {
    if (kind === "asking" || kind === "failed") return;
    showNumbers();
    showNotice();
    showPast();
  });
  function save() {
    if (SetTable.answer !== null) download("tupelo-set.txt", SetTable.answer.record);
  }

  const [undo, redo] = [() => back(SetTable.undo), () => back(SetTable.redo)];
  clicks({
    "set-new": SetPlay.restart, "set-undo": undo, "set-redo": redo, "set-save": save,
  });
  onFile("set-open", "set-file", openRecord);
  Settings.bind("set-letters", "setLetters", showLetters);
  showLetters();

  return {
    enter() {
      isShown = true;
      load();
      SetLocal.open();
      SetWatch.enter();
    },
    leave() {
      isShown = false;
      SetWatch.leave();
      SetTable.save();
    },
    move(way) {
      if (SetTable.answer !== null) SetPlay.view.step(way);
      return true;
    },
    command: (key) => obey({
      "?": SetPlay.hint, "+": SetPlay.deal, n: SetPlay.restart, Escape: SetPlay.clear, u: undo, r: redo,
      p: SetWatch.toggle, ".": SetWatch.step, " ": () => SetPlay.view.focus(),
    }, key),
    // After a click on a button, the cards get the focus.
    focus: () => SetPlay.view.focus(),
  };
})();
