// <heads-over-updates>: attention maps of a few heads, one update of the training after the other.
(() => {
  const { html, svg, number, slider, matrix, facts, status, define } = window.liveFigures;
  const [CELL, EDGE] = [20, 22];

  define("heads-over-updates", ({ updates, maps, tokens, facts: numbers }) => {
    let at = updates.length - 1, chosen = [Object.keys(maps)[0], tokens.length - 1, 0];
    const line = facts(), told = status();
    const tell = () => {
      const [name, i, j] = chosen;
      told.say(`After ${updates[at]} updates, ${name}: position ${i + 1} (“${tokens[i]}”) puts ${number(maps[name][at][i][j], 2)} of its attention on position ${j + 1} (“${tokens[j]}”).`);
    };
    const shown = Object.keys(maps).map((name) => {
      const map = matrix({ rows: tokens.length, columns: tokens.length, width: CELL, left: EDGE, top: EDGE,
        label: `${name}, queries in rows, keys in columns`, pick: (i, j) => { chosen = [name, i, j]; tell(); } });
      tokens.forEach((word, i) => map.append(
        svg("text", { x: EDGE - 5, y: EDGE + (i + 0.5) * CELL + 5, "text-anchor": "end" }, word),
        svg("text", { x: EDGE + (i + 0.5) * CELL, y: EDGE - 6, "text-anchor": "middle" }, word)));
      return [name, map];
    });
    const draw = () => {
      shown.forEach(([name, map]) => map.paint((i, j) => maps[name][at][i][j]));
      line.set(Object.entries(numbers).map(([name, values]) => [name, number(values[at], 2)]));
      tell();
    };
    const time = slider("update", { min: 0, max: updates.length - 1, step: 1, value: at, show: (i) => String(updates[i]),
      change: (i) => { at = i; draw(); } });
    draw();
    return [
      html("p", { class: "live-help" }, "Move the slider through the training. Point at a cell, or focus a map and use the arrow keys, to read a weight."),
      html("div", { class: "live-controls" }, time),
      html("div", { class: "live-flow" }, shown.map(([name, map]) => html("div", { style: "flex:1 1 240px;max-width:330px" }, html("p", { class: "live-caption" }, name), map))),
      line, told,
    ];
  });
})();
