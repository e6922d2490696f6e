// <running-softmax>: the largest score, the sum and the output after each block of keys, beside the sum without a maximum.
(() => {
  const { html, svg, number, slider, select, button, table, facts, status, define } = window.liveFigures;
  const [WIDE, TALL, ZERO] = [64, 166, 112];
  const ORDERS = ["as they stand", "rising scores", "falling scores"];

  define("running-softmax", ({ scores, values, labels, block }) => {
    let [size, done, order, more] = [block, 1, 0, 0];
    const count = scores.length, steep = 82 / Math.max(...scores.map(Math.abs), 1);
    const picture = svg("svg", { viewBox: `0 0 ${count * WIDE} ${TALL + 44}`, role: "img", class: "live-wide" });
    const list = html("div"), line = facts(), told = status();
    const places = () => {
      const all = scores.map((_, k) => k);
      return order ? all.sort((a, b) => (order === 1 ? 1 : -1) * (scores[a] - scores[b])) : all;
    };
    // What is kept after each block, as in the recurrence: largest, sum, output.
    const states = (way) => {
      let [highest, total, output] = [-Infinity, 0, 0];
      const found = [];
      for (let start = 0; start < count; start += size) {
        const some = way.slice(start, start + size);
        const now = Math.max(highest, ...some.map((k) => scores[k] + more));
        const shrink = Math.exp(highest - now);
        const powers = some.map((k) => Math.exp(scores[k] + more - now));
        const next = shrink * total + powers.reduce((a, b) => a + b);
        output = (shrink * total * output + some.reduce((sum, k, i) => sum + powers[i] * values[k], 0)) / next;
        found.push({ keys: some, before: total, shrink, added: next - shrink * total, highest: now, total: next, output });
        [highest, total] = [now, next];
      }
      return found;
    };

    const show = () => {
      const way = places(), all = states(way), now = all[done - 1];
      const seen = done * size;
      // Float32, as in a kernel: e^89 is already too large for it.
      const naive = way.slice(0, seen).reduce((sum, k) => Math.fround(sum + Math.fround(Math.exp(scores[k] + more))), 0);
      picture.replaceChildren(
        ...way.flatMap((k, i) => {
          const tall = Math.abs(scores[k]) * steep, x = i * WIDE;
          const state = i >= seen ? "live-later-key" : i >= seen - size ? "live-now-key" : "live-seen-key";
          return [
            svg("rect", { x: x + 10, y: scores[k] < 0 ? ZERO : ZERO - tall, width: WIDE - 20, height: Math.max(tall, 1), class: state }),
            svg("text", { x: x + WIDE / 2, y: TALL + 18, "text-anchor": "middle" }, labels[k]),
            svg("text", { x: x + WIDE / 2, y: TALL + 38, "text-anchor": "middle" }, number(scores[k] + more, more ? 0 : 1)),
          ];
        }),
        svg("path", { d: `M0 ${ZERO}H${count * WIDE}`, class: "live-axis" }),
        svg("path", { d: `M0 ${ZERO - (now.highest - more) * steep}H${Math.min(seen, count) * WIDE}`, class: "live-highest" }),
        svg("text", { x: Math.min(seen, count) * WIDE - 8, y: ZERO - (now.highest - more) * steep + (now.highest - more < 0 ? 18 : -6), "text-anchor": "end" },
          `ŝ = ${number(now.highest)}`),
        svg("rect", { x: (done - 1) * size * WIDE + 3, y: 3, width: now.keys.length * WIDE - 6, height: TALL + 38, rx: 5, class: "live-cursor" }),
      );
      picture.setAttribute("aria-label", `scores ${way.map((k) => number(scores[k] + more, 1)).join(", ")}; block ${done} of ${all.length} is taken in`);
      list.replaceChildren(table(["block", "largest, ŝ", "factor of the old sum", "sum, Z", "output, o"], all.slice(0, done).map((each) =>
        html("tr", null, html("th", { scope: "row" }, each.keys.map((k) => labels[k]).join(" ")),
          html("td", { "data-name": "highest" }, number(each.highest)), html("td", { "data-name": "shrink" }, number(each.shrink, 3)),
          html("td", { "data-name": "total" }, number(each.total, 3)), html("td", { "data-name": "output" }, number(each.output, 3))))));
      line.set([[done > 1 ? "Z = factor · old Z + new terms" : "Z", done > 1
        ? `${number(now.shrink, 3)} · ${number(now.before, 3)} + ${number(now.added, 3)} = ${number(now.total, 3)}` : number(now.total, 3)],
        ["sum of e^s without subtracting ŝ, float32", Number.isFinite(naive) ? naive.toPrecision(4) : "overflow"]]);
      back.setAttribute("aria-disabled", done === 1);
      next.setAttribute("aria-disabled", done === all.length);
      told.say(`Block ${done} of ${all.length}: ` + (now.shrink < 1 && done > 1
        ? `a new largest score, ${number(now.highest)}, so all that was summed before is multiplied by ${number(now.shrink, 3)}.`
        : `the largest score ${done > 1 ? "stays" : "is"} ${number(now.highest)}.`) + ` Output so far: ${number(now.output, 3)}.`);
    };
    const go = (to) => { done = Math.min(Math.ceil(count / size), Math.max(1, to)); show(); };
    const back = button("← Back", () => go(done - 1)), next = button("Next block →", () => go(done + 1));
    const controls = html("div", { class: "live-controls" }, back, next,
      slider("keys of a block", { min: 1, max: count, step: 1, value: size, change: (x) => { size = x; go(1); } }),
      select("order", ORDERS, (x) => { order = x; go(done); }),
      slider("add to all scores", { min: 0, max: 100, step: 5, value: 0, change: (x) => { more = x; show(); } }));
    show();
    return [
      html("p", { class: "live-help" }, "One query meets its keys block by block. Bars: their scores, dashed where not read yet. Frame: the block that is taken in now. Line: the largest score so far, ŝ."),
      controls, picture, line, told, list,
    ];
  });
})();
