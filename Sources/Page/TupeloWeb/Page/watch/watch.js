import { Answers } from "../engine/answers.js";
import {
  byId, clicks, compact, drawing, element, grouped, mean, obey, pause, percent, plural, Running, texts
} from "../core/text.js";
import { bestMove, Game, hasValues, Rules } from "../core/game.js";
import { Question } from "../core/question.js";
import { Settings } from "../core/storage.js";
import { BoardView, orToast, toast, ValuesView } from "../core/views.js";
import { roundTicks, words } from "../core/chart.js";
import { Screen } from "../play/screen.js";
import { Playing, Table } from "../play/table.js";
import { Agents } from "../play/agents.js";

// A second agent beside the one in Watch: its board has the same start, and tiles by the same seed.
export const Rival = (() => {
  const view = new BoardView(byId("rival-board"));
  const choice = byId("rival");
  let game = null;
  let isBusy = false;

  // The agents with each model and depth that they have, so that one list is enough.
  const depths = ({ name, maximumPlies }) => (maximumPlies === 0 ? [{ agent: name }]
    : Array.from({ length: maximumPlies }, (_, index) => ({ agent: name, plies: index + 1 })));
  const list = () => Agents.list.flatMap((agent) => (agent.evaluators.length < 2 ? depths(agent)
    : agent.evaluators.flatMap(({ name }) => depths(agent).map((one) => ({ ...one, evaluator: name })))));
  const question = () => list()[Number(choice.value)];

  function show() {
    view.show(game.board);
    texts({
      "rival-score": grouped(game.score), "rival-moves": grouped(game.steps.length),
      "rival-tile": grouped(Rules.tile(Rules.largest(game.board))), "rival-name": Agents.nameOf(question()),
    });
  }

  return {
    question,
    // The seed that is given for new games.
    get seed() {
      const text = byId("seed").value.trim();
      if (/^\d{0,9}$/.test(text)) return text === "" ? null : Number(text);
      return [...text].reduce((hash, letter) => (Math.imul(hash, 31) + letter.codePointAt(0)) >>> 0, 7);
    },
    get isOn() { return choice.value !== ""; },
    get isOver() { return game === null || game.isOver; },
    offer() {
      choice.append(...list().map((one, index) => element("option", { value: index }, Agents.nameOf(one))));
    },
    // Begins where a game with a seed begins, and leaves one without.
    start({ four, startTiles, seed, positions }) {
      if (seed === null) choice.value = "";
      byId("rival-box").hidden = choice.value === "";
      game = choice.value === "" ? null : new Game({ four, startTiles, seed, start: positions[0].board });
      if (game !== null) show();
    },
    // Catches up with the game `own`. After its end, plays on within the limits `rest`. Does nothing while it plays.
    async advance(own, rest = { most: 1, time: 60 }) {
      if (isBusy || this.isOver) return;
      const mine = game;
      isBusy = true;
      await orToast(async () => {
        do {
          const { board, seed, steps, four } = mine;
          const limits = own.isOver ? rest : { ...rest, most: own.steps.length - steps.length };
          const done = await Answers.run({ board, seed, count: steps.length }, { ...question(), four }, limits);
          for (const [move, cell, exponent] of done.steps) mine.play(move, "", { cell, exponent });
          if (mine === game) show();
        } while (mine === game && !mine.isOver && mine.steps.length < own.steps.length);
      });
      isBusy = false;
    },
  };
})();

// Many games of an agent, and of the second one with the same tiles: scores as a histogram, and how often each tile is
// reached. Game number k has the seed of the first one plus k.
const Batch = (() => {
  const SLICE = 150; // milliseconds of play between yields to other requests
  const [WIDTH, HEIGHT, BINS] = [400, 120, 24];
  const running = new Running("batch");

  async function play(question, seed, goesOn) {
    let game = { board: Rules.startBoard(question.four, Settings.values.startTiles, seed), seed, count: 0 };
    let score = 0;
    while (goesOn()) {
      const { board, steps, reward, isOver } = await Answers.run(game, question, { time: SLICE });
      score += reward;
      game = { ...game, board, count: game.count + steps.length };
      if (isOver) return { score, largest: Rules.largest(board) };
    }
    return null;
  }

  async function start() {
    const goesOn = running.begin();
    const players = [Agents.question(false), ...(Rival.isOn ? [Rival.question()] : [])]
      .map((question) => ({ question: { ...question, four: Settings.values.four }, games: [] }));
    const first = Rival.seed ?? Rules.seed();
    const count = Number(byId("batch-count").value);
    byId("batch-note").textContent = `0 games of ${grouped(count)}`;
    await orToast(async () => {
      for (let number = 0; number < count && goesOn(); number += 1) {
        for (const player of players) player.games.push(await play(player.question, (first + number) >>> 0, goesOn));
        if (goesOn()) show(players, count);
      }
    });
    if (goesOn()) running.end();
  }

  function show(players, count) {
    const done = plural(players[0].games.length, "game");
    byId("batch-note").textContent = `${done} of ${grouped(count)}`;
    for (const player of players) player.scores = player.games.map(({ score }) => score).sort((a, b) => a - b);
    const ticks = roundTicks(0, Math.max(...players.flatMap(({ scores }) => scores), 1), 4);
    const end = ticks.at(-1);
    const bin = (score) => Math.min(Math.floor((score / end) * BINS), BINS - 1);
    const bins = players.map(({ scores }) => Map.groupBy(scores, bin));
    const top = Math.max(...bins.flatMap((own) => [...own.values()].map(({ length }) => length)));
    const size = WIDTH / BINS / players.length;
    byId("batch-chart").toggleAttribute("hidden", false);
    byId("batch-chart").setAttribute("aria-label", `Scores of ${done} as a histogram; the table has the numbers.`);
    byId("batch-chart").replaceChildren(...bins.flatMap((own, player) => [...own].map(([index, { length }]) => {
      const height = (length / top) * (HEIGHT - 20);
      const place = { x: (index * players.length + player) * size + 0.5, y: HEIGHT - 16 - height };
      return drawing("rect", { ...place, width: size - 1, height, class: `run-${player}` });
    })), ...ticks.map((tick) => {
      const anchor = tick === 0 ? "start" : tick === end ? "end" : "middle";
      return words(compact(tick), (tick / end) * WIDTH, HEIGHT - 2, anchor);
    }));
    byId("batch-table").replaceChildren(...table(players));
  }

  // The players as columns, numbers and tiles as rows.
  function table(players) {
    const row = (title, cell) => element("tr", {}, element("th", { scope: "row" }, title), ...players.map(cell));
    const numbers = (title, part) => row(title, (player) => element("td", {}, part(player)));
    // Half the 95% interval of the mean, which one game does not have.
    const margin = (list) => (list.length < 2 ? ""
      : ` ± ${grouped(1.96 * Math.sqrt(mean(list.map((one) => (one - mean(list)) ** 2)) / (list.length - 1)))}`);
    const largest = Math.max(...players.flatMap(({ games }) => games.map((game) => game.largest)));
    return [
      row("Agent", ({ question: { four, ...asked } }, index) => element("th", { scope: "col" },
        element("i", { class: `run-${index}` }), Agents.nameOf(asked))),
      numbers("Mean", ({ scores }) => grouped(mean(scores)) + margin(scores)),
      numbers("Median", ({ scores }) => grouped(scores[Math.floor(scores.length / 2)])),
      numbers("Best", ({ scores }) => grouped(scores.at(-1))),
      ...[0, 1, 2, 3, 4].map((less) => Math.max(largest - less, 1)).map((exponent) => numbers(
        `Reach ${grouped(Rules.tile(exponent))}`,
        ({ games }) => percent(mean(games.map((game) => Number(game.largest >= exponent)))))),
    ];
  }

  clicks({ batch: () => (running.isOn ? running.end() : start()) });

  return { stop: () => running.end() };
})();

// The agent's game. All tiles of a new one follow from the seed, where one is given; two agents have the same seed.
const Watched = new (class extends Playing {
  fresh() {
    const seed = Rival.seed ?? (Rival.isOn ? Rules.seed() : null);
    return new Game({ ...Settings.values, shape: "4x4", seed });
  }
})("watched", false);

// The view in which an agent plays games of its own.
export const Watch = (() => {
  // Moves a second. Up to FRAMES, each one is drawn.
  const SPEEDS = [1, 2, 4, 8, 15, 30, 60, 250, 1000, Infinity];
  const FRAMES = 60;
  const END = 2500; // milliseconds for which the end of a game stays, where games follow each other
  const [SLICE, LONGEST] = [14, 60]; // milliseconds of play between frames: as long as drawing takes, within limits
  const values = new ValuesView(byId("watch-values"));
  const [thinking, stepping] = [new Question("watch"), new Question("watch")];
  const running = new Running("run");
  let screen = Screen.none;

  const speed = () => SPEEDS[Settings.values.speed] ?? 4;
  const interval = () => 1000 / speed();
  const frame = () => new Promise(requestAnimationFrame);

  const question = () => ({ ...Agents.question(false), four: Watched.game.four });

  // Shows what the agent thinks of the board; null when it does not answer or the board has changed meanwhile.
  async function think() {
    const { board, score } = Watched.game;
    screen.hint(null);
    values.wait();
    const analysis = await thinking.ask((signal) => Answers.analyze(board, question(), signal)).catch(({ message }) => {
      running.end();
      values.clear();
      toast(message);
      return null;
    });
    if (analysis === null || board !== Watched.game.board) return null;
    values.show(analysis, board);
    const best = bestMove(analysis);
    // In fast play it would only flicker.
    screen.hint(hasValues(analysis) && !(running.isOn && speed() > 8) ? best : null);
    const value = best === null ? 0 : analysis.moves[best].value;
    byId("expected").textContent = value === undefined ? "–" : grouped(score + Math.max(value, 0));
    return { board, best };
  }

  function play(best) {
    screen.duration(interval());
    return Watched.play(best, Agents.player);
  }

  async function loop(goesOn) {
    let due = performance.now() + (speed() > 8 ? 0 : interval() / 2);
    while (goesOn()) {
      if (speed() > FRAMES) await sprint(goesOn);
      if (!goesOn()) return;
      const thought = await think();
      if (!goesOn()) return;
      if (thought === null) continue;
      if (thought.best === null && Rival.isOver) {
        if (!await again(goesOn)) return stop();
        continue;
      }
      // The hint stands on the board for the rest of the interval.
      const wait = due - performance.now();
      if (wait > 12) await pause(wait);
      else await frame();
      if (!goesOn()) return;
      if (Watched.game.board !== thought.board) continue;
      if (thought.best !== null && !play(thought.best)) return stop();
      await Rival.advance(Watched.game);
      due = Math.max(due + interval(), performance.now() - 50);
    }
  }

  // Many moves between two frames. The engine plays on while the page draws.
  async function sprint(goesOn) {
    let drawing = SLICE;
    const ask = async () => {
      const { board, seed, steps } = Watched.game;
      const time = Math.min(Math.max(drawing, SLICE), LONGEST);
      const limits = { time, most: Math.max(Math.round((speed() * drawing) / 1000), 1) };
      const from = { board, seed: seed ?? Rules.seed(), count: steps.length };
      return { ...await Answers.run(from, question(), limits), from: board, limits };
    };
    screen.hint(null);
    screen.duration(0);
    thinking.end();
    values.clear();
    byId("expected").textContent = "–";
    try {
      for (let next = ask(); goesOn() && speed() > FRAMES;) {
        const { steps, isOver, from, limits } = await next;
        if (!goesOn()) return;
        const now = performance.now();
        if (from === Watched.game.board) {
          Watched.playAll(steps, Agents.player);
          // Moves of a board that is stopped are dropped, so the second board moves only after it.
          await Rival.advance(Watched.game, limits);
          if (isOver && Rival.isOver && !await again(goesOn)) return stop();
        }
        next = ask();
        await frame();
        drawing = performance.now() - now;
      }
    } catch (error) {
      running.end();
      toast(error.message);
    }
  }

  const restart = () => Watched.restart();

  // After the end of a game, the next one; false where only one is wanted.
  async function again(goesOn) {
    if (!Settings.values.endless) return false;
    await pause(END);
    if (goesOn()) restart();
    return goesOn();
  }

  // The game becomes the person's, who plays on from here.
  function takeOver() {
    stop();
    location.hash = "#play";
    Table.replace(Watched.game.copy(), "Your turn.");
  }

  // Three opponents: settings of the first agent. The advanced settings have all of them.
  function opponents() {
    const [{ name: agent, maximumPlies: most, maximumMilliseconds }] = Agents.list;
    const timed = maximumMilliseconds >= 200 ? { milliseconds: "200" } : {};
    const one = (plies, agentMore = {}) => ({ agent, plies: Math.min(plies, most), agentMore });
    return { easy: one(1), strong: one(2), best: one(most, timed) };
  }

  function showOpponents() {
    const { agent, plies, agentMore = {} } = Settings.values;
    const isOn = (one) => one.agent === agent && one.agentMore.milliseconds === (agentMore.milliseconds || undefined)
      && (one.agentMore.milliseconds !== undefined || one.plies === plies);
    for (const button of byId("opponents").children) {
      button.setAttribute("aria-pressed", String(isOn(opponents()[button.dataset.opponent])));
    }
  }

  function start() {
    if (running.isOn || !Agents.current) return;
    if (Watched.game.isOver && Rival.isOver) restart();
    loop(running.begin());
  }

  // A copy of the person's game, for the agent to play on with.
  function copy() {
    stop();
    Watched.replace(Table.game.copy(), "A copy of your game.");
  }

  function stop() {
    const wasRunning = running.isOn;
    running.end();
    // Fast play has left the hint out.
    if (wasRunning && screen.isOn) think();
  }

  const toggle = () => (running.isOn ? stop() : start());

  async function step() {
    stop();
    if (stepping.isOpen || !Agents.current) return;
    if (Watched.game.isOver) return toast("The game is over.", { label: "New game", run: restart });
    const thought = await stepping.ask(think);
    if (thought !== null && thought.best !== null) play(thought.best);
    Rival.advance(Watched.game);
  }

  function showSpeed() {
    const text = speed() === Infinity ? "as fast as the agent plays" : `${plural(speed(), "move")} a second`;
    byId("speed").setAttribute("aria-valuetext", text);
    byId("speed-text").textContent = text;
  }

  function refresh() {
    if (!screen.isOn || !Agents.current) return;
    showOpponents();
    if (!running.isOn) think();
  }

  Watched.onChange(({ kind }) => {
    if (kind === "new") Rival.start(Watched.game);
    if (!stepping.isOpen) refresh();
  });
  byId("rival").addEventListener("change", restart);
  clicks({ run: toggle, step, "watch-new": restart, "watch-own": copy, "take-over": takeOver });
  for (const button of byId("opponents").children) {
    button.onclick = () => {
      if (Agents.list.length === 0) return;
      Settings.set(opponents()[button.dataset.opponent]);
      Agents.changed("agent");
    };
  }
  Settings.bind("endless", "endless");
  Settings.bind("speed", "speed", showSpeed);
  showSpeed();

  return {
    enter(lease) {
      screen = lease;
      Watched.enter(lease);
      byId("watch-own").hidden = Rules.isSmall(Table.game.board);
    },
    leave() {
      running.end();
      Batch.stop();
    },
    refresh, start,
    // A person may move here too, and the agent continues from there.
    move(way) {
      stop();
      Watched.play(way);
    },
    command: (key) => obey({ " ": toggle, ".": step, n: restart, u: () => Watched.undo() }, key),
  };
})();
