// What all live figures share. A classic script, because ES modules do not load from file://.
// A page loads it only if it holds a figure; it then loads live.css and one script for each kind of figure in the page.
(() => {
  const TAGS = ["translator-figure", "rnn-translator", "scores-to-weights", "softmax-jacobian", "head-splitter", "attention-viewer", "beam-stepper",
    "position-explorer", "picture-mover", "step-through", "heads-over-updates",
    "running-softmax"];
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  let count = 0;

  const fill = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.flat(Infinity));
    return node;
  };
  const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // A number as text: a true minus sign, and no "−0.00".
  const number = (x, digits = 2) => (Object.is(+x.toFixed(digits), -0) ? 0 : x).toFixed(digits).replace("-", "−");
  const percent = (x) => `${(100 * x).toFixed(0)} %`;
  const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
  const softmax = (scores) => {
    const highest = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - highest));
    const total = powers.reduce((a, b) => a + b);
    return powers.map((power) => power / total);
  };

  // A labelled slider. `change` gets the number; `show` turns it into the text beside the slider.
  const slider = (label, { min, max, step, value, show = String, change }) => {
    const id = `live-${++count}`;
    const text = html("span", { class: "live-value", "aria-hidden": "true" });
    const input = html("input", { id, type: "range", min, max, step, value });
    const tell = () => {
      text.textContent = show(+input.value);
      input.setAttribute("aria-valuetext", text.textContent);
    };
    input.addEventListener("input", () => { tell(); change(+input.value); });
    tell();
    const box = html("div", { class: "live-slider" }, html("label", { for: id }, label), input, text);
    box.set = (x) => { input.value = x; tell(); };
    return box;
  };
  const select = (label, options, change) => {
    const id = `live-${++count}`;
    const input = html("select", { id, onchange: () => change(+input.value) },
      options.map((option, i) => html("option", { value: i }, option)));
    return html("div", { class: "live-slider" }, html("label", { for: id }, label), input);
  };
  const button = (label, press) => html("button", { type: "button", onclick: press }, label);

  // A matrix of coloured cells in which mouse, finger or arrow keys choose one; `pick` gets its row and column.
  // `left` and `top` leave room for labels. node.paint(f) colours cell (i, j) by f(i, j) from −1 to 1, 0 is no colour.
  const matrix = ({ rows, columns, label, pick, width = 20, height = width, left = 0, top = 0 }) => {
    const place = (i, j) => ({ x: left + j * width, y: top + i * height, width, height });
    const cells = Array.from({ length: rows * columns }, (_, k) => svg("rect", place(Math.floor(k / columns), k % columns)));
    const cursor = svg("rect", { class: "live-cursor" });
    const [w, h] = [left + columns * width, top + rows * height];
    const node = svg("svg", { viewBox: `-2 -2 ${w + 4} ${h + 4}`, tabindex: 0, role: "application", "aria-roledescription": "map",
      "aria-label": `${label}; arrow keys choose a cell`, class: "live-matrix" },
    svg("g", { class: "live-cells" }, cells),
    svg("rect", { x: left, y: top, width: w - left, height: h - top, class: "live-frame" }), cursor);
    let at = [0, 0];
    node.paint = (f) => cells.forEach((cell, k) => {
      const x = f(Math.floor(k / columns), k % columns);
      cell.setAttribute("fill-opacity", Math.min(1, Math.abs(x)).toFixed(3));
      cell.classList.toggle("live-minus", x < 0);
    });
    node.choose = (i, j, tell = true) => {
      at = [clamp(i, 0, rows - 1), clamp(j, 0, columns - 1)];
      for (const [name, value] of Object.entries(place(...at))) cursor.setAttribute(name, value);
      if (tell) pick(...at);
    };
    const point = (event) => {
      const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
      const [i, j] = [Math.floor((y - top) / height), Math.floor((x - left) / width)];
      if (i >= 0 && j >= 0 && i < rows && j < columns && (i !== at[0] || j !== at[1])) node.choose(i, j);
    };
    node.addEventListener("pointermove", point);
    node.addEventListener("click", point);
    node.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (!by) return;
      event.preventDefault();
      node.choose(at[0] + by[0], at[1] + by[1]);
    });
    node.choose(0, 0, false);
    return node;
  };

  // A table from a row of headings and rows of cells, the first of each row its name.
  const table = (head, rows) => html("table", { class: "live-table" },
    html("thead", null, html("tr", null, head.map((text) => (text ? html("th", { scope: "col" }, text) : html("td"))))),
    html("tbody", null, rows));
  const half = (caption, ...content) => html("div", { class: "live-half" }, html("p", { class: "live-caption" }, caption), content);

  // Named numbers in one line.
  const facts = () => {
    const node = html("p", { class: "live-facts" });
    node.set = (pairs) => node.replaceChildren(...pairs.map(([name, value]) =>
      html("span", null, `${name} `, html("b", { "data-name": name }, value))));
    return node;
  };

  // One sentence that a screen reader hears after the reader has paused, so that a drag does not stammer.
  const status = () => {
    const seen = html("p", { class: "live-status" });
    const heard = html("span", { class: "live-hidden", "aria-live": "polite" });
    let timer;
    const node = html("div", null, seen, heard);
    node.say = (sentence) => {
      seen.textContent = sentence;
      clearTimeout(timer);
      timer = setTimeout(() => { heard.textContent = sentence; }, 600);
    };
    return node;
  };

  // Defines the element. `build(data, element)` returns the figure; if it fails, what the page holds stays.
  const define = (tag, build) => customElements.get(tag) || customElements.define(tag, class extends HTMLElement {
    connectedCallback() {
      if (this.classList.contains("live-ready")) return;
      const { title, ...data } = JSON.parse(this.querySelector("script").textContent);
      const figure = build(data, this);
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", title);
      this.classList.add("live-ready");
      this.replaceChildren(html("p", { class: "live-title" }, title), ...[figure].flat());
    }
  });

  window.liveFigures = { html, svg, number, percent, clamp, softmax, slider, select, button, matrix, table, half, facts, status, define };

  const load = () => {
    const figures = () => TAGS.filter((tag) => document.querySelector(tag)).forEach((tag) =>
      document.head.append(html("script", { src: `${folder}${tag}.js` })));
    if (document.querySelector("link[href*='live/live.css']")) figures();
    // The figures wait for their style sheet, so that no unstyled one is ever drawn.
    else document.head.append(html("link", { rel: "stylesheet", href: `${folder}live.css`, onload: figures }));
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
  else load();
})();
