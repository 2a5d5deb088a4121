// How much each move of a reviewed record lost: a bar per move, or per group of neighbours when there are more moves
// than room, as high as the largest loss among them. A click shows the move that the bar is of.
const LossGraph = (() => {
  const svg = byId("loss-graph");
  const [HEIGHT, FOOT, STEP] = [96, 16, 3]; // in points: with the line of numbers, that line, and a bar every 3
  let losses = []; // move number and loss of the moves that were looked at
  let count = 0; // moves of the record
  let bars = []; // the worst move of each bar
  let at = 0; // the position on the board
  let place = null;

  const width = () => svg.clientWidth || 400;
  const x = (move) => (count <= 1 ? 0 : (move / (count - 1)) * (width() - STEP)) + STEP / 2;

  function show(nextLosses, steps) {
    [losses, count] = [nextLosses, steps];
    svg.toggleAttribute("hidden", losses.length === 0);
    draw();
  }

  function draw() {
    svg.replaceChildren();
    bars = [];
    if (losses.length === 0) return;
    svg.setAttribute("viewBox", `0 0 ${width()} ${HEIGHT}`);
    const size = Math.max(1, Math.ceil(count / Math.floor(width() / STEP)));
    for (const one of losses) {
      const last = bars[bars.length - 1];
      const isSame = last && Math.floor(last.index / size) === Math.floor(one.index / size);
      if (!isSame) bars.push(one);
      else if (one.loss > last.loss) bars[bars.length - 1] = one;
    }
    const worst = bars.reduce((most, bar) => (bar.loss > most.loss ? bar : most));
    const [bottom, scale] = [HEIGHT - FOOT, (HEIGHT - FOOT) / Math.max(worst.loss, 1)];
    place = line("place", 0, 0, bottom);
    svg.append(place, line("ground", 0, bottom, bottom, width()));
    for (const { index, loss } of bars) {
      if (loss > 0) svg.append(line("loss", x(index), bottom - loss * scale, bottom));
    }
    svg.append(text(0, "start", "Move 1"), text(width(), "end", grouped(count)));
    const told = worst.loss > 0 ? `Most was lost at move ${grouped(worst.index + 1)}: ${lossText(worst.loss)} points.`
      : "Nothing was lost.";
    svg.setAttribute("aria-label", `Points lost over the game. ${told}`);
    mark(at);
  }

  function line(kind, left, top, bottom, right = left) {
    return drawing("line", { class: kind, x1: left, x2: right, y1: top, y2: bottom });
  }

  function text(left, anchor, words) {
    const made = drawing("text", { x: left, y: HEIGHT - 3, "text-anchor": anchor });
    made.textContent = words;
    return made;
  }

  // Marks the position that is on the board.
  function mark(index) {
    at = index;
    if (bars.length === 0) return;
    for (const end of ["x1", "x2"]) place.setAttribute(end, x(Math.min(at, count - 1)));
  }

  svg.addEventListener("click", (event) => {
    if (bars.length === 0) return;
    const left = event.clientX - svg.getBoundingClientRect().left;
    const distance = ({ index }) => Math.abs(x(index) - left);
    Review.visit(bars.reduce((best, bar) => (distance(bar) < distance(best) ? bar : best)).index);
  });
  new ResizeObserver(draw).observe(svg);

  return { show, mark, clear: () => show([], 0) };
})();
