// Learning from mistakes: the position before each of the worst moves of a record, and a better move to be found.
const Learn = (() => {
  const OPPOSITE = ["vertical", "horizontal"];
  let mistakes = []; // as the review tells them
  let at = 0;
  let isSolved = false;
  let hints = 0;
  let record = null;
  let visit = null; // shows a position
  let analysis = null; // of the position

  const isOn = () => mistakes.length > 0;
  const name = (move) => Rules.MOVES[move][0].toUpperCase() + Rules.MOVES[move].slice(1);
  const tell = (text) => { byId("learn-text").textContent = text; };

  function start(list, nextRecord, nextVisit) {
    [mistakes, record, visit] = [list, nextRecord, nextVisit];
    ask(0);
  }

  function ask(number) {
    [at, isSolved, hints, analysis] = [number, false, 0, null];
    byId("learn").hidden = false;
    byId("learn-start").hidden = byId("worst").hidden = true;
    document.body.dataset.learn = "";
    byId("learn-next").textContent = number + 1 < mistakes.length ? "Next" : "Finish";
    byId("learn-hint").disabled = false;
    const { index } = mistakes[number];
    tell(`${number + 1} of ${mistakes.length}: move ${grouped(index + 1)} was `
      + `${Rules.MOVES[record.steps[index].move]}. Find a better move.`);
    visit(index);
  }

  function end() {
    mistakes = [];
    delete document.body.dataset.learn;
    byId("learn").hidden = true;
    byId("worst").hidden = false;
    byId("learn-start").hidden = byId("worst").children.length === 0;
  }

  // A move that is tried. It is right if it is the best one, or nearly.
  function tryMove(move) {
    if (analysis === null || isSolved) return true;
    const { legal, difference } = analysis.moves[move];
    const { index, best, value } = mistakes[at];
    if (!legal) {
      Table.view.refuse(move);
      return true;
    }
    const isPlayed = move === record.steps[index].move;
    const isRight = isAsGood({ difference }) || (!isPlayed && Verdicts.of(-difference, value).name === "good");
    if (isRight) solve(move === best ? `${name(move)} is the best move.` : `${name(move)} is good, too.`);
    else tell(isPlayed ? `${name(move)} was played in the game. Try another move.`
      : `${name(move)} loses about ${lossText(-difference)} points. Try again.`);
    return true;
  }

  function solve(text) {
    const { index, loss } = mistakes[at];
    isSolved = true;
    byId("learn-hint").disabled = true;
    tell(`${text} ${name(record.steps[index].move)} lost about ${lossText(loss)} points.`);
    Replay.refresh();
  }

  // First the axis, then the move itself.
  function hint() {
    const { best } = mistakes[at];
    hints += 1;
    if (hints === 1) tell(`The best move is ${OPPOSITE[best % 2]}.`);
    else solve(`${name(best)} is the best move.`);
  }

  byId("learn-hint").addEventListener("click", hint);
  byId("learn-next").addEventListener("click", () => (at + 1 < mistakes.length ? ask(at + 1) : end()));
  byId("learn-end").addEventListener("click", () => {
    end();
    Replay.refresh();
  });

  return {
    start, end, tryMove,
    get isOn() { return isOn(); },
    // Whether the values of a position are not to be seen yet. Another position than the one asked about ends it all.
    hides(index, said) {
      if (isOn() && index !== mistakes[at].index) end();
      if (!isOn()) return false;
      analysis = said;
      return !isSolved;
    },
  };
})();
