// Draws cards of Set from their notation: number, colour, shading, shape, such as 2rtv. What cards are called and which
// of them make a Set is the engine's.
const SetCard = (() => {
  // Shapes 40 wide and 84 high, and lines across them that stay inside.
  const OUTLINES = {
    v: "M2 20A18 18 0 0 1 38 20V64A18 18 0 0 1 2 64Z",
    d: "M20 2 38 42 20 82 2 42Z",
    q: "M38 22C38 34 28 40 28 52C28 60 36 66 36 72C36 80 26 84 18 82C6 79 2 70 2 62C2 50 12 44 12 32C12 24 4 18 4 12"
      + "C4 4 14 0 22 2C34 5 38 14 38 22Z",
  };
  const STRIPES = {
    v: "M9.9 6H30.1M5.1 12H34.9M3.4 18H36.6M3.2 24H36.8M3.2 30H36.8M3.2 36H36.8M3.2 42H36.8M3.2 48H36.8M3.2 54H36.8"
      + "M3.2 60H36.8M3.4 66H36.6M5.1 72H34.9M9.9 78H30.1",
    d: "M16.7 12H23.3M14 18H26M11.3 24H28.7M8.6 30H31.4M5.9 36H34.1M3.2 42H36.8M5.9 48H34.1M8.6 54H31.4M11.3 60H28.7"
      + "M14 66H26M16.7 72H23.3",
    q: "M7.6 6H29.3M5.2 12H34.4M7.3 18H36.4M10.9 24H36.7M13.1 30H35.2M12.9 36H32.3M10.9 42H29.1M7.7 48H27.1M4.8 54H26.9"
      + "M3.3 60H29.1M3.6 66H32.7M5.6 72H34.7M10.7 78H32.4",
  };
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
      group.append(drawing("path", { d: OUTLINES[shape], class: shading === "s" ? "filled" : "outline" }));
      if (shading === "t") group.append(drawing("path", { d: STRIPES[shape], class: "stripes" }));
      svg.append(group);
    }
    return [svg, element("span", { class: "letter", "aria-hidden": "true" }, colour.toUpperCase())];
  }

  return { draw };
})();
