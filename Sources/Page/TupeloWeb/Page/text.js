// Small things that several views use.
const byId = (id) => document.getElementById(id);
const grouped = (value) => Math.round(value).toLocaleString("en-US");
const percent = (share) => `${Number((share * 100).toPrecision(3))}%`;
const plural = (count, word) => `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
const dated = (time) =>
  new Date(Number(time) || 0).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const uncapital = (text) => text[0].toLowerCase() + text.slice(1);
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const icon = (use, name) => use.setAttribute("href", `#i-${name}`);

// Texts of elements, by their ids.
function texts(all) {
  for (const [id, text] of Object.entries(all)) byId(id).textContent = text;
}

// What a click on elements does, by their ids.
function clicks(actions) {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => action());
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Work that runs until the button `id` stops it.
class Running {
  isOn = false;
  #count = 0; // of what began: an older one that still waits for something ends

  constructor(id) { this.button = byId(id); }

  // Starts the work. Returns a function: whether this work is still running.
  begin() {
    this.#set(true);
    const mine = this.#count;
    return () => this.isOn && mine === this.#count;
  }

  end() { this.#set(false); }

  #set(isOn) {
    this.isOn = isOn;
    this.#count += 1;
    const [words, use] = [this.button.querySelector("span") ?? this.button, this.button.querySelector("use")];
    words.textContent = isOn ? this.button.dataset.stop : this.button.dataset.start;
    if (use) icon(use, isOn ? "pause" : "play");
  }
}

// A list that is drawn again and again: elements that stay are not touched, so that the focus stays, too.
function showChildren(parent, children) {
  const isSame = children.length === parent.children.length
    && children.every((one, index) => parent.children[index] === one);
  if (!isSame) parent.replaceChildren(...children);
}

// A button that opens a file by an input of files.
function onFile(buttonId, inputId, open) {
  const input = byId(inputId);
  clicks({ [buttonId]: () => input.click() });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) open(file);
    input.value = "";
  });
}

// Texts that are pasted into a view, but not into its fields.
function onPaste(isShown, read) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (isShown() && text !== "" && !event.target.closest("input, textarea")) read(text);
  });
}

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
      // Private windows and full disks: the game continues, but it is not kept.
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
