// <picture-mover>: a picture to move by whole pixels, class probabilities, and the attention of the class token.
(() => {
  const { html, svg, percent, clamp, select, button, half, status, define } = window.liveFigures;
  const CELL = 14;

  define("picture-mover", ({ images, labels, classes, models }) => {
    let [which, model, down, right] = [0, 0, 0, 0];
    const reach = models[0].probabilities[0].length >> 1;
    const size = images[0].length, places = models[0].attention[0][0][0].length, patch = size / places;
    const told = status();
    const cells = (count, width, name) => Array.from({ length: count * count }, (_, k) => svg("rect", {
      x: (k % count) * width, y: Math.floor(k / count) * width, width, height: width, class: name }));
    const lines = () => Array.from({ length: places + 1 }, (_, k) => svg("path", { class: "live-grid",
      d: `M0 ${k * patch * CELL}H${size * CELL}M${k * patch * CELL} 0V${size * CELL}` }));
    const frame = `-2 -2 ${size * CELL + 4} ${size * CELL + 4}`;

    const ink = cells(size, CELL, "live-ink-cell");
    const picture = svg("svg", { viewBox: frame, tabindex: 0, role: "application", "aria-roledescription": "picture to move",
      "aria-label": "the picture; arrow keys move it by one pixel", class: "live-picture" }, ink, lines());
    const looks = cells(places, patch * CELL, "live-look-cell"), shadow = cells(size, CELL, "live-ink-cell");
    const looked = svg("svg", { viewBox: frame, role: "img", "aria-label": "attention of the class token, patch by patch" }, shadow, looks, lines());
    const bars = classes.map((name) => {
      const bar = html("span"), share = html("td", { "data-name": "share" });
      const row = html("tr", null, html("th", { scope: "row" }, name), html("td", { class: "live-bar", "aria-hidden": "true" }, bar), share);
      return { row, set: (x) => { bar.style.width = `${100 * x}%`; share.textContent = percent(x); } };
    });

    const way = () => {
      const parts = [down && `${Math.abs(down)} ${down > 0 ? "down" : "up"}`, right && `${Math.abs(right)} to the ${right > 0 ? "right" : "left"}`];
      return parts.some(Boolean) ? `moved ${parts.filter(Boolean).join(", ")}` : "not moved";
    };
    const draw = () => {
      const at = (k) => images[which][Math.floor(k / size) - down]?.[(k % size) - right] ?? 0;
      for (const list of [ink, shadow]) list.forEach((cell, k) => cell.setAttribute("fill-opacity", at(k) / (list === ink ? 100 : 250)));
      const shares = models[model].probabilities[which][down + reach][right + reach];
      const seen = models[model].attention[which][down + reach][right + reach].flat();
      const most = Math.max(...seen, 1);
      looks.forEach((cell, k) => cell.setAttribute("fill-opacity", (0.9 * seen[k] / most).toFixed(2)));
      bars.forEach((bar, k) => bar.set(shares[k] / 100));
      const best = shares.indexOf(Math.max(...shares));
      told.say(`A ${labels[which]}, ${way()}: the model says ${classes[best]} with ${percent(shares[best] / 100)}.`);
    };
    const move = (y, x) => { [down, right] = [clamp(y, -reach, reach), clamp(x, -reach, reach)]; draw(); };

    picture.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(down + by[0], right + by[1]);
    });
    let start = null;
    picture.addEventListener("pointerdown", (event) => {
      start = [event.clientX, event.clientY, down, right];
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      if (!start) return;
      const pixel = picture.getBoundingClientRect().width / size;
      move(start[2] + Math.round((event.clientY - start[1]) / pixel), start[3] + Math.round((event.clientX - start[0]) / pixel));
    });
    for (const name of ["pointerup", "pointercancel"]) picture.addEventListener(name, () => { start = null; });

    draw();
    return [
      html("p", { class: "live-help" }, "Drag the digit, press a button, or focus the picture and use the arrow keys."),
      html("div", { class: "live-controls" },
        select("digit", labels.map((label, k) => (labels.indexOf(label) === k ? label : `${label}, another`)), (x) => { which = x; draw(); }),
        select("trained on", models.map(({ name }) => name), (x) => { model = x; draw(); })),
      html("div", { class: "live-controls" }, button("left", () => move(down, right - 1)), button("right", () => move(down, right + 1)),
        button("up", () => move(down - 1, right)), button("down", () => move(down + 1, right)), button("back", () => move(0, 0))),
      html("div", { class: "live-flow" }, half("the picture", picture), half("attention of the class token", looked),
        half("probabilities", html("table", { class: "live-table" }, html("tbody", null, bars.map(({ row }) => row))))),
      told,
    ];
  });
})();
