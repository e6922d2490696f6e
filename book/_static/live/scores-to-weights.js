// <scores-to-weights>: one query against keys in the plane; scores, weights, and the weighted mean of the values.
(() => {
  const { html, svg, number, percent, clamp, softmax, slider, button, table, half, status, define } = window.liveFigures;
  const SIZE = 300;

  define("scores-to-weights", ({ query: start, keys, values, labels, temperature: startTemperature }) => {
    const scale = Math.sqrt(start.length);
    const flat = values[0].length === 2; // then the values have a picture of their own
    let query = [...start];
    let temperature = startTemperature;

    // A plane with both axes from -reach to reach; at(point) gives the place in the drawing.
    const plane = (points, label) => {
      const reach = Math.ceil(1.15 * Math.max(1, ...points.flat().map(Math.abs)));
      const at = ([x, y]) => [SIZE / 2 * (1 + x / reach), SIZE / 2 * (1 - y / reach)];
      const lines = [];
      for (let i = 1 - reach; i < reach; i++) {
        const [p, q] = at([i, i]);
        lines.push(`M${p} 0V${SIZE}M0 ${q}H${SIZE}`);
      }
      const node = svg("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": label },
        svg("path", { d: lines.join(""), class: "live-grid" }),
        svg("path", { d: `M${SIZE / 2} 0V${SIZE}M0 ${SIZE / 2}H${SIZE}`, class: "live-axis" }));
      return { node, at, reach };
    };
    const dots = ({ node, at }, points, role) => points.map((point, i) => {
      const [x, y] = at(point);
      const dot = svg("circle", { cx: x, cy: y, r: 5, class: `live-dot live-${role}` });
      const left = x > SIZE - 70;
      node.append(dot, svg("text", { x: x + (left ? -12 : 12), y: y + 5, "text-anchor": left ? "end" : "start" }, labels[i]));
      return dot;
    });

    const left = plane([start, ...keys], "Plane with the keys and the query");
    const arrow = svg("line", { x1: SIZE / 2, y1: SIZE / 2, class: "live-arrow" });
    left.node.append(arrow);
    const keyDots = dots(left, keys, "key");
    const handle = svg("g", { tabindex: 0, role: "slider", class: "live-handle", "aria-label": "query, moved by the arrow keys",
      "aria-valuemin": -left.reach, "aria-valuemax": left.reach },
    svg("circle", { r: 24, class: "live-touch" }), svg("circle", { r: 9, class: "live-knob" }),
    svg("text", { x: 0, y: -15, "text-anchor": "middle" }, "query"));
    left.node.append(handle);

    const right = flat && plane(values, "Plane with the values and their weighted mean");
    const valueDots = flat && dots(right, values, "value");
    const mean = flat && svg("g", { class: "live-mean" }, svg("rect", { x: -7, y: -7, width: 14, height: 14 }),
      svg("text", { x: 0, y: -13, "text-anchor": "middle" }, "output"));
    if (flat) right.node.append(mean);

    const rows = labels.map((label) => html("tr", null, html("th", { scope: "row" }, label),
      ...["dot", "score", "weight"].map((name) => html("td", { "data-name": name })),
      html("td", { class: "live-bar", "aria-hidden": "true" }, html("span"))));
    const output = html("p", { class: "live-output" });
    const told = status();

    const draw = () => {
      const products = keys.map((key) => key.reduce((sum, k, i) => sum + k * query[i], 0));
      const scores = products.map((product) => product / scale / temperature);
      const weights = softmax(scores);
      const result = values[0].map((_, i) => values.reduce((sum, value, j) => sum + weights[j] * value[i], 0));
      rows.forEach((row, i) => {
        [products[i], scores[i]].forEach((x, c) => { row.cells[c + 1].textContent = number(x); });
        row.cells[3].textContent = number(weights[i], 3);
        row.querySelector("span").style.width = `${100 * weights[i]}%`;
        for (const list of [keyDots, valueDots || []]) list[i]?.setAttribute("r", 4 + 10 * Math.sqrt(weights[i]));
      });
      const [x, y] = left.at(query);
      arrow.setAttribute("x2", x);
      arrow.setAttribute("y2", y);
      handle.setAttribute("transform", `translate(${x} ${y})`);
      handle.setAttribute("aria-valuenow", query[0]);
      handle.setAttribute("aria-valuetext", `(${query.map((q) => number(q)).join(", ")})`);
      if (flat) mean.setAttribute("transform", `translate(${right.at(result)})`);
      output.textContent = `output = weighted mean of the values = (${result.map((r) => number(r, 3)).join(", ")})`;
      const best = weights.indexOf(Math.max(...weights));
      told.say(`The query (${query.map((q) => number(q)).join(", ")}) gives “${labels[best]}” the most: ${percent(weights[best])}.`);
    };

    const move = (to) => {
      query = to.map((q) => clamp(Math.round(q * 100) / 100, -left.reach, left.reach));
      draw();
    };
    const follow = (event) => {
      const box = left.node.getBoundingClientRect();
      move([(2 * (event.clientX - box.left) / box.width - 1) * left.reach, (1 - 2 * (event.clientY - box.top) / box.height) * left.reach]);
    };
    // CSS touch-action does not hold inside an SVG: this keeps a finger on the query from scrolling the page.
    handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); handle.focus(); event.preventDefault(); });
    handle.addEventListener("pointermove", (event) => { if (handle.hasPointerCapture(event.pointerId)) follow(event); });
    left.node.addEventListener("click", (event) => { if (!handle.contains(event.target)) follow(event); });
    handle.addEventListener("keydown", (event) => {
      const step = event.shiftKey ? 0.5 : 0.1;
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
      if (!by && event.key !== "Home") return;
      event.preventDefault();
      move(by ? query.map((q, i) => q + by[i]) : start);
    });

    // The slider runs over powers of two: equal steps divide or multiply by the same factor.
    const heat = slider("temperature", { min: -4, max: 4, step: 0.25, value: Math.log2(temperature),
      show: (x) => number(2 ** x), change: (x) => { temperature = 2 ** x; draw(); } });
    const reset = button("Start again", () => { temperature = startTemperature; heat.set(Math.log2(temperature)); move(start); });
    const later = flat && half("values and output", right.node);
    if (flat) later.classList.add("live-later"); // on a phone it comes after the table
    draw();
    return [
      html("p", { class: "live-help" }, "Drag the query, tap in the plane, or focus it and use the arrow keys (Shift: larger steps)."),
      html("div", { class: "live-flow" },
        half("keys and query", left.node), flat ? later : [],
        html("div", { class: "live-controls" }, heat, reset),
        html("p", { class: "live-help" }, `score = q · k / √${start.length} / temperature`),
        table(["key", "q · k", "score", "weight", ""], rows)),
      output, told,
    ];
  });
})();
