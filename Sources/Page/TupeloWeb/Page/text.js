// Small things that several views use.
const byId = (id) => document.getElementById(id);
const grouped = (value) => Math.round(value).toLocaleString("en-US");
const percent = (share) => `${Number((share * 100).toPrecision(3))}%`;
const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const uncapital = (text) => text[0].toLowerCase() + text.slice(1);
const icon = (use, name) => use.setAttribute("href", `#i-${name}`);

// A text of somebody else's, such as the name in a record, of a length that leaves room for everything else.
function shortened(text, most = 80) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

// Does what a key stands for; false when it stands for nothing.
function obey(commands, key) {
  if (!Object.hasOwn(commands, key)) return false;
  commands[key]();
  return true;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") made.className = value || "";
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function drawing(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Values that are kept from visit to visit. The page also works in a browser that keeps nothing.
const Store = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(`tupelo.${key}`));
    } catch {
      return null;
    }
  },
  write(key, value) {
    try {
      localStorage.setItem(`tupelo.${key}`, JSON.stringify(value));
    } catch {
      // Private windows and full disks: the game goes on, it is only not kept.
    }
  },
};

// The texts for a screen reader. Texts of one moment become one text, so that none hides another. In fast play, only
// the latest text of two seconds is read.
const Voice = {
  waiting: [],
  say(text, { isUrgent = true } = {}) {
    const now = performance.now();
    if (!isUrgent && now - (this.last ?? -1e9) < 2000) return;
    this.last = now;
    this.waiting.push(text);
    if (this.waiting.length > 1) return;
    queueMicrotask(() => { byId("live").textContent = this.waiting.splice(0).join(" "); });
  },
  describe(board) {
    const rows = [0, 1, 2, 3].map((row) => {
      const tiles = board.slice(row * 4, row * 4 + 4)
        .map((exponent) => (exponent === 0 ? "empty" : Rules.tile(exponent)));
      return `Row ${row + 1}: ${tiles.join(", ")}.`;
    });
    return rows.join(" ");
  },
};

// Saves a text or a blob as a file.
function download(name, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
