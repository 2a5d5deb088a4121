// Learning from mistakes: the position before each of the worst moves of a record, and a better move to be found.
const Learn = (() => {
  let mistakes = []; // as the review tells them
  let at = 0;
  let hints = 0; // 2 when the answer is shown
  let visit = null; // shows a position
  let analysis = null; // of the position

  const name = (move) => capital(Rules.MOVES[move]);
  const tell = (text) => { byId("learn-text").textContent = text; };

  function show(isOn) {
    document.body.toggleAttribute("data-learn", isOn);
    byId("learn").hidden = !isOn;
    byId("worst").hidden = isOn;
    byId("learn-start").hidden = isOn || byId("worst").children.length === 0;
    byId("learn-hint").disabled = false;
  }

  function ask(number) {
    if (number === mistakes.length) return end();
    [at, hints, analysis] = [number, 0, null];
    const { index, played } = mistakes[at];
    tell(`${at + 1} of ${mistakes.length}: move ${grouped(index + 1)} was ${Rules.MOVES[played]}. Find a better move.`);
    show(true);
    visit(index);
  }

  function end() {
    mistakes = [];
    show(false);
  }

  // A move that is tried. It is right if it is the best one, or nearly.
  function tryMove(move) {
    if (analysis === null || hints === 2) return true;
    const { legal, difference } = analysis.moves[move];
    const { best, value, played } = mistakes[at];
    const isRight = isAsGood({ difference }) || Verdicts.of(-difference, value).name === "good";
    if (!legal) Table.view.refuse(move);
    else if (move === played) tell(`${name(move)} was played in the game. Try another move.`);
    else if (isRight) solve(move === best ? `${name(move)} is the best move.` : `${name(move)} is good, too.`);
    else tell(`${name(move)} loses about ${lossText(-difference)} points. Try again.`);
    return true;
  }

  function solve(text) {
    const { played, loss } = mistakes[at];
    hints = 2;
    byId("learn-hint").disabled = true;
    tell(`${text} ${name(played)} lost about ${lossText(loss)} points.`);
    Replay.refresh();
  }

  // First the axis, then the move itself.
  function hint() {
    const { best } = mistakes[at];
    hints += 1;
    if (hints === 2) solve(`${name(best)} is the best move.`);
    else tell(`The best move is ${best % 2 === 0 ? "vertical" : "horizontal"}.`);
  }

  clicks({ "learn-hint": hint, "learn-next": () => ask(at + 1) });

  return {
    end, tryMove,
    start(list, show) {
      [mistakes, visit] = [list, show];
      ask(0);
    },
    get isOn() { return mistakes.length > 0; },
    // Whether the values of a position are not to be seen yet. Another position than the one asked about ends it all.
    hides(index, said) {
      if (mistakes.length > 0 && index !== mistakes[at].index) end();
      analysis = said;
      return mistakes.length > 0 && hints < 2;
    },
  };
})();
