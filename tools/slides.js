// A deck: what is shown is made as large as its slide allows, and a drawing with steps follows the speaker.
(() => {
  const LARGEST = { formula: 170, table: 105, quote: 140, text: 125, list: 115, code: 115, quiz: 110, live: 140 }, SMALLEST = 50;
  const all = (node, selector) => [...node.querySelectorAll(selector)];

  const fit = (sheet) => {
    const box = sheet.querySelector(".shown"), shown = box.querySelector(".fit");
    if (!shown || !box.clientHeight) return;
    const kind = sheet.className.match(/kind-(\w+)/)[1];
    for (let percent = LARGEST[kind] ?? 100; percent >= SMALLEST; percent -= 5) {
      shown.style.zoom = percent / 100;
      if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) break;
    }
  };
  const step = (sheet) => {
    const steps = all(sheet, ".step"), now = 1 + all(sheet, ".step.visible").length;
    steps.forEach((item, i) => item.classList.toggle("now", i + 1 === now));
    for (const part of steps.length ? all(sheet, "[data-from]") : []) {
      const { from, to } = part.dataset;
      part.style.display = now < +from || (to !== undefined && now > +to) ? "none" : "inline";
    }
  };
  const settle = (slide) => all(slide ?? document, ".sheet").forEach((sheet) => { fit(sheet); step(sheet); });

  Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t", navigationMode: "linear",
    transition: "none", backgroundTransition: "none", pdfSeparateFragments: false, plugins: [RevealNotes],
    keyboardCondition: ({ target }) => !target.closest?.(".live-ready"), // the keys of a live figure are its own
  });
  Reveal.on("ready", ({ currentSlide }) => settle(currentSlide));
  Reveal.on("slidechanged", ({ currentSlide }) => settle(currentSlide));
  Reveal.on("pdf-ready", () => settle());
  for (const name of ["fragmentshown", "fragmenthidden"]) Reveal.on(name, () => settle(Reveal.getCurrentSlide()));
  // A font that comes late or a live figure that grows changes the size of what is shown.
  const watch = new ResizeObserver((seen) => seen.forEach(({ target }) => fit(target.closest(".sheet"))));
  all(document, ".fit").forEach((shown) => watch.observe(shown));
})();
