// The view in which an agent plays on with the game on the table.
const Watch = (() => {
  // Moves a second. Up to FRAMES, each one is drawn.
  const SPEEDS = [1, 2, 4, 8, 15, 30, 60, 250, 1000, Infinity];
  const FRAMES = 60;
  const [SLICE, LONGEST] = [14, 60]; // milliseconds of play between frames: as long as drawing takes, within limits
  const values = new ValuesView(byId("watch-values"));
  const analyst = new Analyst();
  const times = [];
  const running = new Running("run");
  let isShown = false;
  let isAsking = false;

  const speed = () => SPEEDS[Table.settings.speed] ?? 4;
  const interval = () => 1000 / speed();
  const frame = () => new Promise(requestAnimationFrame);

  const question = () => ({ ...Agents.question(false), four: Table.game.four });

  // Shows what the agent thinks of the board; null when it does not answer or the board has changed meanwhile.
  async function think() {
    const { board, score } = Table.game;
    Table.view.hint(null);
    values.wait();
    let analysis;
    try {
      analysis = await analyst.of(board, question());
    } catch (error) {
      halt();
      values.clear();
      toast(error.message);
      return null;
    }
    if (board !== Table.game.board || !isShown) return null;
    values.show(analysis);
    const best = bestMove(analysis);
    // In fast play it would only flicker.
    Table.view.hint(hasValues(analysis) && !(running.isOn && speed() > 8) ? best : null);
    const value = best === null ? 0 : analysis.moves[best].value;
    byId("expected").textContent = value === undefined ? "–" : grouped(score + Math.max(value, 0));
    byId("largest").textContent = grouped(Rules.tile(Rules.largest(board)));
    return { board, best };
  }

  function play(best) {
    Table.duration(interval());
    const isPlayed = Table.play(best, Agents.player);
    showPace(1);
    return isPlayed;
  }

  // The pace of the last three seconds.
  function showPace(moves) {
    const now = performance.now();
    times.push([now, moves]);
    while (times.length > 1 && (times.length > 240 || now - times[0][0] > 3000)) times.shift();
    const count = times.slice(1).reduce((sum, [, one]) => sum + one, 0);
    const rate = times.length > 2 ? (count * 1000) / (now - times[0][0]) : 0;
    byId("pace").textContent = rate === 0 ? "–" : rate < 10 ? rate.toFixed(1) : grouped(rate);
  }

  async function loop(goesOn) {
    let due = performance.now() + (speed() > 8 ? 0 : interval() / 2);
    while (goesOn()) {
      if (speed() > FRAMES) await sprint(goesOn);
      if (!goesOn()) return;
      const thought = await think();
      if (!goesOn()) return;
      if (thought === null) continue;
      if (thought.best === null && Rival.isOver) return stop();
      // The hint stands on the board for the rest of the interval.
      const wait = due - performance.now();
      if (wait > 12) await pause(wait);
      else await frame();
      if (!goesOn()) return;
      if (Table.game.board !== thought.board) continue;
      Rival.advance({ most: 1 });
      if (thought.best !== null && !play(thought.best)) return stop();
      due = Math.max(due + interval(), performance.now() - 50);
    }
  }

  // Many moves between two frames. The engine plays on while the page draws.
  async function sprint(goesOn) {
    let drawing = SLICE;
    const ask = async () => {
      const { board, seed, steps } = Table.game;
      const time = Math.min(Math.max(drawing, SLICE), LONGEST);
      const limits = { time, most: Math.max(Math.round((speed() * drawing) / 1000), 1) };
      Rival.advance(limits);
      const game = { board, seed: seed ?? Rules.seed(), count: steps.length };
      return { ...(await Answers.run(game, question(), limits)), from: board };
    };
    Table.view.hint(null);
    Table.duration(0);
    values.clear();
    byId("expected").textContent = "–";
    try {
      for (let next = ask(); goesOn() && speed() > FRAMES;) {
        const { steps, isOver, from } = await next;
        if (!goesOn()) return;
        const now = performance.now();
        if (from === Table.game.board) {
          Table.playAll(steps, Agents.player);
          showPace(steps.length);
          byId("largest").textContent = grouped(Rules.tile(Rules.largest(Table.game.board)));
          if (isOver && Rival.isOver) return stop();
        }
        next = ask();
        await frame();
        drawing = performance.now() - now;
      }
    } catch (error) {
      halt();
      toast(error.message);
    }
  }

  // All tiles of a new game follow from the seed, where one is given; with a second agent, from one of both.
  const given = () => (byId("seed").value.trim() === "" ? null : Number(byId("seed").value) >>> 0);

  function restart() {
    const seed = given() ?? (Rival.isOn ? Rules.seed() : null);
    Table.replace(new Game({ ...Table.settings, seed }), "New game.");
  }

  function start() {
    if (running.isOn || !Agents.current) return;
    if (Table.game.isOver && Rival.isOver) restart();
    keepPersonsGame();
    times.length = 0;
    loop(running.begin());
  }

  // A person's game stays the person's: the agent continues a copy.
  function keepPersonsGame() {
    const { game } = Table;
    if (!game.isPersons || !game.canUndo) return;
    const own = Game.restore(game.save());
    Past.add(own.save());
    game.cut(game.steps.length, { isCopy: true });
    const back = () => {
      halt();
      Table.replace(own, "Your game.");
    };
    toast("The agent plays on with a copy of your game.", { label: "Back to your game", run: back });
  }

  const halt = () => running.end();

  function stop() {
    const wasRunning = running.isOn;
    halt();
    // Fast play has left the hint out.
    if (wasRunning && isShown) think();
  }

  const toggle = () => (running.isOn ? stop() : start());

  async function step() {
    stop();
    if (isAsking || !Agents.current) return;
    if (Table.game.isOver) return toast("The game is over.", { label: "New game", run: restart });
    keepPersonsGame();
    Rival.advance({ most: 1 });
    isAsking = true;
    const thought = await think();
    isAsking = false;
    if (thought !== null && thought.best !== null) play(thought.best);
  }

  function showSpeed() {
    const text = speed() === Infinity ? "as fast as the agent plays" : `${plural(speed(), "move")} a second`;
    byId("speed").setAttribute("aria-valuetext", text);
    byId("speed-text").textContent = text;
  }

  Table.onChange(({ kind }) => {
    if (kind === "other") halt();
    if (kind === "new") Rival.start(Table.game);
    if (isShown && !running.isOn && Agents.current) think();
  });
  clicks({ run: toggle, step, "watch-new": restart });
  for (const name of ["agent", "plies"]) {
    Table.bind(name, name, () => {
      Agents.show();
      if (isShown && !running.isOn) think();
    });
  }
  Table.bind("speed", "speed", showSpeed);
  showSpeed();

  return {
    enter() {
      isShown = true;
      if (Agents.current) think();
    },
    restart,
    get seed() { return given(); },
    leave() {
      isShown = false;
      stop();
      Batch.stop();
      Table.view.hint(null);
    },
    // After the agent's settings have changed.
    refresh() { if (isShown && !running.isOn && Agents.current) think(); },
    // A person may move here too, and the agent continues from there.
    move: (move) => {
      stop();
      return Table.play(move) || true;
    },
    command: (key) => obey({ " ": toggle, ".": step, n: restart, u: Table.undo }, key),
  };
})();
