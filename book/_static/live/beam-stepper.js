// <beam-stepper>: a beam search step by step; each candidate is [parent in the step before, token, score, kept, ended].
(() => {
  const { html, svg, number, button, table, status, define } = window.liveFigures;
  const [WIDTH, HEIGHT] = [112, 44];

  define("beam-stepper", ({ steps, width }) => {
    let now = 0;
    const words = steps.map(() => []);
    steps.forEach((step, t) => step.forEach(([parent, token], i) => { words[t][i] = t ? [...words[t - 1][parent], token] : [token]; }));
    const tall = Math.max(...steps.map((step) => step.length));
    const at = (t, i) => [t * WIDTH + 60, (i + 0.5) * HEIGHT];
    const columns = steps.map((step, t) => svg("g", null, step.map(([parent, token, score, kept, ended], i) => {
      const [x, y] = at(t, i);
      const [px, py] = t ? at(t - 1, parent) : [14, tall * HEIGHT / 2];
      const state = kept ? "live-kept" : "live-cut";
      return [svg("path", { d: `M${px + (t ? 34 : 0)} ${py}L${x - 34} ${y}`, class: state }),
        svg("rect", { x: x - 34, y: y - 18, width: 68, height: 36, rx: 5, class: `${state}${kept && ended ? " live-ended" : ""}` }),
        svg("text", { x, y: y - 2, "text-anchor": "middle", class: state }, token.length > 8 ? `${token.slice(0, 7)}…` : token),
        svg("text", { x, y: y + 12, "text-anchor": "middle", class: `live-small ${state}` }, number(score))];
    })));
    const wide = steps.length * WIDTH;
    const tree = svg("svg", { viewBox: `0 0 ${wide} ${tall * HEIGHT}`, role: "img", style: `width:${wide}px;max-width:none` },
      svg("circle", { cx: 10, cy: tall * HEIGHT / 2, r: 4, class: "live-dot" }), columns);
    const view = html("div", { class: "live-scroll", tabindex: 0, role: "region", "aria-label": "tree of hypotheses" }, tree);
    const list = html("div"), told = status();

    const show = () => {
      columns.forEach((column, t) => column.classList.toggle("live-off", t > now));
      // Not "disabled", which would take the focus away from the reader's keyboard.
      back.setAttribute("aria-disabled", now === 0);
      next.setAttribute("aria-disabled", now === steps.length - 1);
      const step = steps[now], kept = step.filter((candidate) => candidate[3]).length;
      const verdict = ([, , , keep, ended]) => (keep ? (ended ? "finished" : "kept") : "cut");
      list.replaceChildren(table(["hypothesis", "score", ""], step.map((candidate, i) =>
        html("tr", { class: candidate[3] ? null : "live-cut" }, html("th", { scope: "row" }, words[now][i].join(" ")),
          html("td", { "data-name": "score" }, number(candidate[2], 3)), html("td", null, verdict(candidate))))));
      tree.setAttribute("aria-label", `Step ${now + 1}: ${step.map((c, i) => `${words[now][i].join(" ")} ${number(c[2])} ${verdict(c)}`).join("; ")}`);
      view.scrollLeft = (now + 1.3) * WIDTH - view.clientWidth;
      told.say(`Step ${now + 1} of ${steps.length}: ${step.length} candidates, ${kept} kept (beam width ${width}).`);
    };
    const go = (to) => { now = Math.min(steps.length - 1, Math.max(0, to)); show(); };
    const back = button("← Back", () => go(now - 1)), next = button("Next →", () => go(now + 1));
    const controls = html("div", { class: "live-controls", onkeydown: (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) { event.preventDefault(); go(now + by); }
    } }, back, next, button("First step", () => go(0)));
    show();
    return [
      html("p", { class: "live-help" }, "Solid: kept in the beam. Dashed: cut. Thick frame: finished. The number is the score."),
      controls, view, told, list,
    ];
  });
})();
