const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Light or dark: as the system says, or as chosen in the settings.
const Theme = (() => {
  const choice = byId("theme");
  const bars = [...document.querySelectorAll("meta[name=theme-color]")];
  const medias = bars.map((bar) => bar.media);

  function show(theme) {
    const isForced = theme === "light" || theme === "dark";
    choice.value = isForced ? theme : "";
    document.documentElement.dataset.theme = choice.value;
    // The bars of a phone's browser have the page's colour, too.
    bars.forEach((bar, index) => {
      bar.media = !isForced ? medias[index] : medias[index].includes(theme) ? "all" : "not all";
    });
  }

  choice.addEventListener("change", () => {
    Store.write("theme", choice.value);
    show(choice.value);
  });
  addEventListener("storage", ({ key }) => { if (key === "tupelo.theme") show(Store.read("theme")); });
  show(Store.read("theme"));
})();
