// Promises of answers by their questions: each is asked once. A failure is not remembered, and neither is an answer
// that is not `isKept`: the next question asks again.
class Remembered extends Map {
  of(key, ask, isKept = () => true) {
    if (this.has(key)) return this.get(key);
    const answer = ask();
    this.set(key, answer);
    answer.then((said) => { if (!isKept(said)) this.delete(key); }, () => this.delete(key));
    if (this.size > 64) this.delete(this.keys().next().value);
    return answer;
  }
}

// Asks what an agent thinks of boards, each board once.
class Analyst {
  answers = new Remembered();

  // A promise of what an agent says, in the form of `/analyze`. Agents without values choose at random.
  of(board, settings, signal) {
    const ask = () => Answers.analyze(board, settings, signal);
    return this.answers.of(this.#key(board, settings), ask, hasValues);
  }

  // A stronger model has other answers.
  #key(board, settings) { return `${Rules.hex(board)} ${Object.entries(settings)} ${Local.strength}`; }

  // What is said of the newest board that is asked for, if it stands `delay` milliseconds: null for older ones, which
  // are given up.
  async newest(board, settings, delay) {
    this.forget();
    const { signal } = (this.pending = new AbortController());
    if (!this.answers.has(this.#key(board, settings))) await pause(delay);
    if (signal.aborted) return null;
    try {
      return await this.of(board, settings, signal);
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  // Gives up what `newest` waits for.
  forget() { this.pending?.abort(); }
}

const hasValues = (analysis) => analysis.moves.some((move) => move.value !== undefined);
const bestMove = (analysis) => (analysis.best === undefined ? null : Rules.MOVES.indexOf(analysis.best));

// The four moves with their values as bars. The best one fills its bar; the others fall short by their verdicts.
class ValuesView {
  static PATIENCE = 150; // milliseconds after which values of another board are gone; sooner it would flicker

  // `buttons` of the four moves, by their number, show the values as well: on a phone the list is out of sight.
  constructor(parent, buttons = []) {
    this.parent = parent;
    this.labels = buttons.map((button) => {
      const label = element("small", { "aria-hidden": "true" });
      button.append(label);
      return [Number(button.dataset.move), label];
    });
    this.rows = Rules.MOVES.map((name, move) => {
      const arrow = drawing("svg", { "aria-hidden": "true", class: ["", "right", "down", "left"][move] });
      arrow.append(drawing("use", { href: "#i-arrow" }));
      const fill = element("i");
      const note = element("span", { class: "unseen" });
      const number = element("span", { class: "number" });
      const title = element("span", { class: "name" }, name[0].toUpperCase() + name.slice(1));
      const row = element(
        "li", { class: "value" }, arrow, title, note, element("span", { class: "bar", "aria-hidden": "true" }, fill),
        number);
      parent.append(row);
      return { row, fill, note, number };
    });
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.parent.setAttribute("aria-busy", "false");
    this.rows.forEach((_, move) => this.#set(move, "", 0, "", ""));
  }

  // Values of another board are on their way: what is here does not stay for long.
  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.clear();
      this.parent.setAttribute("aria-busy", "true");
    }, ValuesView.PATIENCE);
  }

  // `played` is the number of the next move of a record.
  show(analysis, played = null) {
    clearTimeout(this.timer);
    this.parent.setAttribute("aria-busy", "false");
    const best = bestMove(analysis);
    const top = best === null ? undefined : analysis.moves[best].value;
    analysis.moves.forEach((candidate, move) => {
      const isValued = top !== undefined && candidate.legal;
      const loss = isValued && !isAsGood(candidate) ? -candidate.difference : 0;
      const verdict = isValued ? Verdicts.of(loss, top).name : "";
      const kind = !candidate.legal ? "illegal" : move === best ? "best" : verdict === "best" ? "" : verdict;
      const length = isValued ? Verdicts.length(loss, top) : 0;
      const notes = [verdict, move === played ? "played" : ""].filter((one) => one !== "").join(", ");
      this.#set(move, move === played ? `${kind} played` : kind, length, this.#text(candidate, kind), notes);
    });
  }

  #text(candidate, kind) {
    if (!candidate.legal) return "changes nothing";
    if (candidate.value === undefined) return candidate.reward > 0 ? `+${grouped(candidate.reward)}` : "legal";
    if (kind === "best") return expectation(candidate.value);
    return isAsGood(candidate) ? "equally good" : `−${lossText(-candidate.difference)}`;
  }

  #set(move, kind, length, text, notes) {
    const { row, fill, note, number } = this.rows[move];
    row.className = `value ${kind}`;
    fill.style.transform = `scaleX(${length})`;
    note.textContent = notes === "" ? "" : `, ${notes}: `;
    number.textContent = text;
    for (const [own, label] of this.labels) {
      if (own === move) label.textContent = kind.startsWith("illegal") ? "" : text;
    }
  }
}

// A score to come is never negative, although an estimate can be.
const expectation = (value) => grouped(Math.max(value, 0));

// Searches add up in another order and round: a loss of less than a twentieth of a point does not count.
const isAsGood = (candidate) => candidate.difference > -0.05;

// A loss in points: one digit after the point while it is small.
const lossText = (loss) => (loss < 9.95 ? loss.toFixed(1) : grouped(loss));
