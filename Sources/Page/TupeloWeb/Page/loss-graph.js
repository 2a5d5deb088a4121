// The graph under the board. Its line is the final score that is expected after each move; before a review, it is the
// score. A bar is what a move lost, or the largest loss of neighbours where there are more moves than room. The slider
// on it chooses a position.
const LossGraph = (() => {
  const svg = byId("loss-graph");
  const [HEIGHT, BARS, STEP] = [72, 44, 3]; // in points: of all, of the largest bar, and from bar to bar
  const HANDLE = 4; // the width of the slider's handle: it stands with its middle over a position
  let judged = []; // what the review says of moves
  let positions = [];
  let bars = []; // the worst move of each bar

  const width = () => svg.clientWidth || 400;
  const x = (index) => (index / Math.max(positions.length - 1, 1)) * (width() - HANDLE) + HANDLE / 2;

  function show(nextJudged, nextPositions) {
    [judged, positions] = [nextJudged, nextPositions];
    draw();
  }

  function draw() {
    svg.replaceChildren();
    bars = [];
    if (positions.length === 0) return;
    svg.setAttribute("viewBox", `0 0 ${width()} ${HEIGHT}`);
    const points = judged.length === 0 ? positions.map(({ score }, index) => [index, score])
      : judged.map(({ index, value }) => [index, positions[index].score + value]);
    const highest = points.reduce((most, [, y]) => Math.max(most, y), 1);
    const y = (value) => HEIGHT - 2 - (value / highest) * (HEIGHT - 6);
    const path = thin(points, width()).map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
    const end = x(points[points.length - 1][0]).toFixed(1);
    svg.append(drawing("path", { class: "value-area", d: `M${x(0)} ${HEIGHT}L${path}L${end} ${HEIGHT}Z` }),
      drawing("path", { class: "value-line", d: `M${path}` }));
    drawBars();
    const worst = bars.reduce((most, bar) => (bar.loss > most.loss ? bar : most), { loss: 0 });
    const told = judged.length === 0 ? "Score over the game."
      : `Expected score over the game, and the points lost. ${worst.loss === 0 ? "Nothing was lost."
        : `Most was lost at move ${grouped(worst.index + 1)}: ${lossText(worst.loss)} points.`}`;
    svg.setAttribute("aria-label", told);
  }

  function drawBars() {
    const size = Math.max(1, Math.ceil(positions.length / Math.floor(width() / STEP)));
    for (const one of judged) {
      const last = bars[bars.length - 1];
      const isSame = last && Math.floor(last.index / size) === Math.floor(one.index / size);
      if (!isSame) bars.push(one);
      else if (one.loss > last.loss) bars[bars.length - 1] = one;
    }
    bars = bars.filter(({ loss }) => loss > 0);
    const most = bars.reduce((sum, { loss }) => Math.max(sum, loss), 1);
    for (const { index, loss } of bars) {
      const [left, top] = [x(index), HEIGHT - (loss / most) * BARS];
      svg.append(drawing("line", { class: "loss", x1: left, x2: left, y1: top, y2: HEIGHT }));
    }
  }

  // The position that a pointer at `index` means: of a bar that it is on, the move that the bar is of.
  function near(index) {
    const distance = (bar) => Math.abs(x(bar.index) - x(index));
    const bar = bars.reduce((best, one) => (best && distance(best) <= distance(one) ? best : one), null);
    return bar && distance(bar) <= STEP ? bar.index : index;
  }

  new ResizeObserver(draw).observe(svg);

  return { show, near };
})();
