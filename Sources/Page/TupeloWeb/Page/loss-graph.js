// The graph under the board: the final score that is expected after each move, or the score before a review, as a line.
// A bar is what a move lost, or the largest loss of neighbours where there are more moves than room.
const LossGraph = (() => {
  const svg = byId("loss-graph");
  const [HEIGHT, BARS, STEP] = [72, 44, 3]; // in points: the whole height, the largest bar, and the step between bars
  const HANDLE = 4; // the width of the slider's handle: it stands with its middle over a position
  let judged = []; // what the review says of moves
  let positions = [];
  let bars = []; // the worst move of each bar

  const width = () => svg.clientWidth || 400;
  const x = (index) => (index / Math.max(positions.length - 1, 1)) * (width() - HANDLE) + HANDLE / 2;
  const most = (list, part) => list.reduce((sum, one) => Math.max(sum, part(one)), 1);

  function draw() {
    if (positions.length === 0) return;
    svg.setAttribute("viewBox", `0 0 ${width()} ${HEIGHT}`);
    const points = judged.length === 0 ? positions.map(({ score }, index) => [index, score])
      : judged.map(({ index, value }) => [index, positions[index].score + value]);
    const scale = (HEIGHT - 6) / most(points, ([, value]) => value);
    const path = thin(points, width())
      .map(([at, value]) => `${x(at).toFixed(1)} ${(HEIGHT - 2 - value * scale).toFixed(1)}`).join("L");
    const end = x(points[points.length - 1][0]).toFixed(1);
    const size = Math.max(1, Math.ceil(positions.length / Math.floor(width() / STEP)));
    const groups = Map.groupBy(judged.filter(({ loss }) => loss > 0), ({ index }) => Math.floor(index / size));
    bars = [...groups.values()].map((group) => group.reduce((worst, one) => (one.loss > worst.loss ? one : worst)));
    const largest = most(bars, ({ loss }) => loss);
    svg.replaceChildren(drawing("path", { class: "value-area", d: `M${x(0)} ${HEIGHT}L${path}L${end} ${HEIGHT}Z` }),
      drawing("path", { class: "value-line", d: `M${path}` }), ...bars.map(({ index, loss }) => drawing("line", {
        class: "loss", x1: x(index), x2: x(index), y1: HEIGHT - (loss / largest) * BARS, y2: HEIGHT })));
    const worst = bars.find(({ loss }) => loss === largest);
    svg.setAttribute("aria-label", judged.length === 0 ? "Score over the game."
      : `Expected score over the game, and the points lost. ${worst === undefined ? "Hardly anything was lost."
        : `Most was lost at move ${grouped(worst.index + 1)}: ${lossText(worst.loss)} points.`}`);
  }

  new ResizeObserver(draw).observe(svg);

  return {
    show(nextJudged, nextPositions) {
      [judged, positions] = [nextJudged, nextPositions];
      draw();
    },
    // The position that a pointer at `index` means. On a bar, it is the move of the bar.
    near(index) {
      const distance = (bar) => Math.abs(x(bar.index) - x(index));
      const [bar] = bars.filter((one) => distance(one) <= STEP).sort((a, b) => distance(a) - distance(b));
      return bar?.index ?? index;
    },
  };
})();
