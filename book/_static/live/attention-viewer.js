// <attention-viewer>: which source tokens a target token attends to, in each layer and head.
(() => {
  const { html, svg, number, percent, select, matrix, status, define } = window.liveFigures;
  const CELL = 28;

  define("attention-viewer", ({ weights, source, target, alignment }) => {
    let [layer, head, row, column] = [0, 0, 0, 0];
    const short = (word) => (word.length > 13 ? `${word.slice(0, 12)}…` : word); // as much as the margin has room for
    const longest = (words) => Math.max(...words.map((word) => word.length));
    const left = Math.min(120, 8.5 * longest(target) + 10), top = Math.min(120, 8.5 * longest(source) + 10);
    const map = matrix({ rows: target.length, columns: source.length, width: CELL, left, top,
      label: "attention, target tokens in rows, source tokens in columns", pick: (i, j) => { [row, column] = [i, j]; tell(); } });
    target.forEach((word, i) => map.append(svg("text", { x: left - 6, y: top + (i + 0.5) * CELL + 5, "text-anchor": "end" }, short(word))));
    source.forEach((word, j) => map.append(svg("text", {
      transform: `translate(${left + (j + 0.5) * CELL + 5} ${top - 6}) rotate(-90)` }, short(word))));
    const links = (alignment ?? []).map(([i, j]) => svg("rect", { x: left + j * CELL + 3, y: top + i * CELL + 3, width: CELL - 6, height: CELL - 6,
      class: "live-gold" }));
    map.append(...links);
    const strip = html("ul", { class: "live-strip", "aria-label": "source tokens with the weight each gets" });
    const told = status();

    const tell = () => {
      const shares = weights[layer][head][row];
      strip.replaceChildren(...source.map((word, j) => html("li", { class: j === column ? "live-now" : null },
        html("span", null, word), html("b", { style: `opacity:${shares[j]}`, "aria-hidden": "true" }),
        html("small", { "data-name": "share" }, percent(shares[j])))));
      const gold = links.length ? (alignment.some(([i, j]) => i === row && j === column) ? "; the gold alignment links the two" : "; the gold alignment does not link the two") : "";
      const which = weights.length * weights[0].length > 1 ? `Layer ${layer}, head ${head}: ` : ""; // one map has no number
      told.say(`${which}“${target[row]}” puts ${number(shares[column], 3)} of its attention on “${source[column]}”${gold}.`);
    };
    const draw = () => { map.paint((i, j) => weights[layer][head][i][j]); tell(); };
    const box = html("input", { type: "checkbox", checked: "", onchange: () =>
      links.forEach((link) => link.classList.toggle("live-off", !box.checked)) });
    const several = (label, list, change) => (list.length > 1 ? select(label, list.map((_, i) => String(i)), change) : []);
    draw();
    return [
      html("p", { class: "live-help" }, "Point at a cell, tap it, or focus the map and use the arrow keys. The stronger the colour, the more attention."),
      html("div", { class: "live-controls" }, several("layer", weights, (x) => { layer = x; draw(); }),
        several("head", weights[0], (x) => { head = x; draw(); }),
        links.length ? html("label", { class: "live-check" }, box, " gold alignment") : []),
      html("div", { class: "live-scroll" }, html("div", { style: `min-width:${left / 2 + 20 * source.length}px;max-width:${1.4 * (left + CELL * source.length)}px` }, map)),
      strip, told,
    ];
  });
})();
