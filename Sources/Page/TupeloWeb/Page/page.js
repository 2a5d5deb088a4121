import { Local } from "./engine/answers.js";
import { byId, clicks } from "./core/text.js";
import { Site } from "./core/storage.js";
import { Focus } from "./core/views.js";
import { Input } from "./core/input.js";
import { Table } from "./play/table.js";
import { Notice } from "./play/notices.js";
import { SetAdvice, SetLocal } from "./set/table.js";
import { Agents } from "./play/agents.js";
import { Play } from "./play/play.js";
import "./play/settings.js";
import { Rival, Watch } from "./watch/watch.js";
import { Replay } from "./review/replay.js";
import { Analyze } from "./review/analyze.js";
import { Training } from "./training/training.js";
import { SetView } from "./set/view.js";

// Views, and what connects them.
const VIEWS = { play: Play, watch: Watch, replay: Replay, analyze: Analyze, training: Training, set: SetView };
// Curves are the server's.
if (Site !== null) {
  byId("tab-training").remove();
  delete VIEWS.training;
  byId("site-note").hidden = false;
}
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
}
clicks({ retry: () => (current === "set" ? SetLocal : Local).retry() });

function show(name) {
  if (!Object.hasOwn(VIEWS, name) || name === current) return;
  document.body.dataset.view = "";
  VIEWS[current]?.leave();
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
  VIEWS[name].enter();
}

const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((tab, index) => {
  tab.addEventListener("click", () => {
    // At once, not with the hash: the board is to be seen before it takes the focus.
    show(tab.id.slice(4));
    if (named() !== current) location.hash = `#${current}`;
  });
  tab.addEventListener("keydown", (event) => {
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const target = tabs[(next + tabs.length) % tabs.length];
    target.focus();
    target.click();
  });
});
// The view of an address: what follows an equals sign is the view's.
const named = () => location.hash.slice(1).split("=")[0].replace(/^game$/, "replay");

addEventListener("hashchange", () => {
  show(named());
  VIEWS[current].follow?.();
});
let strength = 0;
Local.onChange(() => {
  showModel();
  if (Local.strength === strength) return;
  strength = Local.strength;
  Play.refresh();
  Watch.refresh();
});
SetLocal.onChange(showModel);

// A move key never scrolls the page away, where the view has moves.
function move(way) {
  VIEWS[current].move?.(way);
  return "move" in VIEWS[current];
}
Input.onKey({ move, command: (key) => VIEWS[current].command?.(key) }, Focus.takeBack);
Input.onSwipe(byId("board"), move);
Input.afterClicks(Focus.takeBack);
for (const button of document.querySelectorAll("[data-move]")) {
  button.addEventListener("click", () => move(Number(button.dataset.move)));
}
Notice.review = () => {
  location.hash = "#replay";
  show("replay");
  Replay.reviewCurrent();
};

Table.show();
show(Object.hasOwn(VIEWS, named()) ? named() : "play");
Agents.load().then(({ set }) => {
  SetAdvice.load(SetLocal.offer(set));
  showModel();
  Rival.offer();
  Play.refresh();
  if (current === "play") return;
  VIEWS[current].leave();
  VIEWS[current].enter();
});
