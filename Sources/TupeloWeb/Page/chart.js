// A line chart in SVG: one line per run, ticks at round numbers, the values under the pointer in the legend.
class LineChart {
  constructor(title, { format = compact, control = null } = {}) {
    this.title = title;
    this.format = format;
    this.series = [];
    this.svg = drawing("svg", { role: "img" });
    this.legend = element("ul", { class: "legend" });
    const head = element("div", { class: "head" }, element("h2", {}, title), ...(control ? [control] : []));
    this.element = element("section", { class: "card chart" }, head, this.svg, this.legend);
    this.svg.addEventListener("pointermove", (event) => this.#point(event));
    this.svg.addEventListener("pointerleave", () => this.#point(null));
    new ResizeObserver(() => this.draw(this.series, this.axis)).observe(this.svg);
  }

  // `series`: name, color, points as [x, y] by x, isDashed.
  draw(series, axis = "games") {
    this.series = series;
    this.axis = axis;
    const points = series.flatMap((one) => one.points);
    const width = this.svg.clientWidth || 440;
    const height = 220;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    this.legend.replaceChildren();
    if (points.length === 0) return;
    const box = { left: 46, right: width - 8, top: 8, bottom: height - 24 };
    const most = Math.max(...points.map(([x]) => x), 1e-9);
    const ticks = roundTicks(Math.min(0, ...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y)), 4);
    const [low, high] = [ticks[0], ticks[ticks.length - 1]];
    this.x = (value) => box.left + (value / most) * (box.right - box.left);
    this.y = (value) => box.bottom - ((value - low) / (high - low || 1)) * (box.bottom - box.top);
    this.most = most;
    this.box = box;
    for (const tick of ticks) {
      this.#line("grid", box.left, this.y(tick), box.right, this.y(tick));
      this.#text(this.format(tick), box.left - 8, this.y(tick) + 4, "end");
    }
    const across = roundTicks(0, most, Math.max(2, Math.floor(width / 110))).filter((tick) => tick <= most);
    for (const tick of across) {
      this.#text(axis === "seconds" ? clock(tick) : compact(tick), this.x(tick), height - 6, tick === 0 ? "start" : "middle");
    }
    for (const one of series) this.#curve(one);
    this.cross = this.#line("cross", 0, box.top, 0, box.bottom);
    this.cross.setAttribute("visibility", "hidden");
    this.#say(Infinity);
    this.svg.setAttribute("aria-label", `${this.title} over ${axis}. ${this.legend.textContent}`);
  }

  #curve({ points, color, isDashed }) {
    const path = thin(points, 500).map(([x, y], index) => `${index === 0 ? "M" : "L"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`);
    const curve = drawing("path", { class: isDashed ? "line dashed" : "line", d: path.join("") });
    curve.style.stroke = color;
    this.svg.append(curve);
    if (points.length > 12) return;
    for (const [x, y] of points) {
      const dot = drawing("circle", { cx: this.x(x), cy: this.y(y), r: 3.5 });
      dot.style.fill = color;
      dot.style.stroke = "none";
      this.svg.append(dot);
    }
  }

  #line(kind, x1, y1, x2, y2) {
    const line = drawing("line", { class: kind, x1, y1, x2, y2 });
    this.svg.append(line);
    return line;
  }

  #text(words, x, y, anchor) {
    const text = drawing("text", { x, y, "text-anchor": anchor });
    text.textContent = words;
    this.svg.append(text);
  }

  #point(event) {
    if (!this.cross) return;
    const { left } = this.svg.getBoundingClientRect();
    const isInside = event !== null && this.series.length > 0;
    const value = isInside ? ((event.clientX - left - this.box.left) / (this.box.right - this.box.left)) * this.most : Infinity;
    this.cross.setAttribute("visibility", isInside && value >= 0 && value <= this.most ? "visible" : "hidden");
    if (isInside) {
      this.cross.setAttribute("x1", this.x(value));
      this.cross.setAttribute("x2", this.x(value));
    }
    this.#say(value);
  }

  // The value of each line at `x`, or its last.
  #say(x) {
    this.legend.replaceChildren(...this.series.filter(({ points }) => points.length > 0).map(({ name, color, points, isDashed }) => {
      const found = points.findLast((point) => point[0] <= x) ?? points[0];
      const swatch = element("i", { class: isDashed && "dashed" });
      swatch.style.borderColor = color;
      return element("li", {}, swatch, `${name} `, element("b", {}, this.format(found[1])));
    }));
  }
}

// Round numbers that span low...high, about `count` steps of them.
function roundTicks(low, high, count) {
  if (!(high > low)) return [low, low + 1];
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * size >= rough) * size;
  const ticks = [];
  for (let index = Math.floor(low / step); (index - 1) * step < high; index += 1) ticks.push(Number((index * step).toPrecision(12)));
  return ticks;
}

// At most `count` points: the means of neighbours.
function thin(points, count) {
  if (points.length <= count) return points;
  const size = Math.ceil(points.length / count);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const group = points.slice(index * size, (index + 1) * size);
    return [0, 1].map((part) => group.reduce((sum, point) => sum + point[part], 0) / group.length);
  });
}

// 1,200 as 1.2k
function compact(value) {
  const size = Math.abs(value);
  const [unit, letter] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((value / unit).toPrecision(3))}${letter}`.replace("-", "−");
}

const percent = (share) => `${Number((share * 100).toPrecision(3))}%`;

function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}
