// <position-explorer>: sinusoidal encodings; one dimension as a wave, and dot products, which follow from the offset alone.
(() => {
  const { html, svg, number, slider, matrix, facts, status, define } = window.liveFigures;
  const [WIDTH, HEIGHT] = [480, 130];

  define("position-explorer", ({ length, d_model: start, positions }) => {
    let [size, p, q, dimension] = [start, ...positions, 4];
    const encode = (position) => Array.from({ length: size }, (_, i) => {
      const angle = position / 10000 ** (2 * Math.floor(i / 2) / size);
      return i % 2 ? Math.cos(angle) : Math.sin(angle);
    });
    let table, map;
    const place = html("div"), wave = html("div"), products = html("div"), told = status();
    const line = facts();
    const step = WIDTH / length;

    // A line over 0 .. length − 1 with dots at some of its points; values from low to high.
    const plot = (values, marks, low, high, label) => {
      const at = (i) => [(i + 0.5) * step, 8 + (HEIGHT - 16) * (high - values[i]) / (high - low)];
      const zero = 8 + (HEIGHT - 16) * high / (high - low);
      return svg("svg", { viewBox: `-2 0 ${WIDTH + 4} ${HEIGHT}`, role: "img", class: "live-wide", "aria-label": label },
        svg("path", { d: `M0 ${zero}H${WIDTH}`, class: "live-axis" }),
        svg("polyline", { points: values.map((_, i) => at(i).map((x) => x.toFixed(1)).join()).join(" "), class: "live-curve" }),
        marks.map(([i, name]) => {
          const [x, y] = at(i);
          return [svg("circle", { cx: x, cy: y, r: 6, class: "live-knob" }),
            svg("text", { x: x + (x > WIDTH - 30 ? -10 : 10), y: y < 30 ? y + 16 : y - 8, "text-anchor": x > WIDTH - 30 ? "end" : "start" }, name)];
        }));
    };
    const show = () => {
      const dot = (a, b) => table[a].reduce((sum, x, i) => sum + x * table[b][i], 0);
      const offset = Math.abs(p - q);
      const name = dimension % 2 ? "cosine" : "sine";
      const period = 2 * Math.PI * 10000 ** (2 * Math.floor(dimension / 2) / size);
      wave.replaceChildren(plot(table.map((row) => row[dimension]), [[p, "t"], [q, "t′"]], -1, 1, `dimension ${dimension} over all positions`));
      products.replaceChildren(plot(table.map((_, k) => dot(0, k)), [[offset, String(offset)]], -size / 2, size / 2,
        "dot product of two encodings by their offset"));
      line.set([["t, dimension", table[p][dimension]], ["t′, dimension", table[q][dimension]], ["t · t′", dot(p, q)],
        ["t · t", dot(p, p)]].map(([what, value]) => [what, number(value, 3)]));
      told.say(`Dimension ${dimension} is a ${name} that repeats after ${number(period, period < 100 ? 1 : 0)} positions. ` +
        `Positions ${p} and ${q}, offset ${offset}: dot product ${number(dot(p, q), 3)}.`);
    };
    const resize = (d) => {
      size = d;
      table = Array.from({ length }, (_, i) => encode(i));
      dimension = Math.min(dimension, size - 1);
      map = matrix({ rows: size, columns: length, width: step, height: Math.max(3, 160 / size), label: "encodings, dimensions in rows, positions in columns",
        pick: (i, j) => { [dimension, p] = [i, j]; first.set(p); show(); } });
      map.paint((i, j) => table[j][i]);
      map.choose(dimension, p, false);
      place.replaceChildren(map);
      show();
    };
    const first = slider("position t", { min: 0, max: length - 1, step: 1, value: p, change: (x) => { p = x; map.choose(dimension, p, false); show(); } });
    const second = slider("position t′", { min: 0, max: length - 1, step: 1, value: q, change: (x) => { q = x; show(); } });
    const widths = slider("d_model", { min: 1, max: 6, step: 1, value: Math.log2(size), show: (x) => String(2 ** x), change: (x) => resize(2 ** x) });
    resize(size);
    return [
      html("p", { class: "live-help" }, "Point at the map, tap it, or focus it and use the arrow keys: it chooses position t and a dimension."),
      html("div", { class: "live-controls" }, first, second, widths),
      html("div", { class: "live-flow" },
        html("div", null, html("p", { class: "live-caption" }, "all encodings: dimensions from top to bottom, positions from left to right"), place),
        html("div", null, html("p", { class: "live-caption" }, "the chosen dimension over all positions"), wave),
        html("div", null, html("p", { class: "live-caption" }, "dot product of two encodings by their offset"), products)),
      line, told,
    ];
  });
})();
