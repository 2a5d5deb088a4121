// Every Set on the table with what an agent thinks of it: three small cards, a bar, a number. Pointing at one shows its
// cards on the table.
class ChoicesView {
  constructor(parent, onPoint) {
    this.parent = parent;
    this.onPoint = onPoint;
  }

  clear() {
    if (this.parent.firstChild !== null) this.parent.replaceChildren();
    this.onPoint([]);
  }

  // `names` by card; `criterion` is what the agent goes by.
  show(analysis, names, criterion) {
    const { choices, best = [] } = analysis;
    const bars = this.#bars(choices, criterion);
    this.parent.replaceChildren(...choices.map((choice, index) => {
      const isBest = choice.cards.join() === best.join();
      const fill = element("i");
      fill.style.transform = `scaleX(${bars[index]})`;
      const minis = choice.cards.map((card) => element("span", { class: "mini", "aria-hidden": "true" },
        ...SetCard.draw(card)));
      const row = element("li", { class: `choice ${isBest ? "best" : ""}`, "data-cards": choice.cards.join("") },
        element("span", { class: "minis" }, ...minis),
        element("span", { class: "unseen" },
          `${isBest ? "The agent’s choice: " : ""}${choice.cards.map((card) => names.get(card)).join(", ")}: `),
        element("span", { class: "bar", "aria-hidden": "true" }, fill),
        element("span", { class: "number" }, ChoicesView.number(choice, index === 0, criterion)));
      row.addEventListener("pointerenter", () => this.onPoint(choice.cards));
      row.addEventListener("pointerleave", () => this.onPoint([]));
      return row;
    }));
  }

  // A choice fills its bar by its number, or by how little it falls short of the best.
  #bars(choices, criterion) {
    if (choices.some(({ value }) => value !== undefined)) {
      const losses = choices.map(({ difference }) => -difference);
      const scale = Math.max(...losses, 0.05) * 1.15;
      return losses.map((loss) => Math.max(1 - loss / scale, 0.03));
    }
    if (!(criterion in (choices[0] ?? {}))) return choices.map(() => 0);
    const most = Math.max(...choices.map((choice) => choice[criterion]), 1);
    const least = Math.min(...choices.map((choice) => choice[criterion]));
    const from = criterion === "setsLeft" ? Math.max(2 * least - most - 1, 0) : 0;
    return choices.map((choice) => Math.max((choice[criterion] - from) / Math.max(most - from, 1), 0.03));
  }

  static number(choice, isFirst, criterion) {
    if (choice.value !== undefined) {
      if (isFirst) return choice.value.toFixed(2);
      return choice.difference > -0.005 ? "equally good" : `−${(-choice.difference).toFixed(2)}`;
    }
    if (criterion === "tableSets") return plural(choice.tableSets, "Set");
    return criterion === "setsLeft" ? plural(choice.setsLeft, "Set") : "";
  }

  // What the numbers mean.
  static legend({ choices, exact }, criterion) {
    if (choices.length === 0) return "";
    if (choices[0].value !== undefined) {
      const how = exact ? "that best play takes from here, with every deal counted" : "expected from here to the end";
      return `The number of the best choice is the Sets ${how}. Another choice shows how many fewer.`;
    }
    if (criterion === "tableSets") return "The number says how many other Sets stay on the table.";
    if (criterion === "setsLeft") return "The number says how many Sets there are among all cards not yet taken.";
    return "This agent takes any Set and does not value them.";
  }
}
