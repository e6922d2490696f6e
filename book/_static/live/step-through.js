// <step-through>: a drawing whose parts say from which step on (data-from), and up to which (data-to), they are shown.
(() => {
  const { html, button, define } = window.liveFigures;

  // The element keeps its drawing, so it is not built from data alone: it takes the children that the page holds.
  define("step-through", ({ lines }, element) => {
    const drawing = element.querySelector("svg").closest(".drawing-scroll, svg"), code = element.querySelector("pre");
    const captions = [...element.querySelectorAll("ol > li")].map((item) => item.textContent);
    const parts = [...drawing.querySelectorAll("[data-from]")];
    let now = 1;
    const rows = code?.textContent.split("\n").map((line) => html("span", { class: "live-code-line" }, line || " "));
    code?.replaceChildren(...rows);
    const said = html("p", { class: "live-step", "aria-live": "polite" });
    const show = () => {
      for (const part of parts) {
        const { from, to } = part.dataset;
        part.classList.toggle("live-off", now < +from || (to !== undefined && now > +to));
        part.classList.toggle("live-new", now === +from);
      }
      rows?.forEach((row, i) => row.classList.toggle("live-lit", lines[now - 1] === i + 1));
      said.textContent = `${now} of ${captions.length}. ${captions[now - 1]}`;
      back.setAttribute("aria-disabled", now === 1);
      next.setAttribute("aria-disabled", now === captions.length);
    };
    const go = (to) => { now = Math.min(captions.length, Math.max(1, to)); show(); };
    const back = button("← Back", () => go(now - 1)), next = button("Next →", () => go(now + 1));
    const controls = html("div", { class: "live-controls", onkeydown: (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) { event.preventDefault(); go(now + by); }
    } }, back, next, button("First step", () => go(1)));
    show();
    return [controls, said, drawing, ...(code ? [code] : [])];
  });
})();
