import { Local } from "./engine/answers.js";
import { byId, clicks } from "./core/text.js";
import { Site, Store } from "./core/storage.js";
import { Focus } from "./core/views.js";
import { Input } from "./core/input.js";
import { Question } from "./core/question.js";
import { Ledger } from "./core/ledger.js";
import { Screen } from "./play/screen.js";
import { Notice } from "./play/notices.js";
import { SetAdvice, SetLocal } from "./set/table.js";
import { Agents } from "./play/agents.js";
import { Play } from "./play/play.js";
import "./play/settings.js";
import { Rival, Watch } from "./watch/watch.js";
import { Replay } from "./review/replay.js";
import { GamesView } from "./review/games.js";
import { Analyze } from "./review/analyze.js";
import { LearnView } from "./learn/learn.js";
import { Training } from "./training/training.js";
import { SetView } from "./set/view.js";

// Views, and what connects them.
const VIEWS = {
  play: Play, games: GamesView, replay: Replay, analyze: Analyze, watch: Watch, learn: LearnView,
  training: Training, set: SetView };
byId("site-note").hidden = Site === null;
if (Site !== null) delete VIEWS.training; // curves are the server's
let current = null;

Focus.takeBack = () => {
  const view = VIEWS[current];
  if (view?.focus) view.focus();
  else if (document.querySelector("dialog:modal") === null) byId("board").focus({ preventScroll: true });
};

function showModel() {
  const isSet = current === "set" && SetAdvice.isReady;
  const { note, failure, canRetry, progress } = isSet ? SetLocal : Local;
  byId("model-name").textContent = (isSet ? SetAdvice.modelName : Agents.modelName) + note;
  byId("loading").hidden = progress === null;
  byId("loading").value = progress ?? 0;
  if (Agents.list.length === 0) return; // what is wrong with the server is said there
  byId("news-text").textContent = failure;
  byId("retry").hidden = !canRetry;
  const isOffered = !Local.hasServer && !Local.isWanted && !Local.isReady && Local.progress === null;
  byId("stronger").hidden = !isOffered || !Agents.hasValues;
  const size = Local.megabytes ? ` (${Local.megabytes} MB)` : "";
  byId("stronger").textContent = `Load the stronger coach${size}`;
}
clicks({ retry: () => (current === "set" ? SetLocal : Local).retry() });

function show(name) {
  if (!Object.hasOwn(VIEWS, name) || name === current) return;
  document.body.dataset.view = "";
  VIEWS[current]?.leave?.();
  Question.leave(current);
  current = name;
  document.body.dataset.view = name;
  const product = name === "set" ? "Tupelo" : "Tupelo 2048";
  const title = byId(`tab-${name}`).textContent;
  document.title = `${title} – ${product}`;
  byId("title").textContent = `${product}: ${title}`;
  showModel();
  for (const view of Object.keys(VIEWS)) {
    const tab = byId(`tab-${view}`);
    tab.setAttribute("aria-selected", String(view === name));
    tab.tabIndex = view === name ? 0 : -1;
    byId(`panel-${view}`).hidden = view !== name;
  }
  VIEWS[name].enter(Screen.lease());
}

const refresh = () => VIEWS[current].refresh?.();
Agents.onSettings = refresh;

const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((tab) => {
  tab.addEventListener("click", () => {
    // At once, not with the hash: the board is to be seen before it takes the focus.
    show(tab.id.slice(4));
    if (named() !== current) location.hash = `#${current}`;
  });
  tab.addEventListener("keydown", (event) => {
    const shown = tabs.filter(({ hidden }) => !hidden);
    const at = shown.indexOf(tab);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = shown.at(next % shown.length);
    target.focus();
    target.click();
  });
});
// The view of an address: what follows an equals sign is the view's.
const named = () => location.hash.slice(1).split("=")[0].replace(/^game$/, "replay").replace(/^$/, "play");

addEventListener("hashchange", () => {
  show(named());
  VIEWS[current].follow?.();
});
let answering = "";
Local.onChange(() => {
  showModel();
  if (answering === `${Local.answering.title} ${Local.answering.isReady}`) return;
  answering = `${Local.answering.title} ${Local.answering.isReady}`;
  if (Agents.list.length > 0) Agents.show(); // the coach has another name
  refresh();
});
SetLocal.onChange(showModel);

// A move key never scrolls the page away, where the view has moves.
function move(way) {
  VIEWS[current].move?.(way);
  return "move" in VIEWS[current];
}
Input.onKey({ move, command: (key) => VIEWS[current].command?.(key) }, Focus.takeBack);
Input.onSwipe(document.querySelector(".table"), move);
Input.afterClicks(Focus.takeBack);
for (const one of document.querySelectorAll("[data-move]")) one.onclick = () => move(Number(one.dataset.move));
clicks({ stronger() {
  Local.isWanted = true;
  Local.load().catch(() => {}); // the page says why
}, demo() {
  location.hash = "#watch";
  show("watch");
  Watch.start();
} });
Notice.review = () => {
  location.hash = "#replay";
  show("replay");
  Replay.reviewCurrent();
};

Store.onWrite = () => {
  if (byId("store-note").textContent !== Store.problem) byId("store-note").textContent = Store.problem;
};
Store.onWrite();
Ledger.open();
show(Object.hasOwn(VIEWS, named()) ? named() : "play");
byId("starting").remove();
for (const one of document.querySelectorAll("[inert]")) one.inert = false;
Agents.load().then(({ set }) => {
  SetAdvice.load(SetLocal.offer(set));
  showModel();
  Rival.offer();
  byId("tab-training").hidden = !Agents.hasRuns;
  refresh();
});
