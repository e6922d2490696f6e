// <softmax-jacobian>: weights of real dot products and their Jacobian by the scores, with the number of keys and d_k apart.
(() => {
  const { html, svg, number, percent, softmax, slider, button, matrix, half, facts, status, define } = window.liveFigures;

  const small = (x) => (x && Math.abs(x) < 1e-4 ? x.toExponential(2).replaceAll("-", "−") : number(x, 5));

  define("softmax-jacobian", ({ d_k: widths, products }) => {
    const most = products[0][0].length;
    let [n, width, temperature, divide, draw] = [Math.min(8, most), widths.length - 1, 1, true, 0];
    const bars = html("div"), map = html("div"), told = status();
    const line = facts();
    let jacobian, size;

    const say = (i, j) => told.say(`Weight ${i + 1} by score ${j + 1}: ${small(jacobian[i][j])}. ` +
      (jacobian[i][j] < 0 ? "More of one takes from the other." : "Its own score raises it."));
    const show = () => {
      const scale = (divide ? Math.sqrt(widths[width]) : 1) * temperature;
      const weights = softmax(products[width][draw].slice(0, n).map((product) => product / scale));
      jacobian = weights.map((p, i) => weights.map((q, j) => (i === j ? p : 0) - p * q));
      const norm = Math.hypot(...jacobian.flat());
      const largest = Math.max(...jacobian.flat().map(Math.abs));
      const step = 300 / n;
      bars.replaceChildren(svg("svg", { viewBox: "-2 -2 304 304", role: "img",
        "aria-label": `weights: ${weights.map((p) => number(p, 3)).join(", ")}` },
      weights.map((p, i) => [svg("rect", { x: 0, y: i * step + 1, width: 230 * p, height: step - 2, class: "live-fill" }),
        svg("text", { x: 230 * p + 5, y: (i + 0.5) * step + 5 }, number(p, 3))])));
      if (size !== n) {
        size = n;
        map.replaceChildren(matrix({ rows: n, columns: n, width: step, label: "Jacobian", pick: say }));
      }
      map.firstChild.paint((i, j) => Math.sign(jacobian[i][j]) * Math.sqrt(Math.abs(jacobian[i][j]) / (largest || 1)));
      line.set([["divisor", number(scale)], ["largest weight", percent(Math.max(...weights))],
        ["largest entry", small(largest)], ["Frobenius norm", small(norm)]]);
      told.say(`${n} keys, d_k = ${widths[width]}, divided by ${number(scale)}: the Jacobian has Frobenius norm ${small(norm)}.`);
    };
    const box = html("input", { type: "checkbox", checked: "", onchange: () => { divide = box.checked; show(); } });
    show();
    return [
      html("p", { class: "live-help" }, "Entry (i, j): how weight i changes with score j. Each sign has its colour; the strongest is the largest entry, and strength goes with the square root."),
      html("div", { class: "live-controls" },
        slider("keys n", { min: 2, max: most, step: 1, value: n, change: (x) => { n = x; show(); } }),
        slider("d_k", { min: 0, max: widths.length - 1, step: 1, value: width, show: (x) => String(widths[x]),
          change: (x) => { width = x; show(); } }),
        slider("temperature", { min: -4, max: 4, step: 0.5, value: 0, show: (x) => number(2 ** x),
          change: (x) => { temperature = 2 ** x; show(); } }),
        html("label", { class: "live-check" }, box, " divide by √d_k"),
        products[0].length > 1 ? button("Another draw", () => { draw = (draw + 1) % products[0].length; show(); }) : []),
      html("div", { class: "live-flow" }, half("weights", bars), half("Jacobian", map)), line, told,
    ];
  });
})();
