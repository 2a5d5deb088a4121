// Draws cards of Set from their notation: number, colour, shading, shape, such as 2rtv. What cards are called and which
// of them make a Set is the engine's.
const SetCard = (() => {
  const [WIDTH, HEIGHT, SHAPE, GAP, TOP] = [180, 120, 40, 14, 18];

  // A drawing and the letter of its colour, which is shown on request and where colours are the system's.
  function draw(card) {
    const [number, colour, shading, shape] = card;
    const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
    const svg = drawing("svg", { viewBox, class: `symbols-${colour}`, "aria-hidden": "true" });
    const count = Number(number);
    const start = (WIDTH - count * SHAPE - (count - 1) * GAP) / 2;
    for (let index = 0; index < count; index += 1) {
      const group = drawing("g", { transform: `translate(${start + index * (SHAPE + GAP)} ${TOP})` });
      group.append(drawing("use", { href: `#set-${shape}`, class: shading === "s" ? "filled" : "outline" }));
      if (shading === "t") group.append(drawing("use", { href: `#set-${shape}-stripes`, class: "stripes" }));
      svg.append(group);
    }
    return [svg, element("span", { class: "letter", "aria-hidden": "true" }, colour.toUpperCase())];
  }

  return { draw };
})();
