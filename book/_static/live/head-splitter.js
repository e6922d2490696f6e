// <head-splitter>: where each number of an integer tensor goes, in the right split into heads and in wrong ones.
(() => {
  const { html, svg, matrix, half, status, define } = window.liveFigures;
  const CELL = 30;

  define("head-splitter", ({ x, splits }) => {
    const owner = new Map(); // number -> its head in the right split
    splits[0].heads.forEach((head, h) => head.flat().forEach((value) => owner.set(value, h)));
    const where = new Map();
    x.forEach((row, i) => row.forEach((value, j) => where.set(value, [i, j])));
    const told = status(), marks = [], fills = [];

    // Grids side by side in one drawing: x itself is one grid, a split one for each head.
    const drawing = (grids, label) => {
      const [rows, columns] = [grids[0].length, grids[0][0].length];
      const gap = grids.length > 1 ? 12 : 0, top = grids.length > 1 ? 20 : 0;
      const total = grids.length * columns * CELL + (grids.length - 1) * gap;
      const node = svg("svg", { viewBox: `-2 -2 ${total + 4} ${rows * CELL + top + 4}`, role: "img", "aria-label": label });
      grids.forEach((grid, h) => {
        const left = h * (columns * CELL + gap);
        if (top) node.append(svg("text", { x: left, y: 12 }, `head ${h}`));
        grid.forEach((row, i) => row.forEach((value, j) => {
          const mark = svg("rect", { x: left + j * CELL, y: top + i * CELL, width: CELL, height: CELL,
            class: `live-cell live-head-${owner.get(value) % 4}` });
          mark.addEventListener("pointerenter", () => choose(value));
          mark.addEventListener("click", () => choose(value));
          marks.push([value, mark]);
          node.append(mark, svg("text", { x: left + (j + 0.5) * CELL, y: top + (i + 0.5) * CELL + 5, "text-anchor": "middle",
            class: "live-number" }, value));
        }));
      });
      return node;
    };
    const found = (heads, value) => {
      for (const [h, head] of heads.entries()) {
        for (const [i, row] of head.entries()) if (row.includes(value)) return [h, i, row.indexOf(value)];
      }
      return [];
    };
    const choose = (value) => {
      marks.forEach(([other, mark]) => mark.classList.toggle("live-chosen", other === value));
      const [token, column] = where.get(value);
      picker.choose(token, column, false);
      const right = found(splits[0].heads, value).join();
      fills.forEach(([line, { heads }], s) => {
        const [head, row, column] = found(heads, value);
        const same = [head, row, column].join() === right;
        const end = same ? ": as above" : row === token ? ": its own row, another place" : ": in another token's row";
        line.textContent = `${value} → head ${head}, row ${row}, column ${column}${s ? end : ""}`;
        line.classList.toggle("live-wrong", row !== token);
      });
      told.say(`${value} is token ${token}, column ${column}, and belongs to head ${owner.get(value)}.`);
    };

    // The picker lies over x and brings the arrow keys.
    const [rows, columns] = [x.length, x[0].length];
    const picker = matrix({ rows, columns, width: CELL, label: `x, ${rows} tokens by ${columns} columns`, pick: (i, j) => choose(x[i][j]) });
    picker.paint(() => 0);
    picker.prepend(...drawing([x], "").childNodes);
    const panels = splits.map((split) => {
      const line = html("p", { class: "live-where" });
      fills.push([line, split]);
      return half(html("code", null, split.name), drawing(split.heads, `${split.name}: ${split.heads.length} heads`), line);
    });
    choose(x[Math.min(1, rows - 1)][columns >> 1]);
    return [
      html("p", { class: "live-help" }, "Point at a number, tap it, or focus x and use the arrow keys. Colours show the head of the number in the right split."),
      html("div", { class: "live-flow" }, half("x: a row for each token", picker, told), panels),
    ];
  });
})();
