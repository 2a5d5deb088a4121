import { clock, compact, download, drawing, element } from "./text.js";

// A line chart in SVG: one line per run, ticks at round numbers, the values under the pointer in the legend. A line may
// have a band around it, for how far it can be trusted.
export class LineChart {
  constructor(title, { format = compact, control = null } = {}) {
    this.title = title;
    this.format = format;
    this.series = [];
    this.pointer = null; // the last place of a pointer over the chart
    this.svg = drawing("svg", { role: "img" });
    this.legend = element("ul", { class: "legend" });
    this.across = element("small");
    const head = element("div", { class: "head" }, element("h2", {}, title, this.across), control ?? "");
    this.tagNames = element("p", { class: "note" });
    const tools = element("details", {}, element("summary", {}, "Tags and files"), this.tagNames,
      element("div", { class: "row" }, element("button", { onclick: () => download(`${title}.csv`, this.csv) }, "CSV"),
        element("button", { onclick: () => this.#savePicture() }, "PNG")));
    this.element = element("section", { class: "card chart" }, head, this.svg, this.legend, tools);
    this.svg.addEventListener("pointermove", (event) => this.#point(event.clientX));
    this.svg.addEventListener("pointerleave", () => this.#point(null));
    new ResizeObserver(() => this.draw(this.series, this.axis, this.options)).observe(this.svg);
  }

  // `series`: name, color, points as [x, y] by x, isDashed, and a band as [x, low, high] by x.
  draw(series, axis = "games", options = {}) {
    [this.series, this.axis, this.options] = [series, axis, options];
    this.tagNames.textContent = `In the metrics: ${(options.tags ?? []).join(", ")}`;
    const width = this.svg.clientWidth || 440;
    const height = this.svg.clientHeight || 220;
    const over = ` over ${axis === "seconds" ? "time" : axis}`;
    this.across.textContent = over;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.replaceChildren();
    this.legend.replaceChildren();
    this.cross = null;
    const { most, low: least, high: top, positive } = extent(series);
    if (most === null) return;
    const box = { left: 46, right: width - 8, top: 8, bottom: height - 24 };
    const isLog = options.isLog === true && positive < top;
    const ticks = isLog ? logTicks(positive, top) : roundTicks(least, top, 4);
    const [low, high] = [ticks[0], ticks.at(-1)];
    const share = (value) => (isLog ? Math.log(Math.max(value, low) / low) / Math.log(high / low)
      : (value - low) / (high - low || 1));
    this.x = (value) => box.left + (value / most) * (box.right - box.left);
    this.y = (value) => box.bottom - share(value) * (box.bottom - box.top);
    this.most = most;
    this.box = box;
    for (const tick of ticks) {
      this.#line("grid", box.left, this.y(tick), box.right, this.y(tick));
      this.svg.append(words(this.format(tick), box.left - 8, this.y(tick) + 4, "end"));
    }
    for (const tick of roundTicks(0, most, Math.max(2, Math.floor(width / 110))).filter((one) => one <= most)) {
      const number = axis === "seconds" ? clock(tick) : compact(tick);
      this.svg.append(words(number, this.x(tick), height - 6, tick === 0 ? "start" : "middle"));
    }
    for (const one of series) this.#band(one);
    for (const one of series) this.#curve(one);
    this.cross = this.#line("cross", 0, box.top, 0, box.bottom);
    this.#say(Infinity);
    this.svg.setAttribute("aria-label", `${this.title}${over}. ${this.legend.textContent}`);
    // New numbers come while somebody looks: the pointer stays where it is, and so do the values under it.
    this.#point(this.pointer);
  }

  // All points, one a row, with the edges of the band.
  get csv() {
    const rows = this.series.flatMap(({ name, points, band = [] }) => {
      const edges = new Map(band.map(([x, ...own]) => [x, own]));
      return points.map(([x, y]) => [name, x, y, ...(edges.get(x) ?? ["", ""])]);
    });
    const quoted = (cell) => (typeof cell === "string" && cell !== "" ? `"${cell.replaceAll('"', '""')}"` : cell);
    const all = [["curve", this.axis, this.title, "low", "high"], ...rows];
    return all.map((row) => `${row.map(quoted).join(",")}\n`).join("");
  }

  // The chart as it looks: an SVG image has no style sheet, so each part gets a style of its own.
  async #savePicture() {
    const { clientWidth: width, clientHeight: height } = this.svg;
    const copy = this.svg.cloneNode(true);
    for (const [name, value] of [["width", width], ["height", height]]) copy.setAttribute(name, value);
    const names = ["stroke", "fill", "stroke-width", "stroke-dasharray", "fill-opacity", "font-size", "font-family"];
    this.svg.querySelectorAll("*").forEach((one, index) => {
      const style = getComputedStyle(one);
      for (const name of names) copy.querySelectorAll("*")[index].style.setProperty(name, style.getPropertyValue(name));
    });
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    await image.decode();
    const rows = [...this.legend.children];
    const canvas = element("canvas", { width: 2 * (width + 16), height: 2 * (height + 34 + 20 * rows.length) });
    const pen = canvas.getContext("2d");
    const { backgroundColor, color, fontFamily } = getComputedStyle(this.element);
    const write = (text, fillStyle, x, y) => Object.assign(pen, { fillStyle }).fillText(text, x, y);
    Object.assign(pen, { fillStyle: backgroundColor, font: `14px ${fontFamily}` });
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.scale(2, 2);
    pen.drawImage(image, 0, 30);
    write(this.title + this.across.textContent, color, 8, 20);
    rows.forEach((row, index) => {
      write("●", getComputedStyle(row.firstChild).borderTopColor, 8, height + 46 + 20 * index);
      write([...row.children].map((one) => one.textContent).join("  "), color, 24, height + 46 + 20 * index);
    });
    canvas.toBlob((blob) => download(`${this.title}.png`, blob));
  }

  #band({ band = [], color }) {
    if (band.length < 2) return;
    const edge = [...this.#path(band, 1), ...this.#path(band, 2).reverse()];
    this.svg.append(drawing("path", { class: "band", d: `M${edge.join("L")}Z`, style: { fill: color } }));
  }

  // The places of points, by one of their coordinates besides x.
  #path(points, part = 1) {
    return thin(points, 500).map((point) => `${this.x(point[0]).toFixed(1)} ${this.y(point[part]).toFixed(1)}`);
  }

  #curve({ points, color, isDashed }) {
    const kind = isDashed ? "line dashed" : "line";
    this.svg.append(drawing("path", { class: kind, d: `M${this.#path(points).join("L")}`, style: { stroke: color } }));
    const style = { fill: color, stroke: "none" };
    const dots = points.length > 12 ? [] : points;
    this.svg.append(...dots.map(([x, y]) => drawing("circle", { cx: this.x(x), cy: this.y(y), r: 3.5, style })));
  }

  #line(kind, x1, y1, x2, y2) {
    const line = drawing("line", { class: kind, x1, y1, x2, y2 });
    this.svg.append(line);
    return line;
  }

  #point(clientX) {
    this.pointer = clientX;
    if (this.cross === null) return;
    const { left, right } = this.box;
    const place = clientX === null ? Infinity : clientX - this.svg.getBoundingClientRect().left - left;
    const value = (place / (right - left)) * this.most;
    const isInside = value >= 0 && value <= this.most;
    this.cross.setAttribute("visibility", isInside ? "visible" : "hidden");
    if (isInside) for (const end of ["x1", "x2"]) this.cross.setAttribute(end, this.x(value));
    this.#say(value);
  }

  // The value of each line at `x`, or its last.
  #say(x) {
    const lines = this.series.filter(({ points }) => points.length > 0);
    this.legend.replaceChildren(...lines.map(({ name, color, points, isDashed }) => {
      const found = points.findLast((point) => point[0] <= x) ?? points[0];
      const swatch = element("i", { class: isDashed && "dashed", style: { borderColor: color } });
      return element("li", {}, swatch, element("span", {}, name), element("b", {}, this.format(found[1])));
    }));
  }
}

// A text in a drawing.
export const words = (text, x, y, anchor) => drawing("text", { x, y, "text-anchor": anchor }, text);

// The largest x, the range of y with zero in it, and the smallest y above zero; `most` is null without points. Loops,
// since a long run has more points than a call may have arguments.
function extent(series) {
  let [most, low, high, positive] = [null, 0, -Infinity, Infinity];
  for (const [x, ...values] of series.flatMap(({ points, band = [] }) => [...points, ...band])) {
    most = Math.max(most ?? 1e-9, x);
    for (const value of values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
      if (value > 0) positive = Math.min(positive, value);
    }
  }
  return { most, low, high, positive };
}

// Each point as the mean of itself and those before it, `count` at most.
export function smooth(points, count) {
  if (count <= 1) return points;
  let sum = 0;
  return points.map(([x, y], index) => {
    sum += y - (index >= count ? points[index - count][1] : 0);
    return [x, sum / Math.min(index + 1, count)];
  });
}

// Powers of ten, and with few of them twice and five times each, that span low...high.
function logTicks(low, high) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : [1, 2, 5];
  const all = Array.from({ length: last - first + 1 }, (_, index) => factors.map(
    (factor) => Number((factor * 10 ** (first + index)).toPrecision(3)))).flat();
  return all.slice(all.findLastIndex((tick) => tick <= low), all.findIndex((tick) => tick >= high) + 1);
}

// Round numbers that span low...high, about `count` steps of them.
export function roundTicks(low, high, count) {
  if (!(high > low)) return [low, low + 1];
  const rough = (high - low) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * size >= rough) * size;
  const ticks = [];
  for (let index = Math.floor(low / step); (index - 1) * step < high; index += 1) {
    ticks.push(Number((index * step).toPrecision(12)));
  }
  return ticks;
}

// At most `count` points: the means of neighbours.
export function thin(points, count) {
  if (points.length <= count) return points;
  const size = Math.ceil(points.length / count);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const group = points.slice(index * size, (index + 1) * size);
    return group[0].map((_, part) => group.reduce((sum, point) => sum + point[part], 0) / group.length);
  });
}
