// Small things that several views use.
export const byId = (id) => document.getElementById(id);
export const grouped = (value) => Math.round(value).toLocaleString("en-US");
export const percent = (share) => `${Number((share * 100).toPrecision(3))}%`;
export const plural = (count, word) => `${grouped(count)} ${word}${Math.round(count) === 1 ? "" : "s"}`;
export const dated = (time) =>
  new Date(Number(time) || 0).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const uncapital = (text) => text[0].toLowerCase() + text.slice(1);
export const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

// Whether the view of this name is shown. While one view gives way to another, none is.
export const isShown = (view) => document.body.dataset.view === view;

// Texts of elements, by their ids.
export function texts(all) {
  for (const [id, text] of Object.entries(all)) byId(id).textContent = text;
}

// Shows a text as an error or as a note.
export function remark(id, text, isError = false) {
  byId(id).textContent = text;
  byId(id).className = isError ? "error" : "note";
}

// Sets what a click on elements does, by their ids.
export function clicks(actions) {
  for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => action());
}

// 1,200 as 1.2k
export function compact(value) {
  const size = Math.abs(Number(value.toPrecision(3)));
  const [unit, letter] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${Number((value / unit).toPrecision(3))}${letter}`.replace("-", "−");
}

export function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// Work that runs until the button `id` stops it.
export class Running {
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
    use?.setAttribute("href", isOn ? "#i-pause" : "#i-play");
  }
}

// A list that is drawn again and again: elements that stay are not touched, so that the focus stays, too.
export function showChildren(parent, children) {
  const isSame = children.length === parent.children.length
    && children.every((one, index) => parent.children[index] === one);
  if (!isSame) parent.replaceChildren(...children);
}

// A button that opens a file by an input of files.
export function onFile(buttonId, inputId, open) {
  const input = byId(inputId);
  clicks({ [buttonId]: () => input.click() });
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) open(file);
    input.value = "";
  });
}

// A text of somebody else's, such as the name in a record, of a length that leaves room for everything else.
export function shortened(text, most = 80) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

// The result of some work; null if it fails.
export function orNull(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

// Does some work. If it fails, the element `id` says why, after the text `lead`.
export async function attempt(id, work, lead = "") {
  byId(id).textContent = "";
  try {
    await work();
  } catch ({ message }) {
    byId(id).textContent = lead + message;
  }
}

// Does what a key stands for; false when it stands for nothing.
export function obey(commands, key) {
  if (!Object.hasOwn(commands, key)) return false;
  commands[key]();
  return true;
}

function completed(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") Object.assign(made.style, value);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// An element of the page, or of a drawing, with attributes, styles, listeners such as `onclick`, and children.
export const element = (name, attributes = {}, ...children) =>
  completed(document.createElement(name), attributes, children);
export const drawing = (name, attributes = {}, ...children) =>
  completed(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// An entry of a list that is a button.
export const entry = (onclick, ...children) => element("li", {}, element("button", { onclick }, ...children));

// Saves a text or a blob as a file.
export function download(name, content) {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "text/plain" });
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const option = ({ name, title }) => element("option", { value: name }, title);
