// What all live figures share. A classic script, because ES modules do not load from file://.
// A page loads it only if it holds a figure; it then loads live.css and one script for each kind of figure in the page.
(() => {
  const TAGS = ["scores-to-weights", "softmax-jacobian", "head-splitter", "attention-viewer", "beam-stepper",
    "position-explorer"];
  const folder = document.currentScript.src.replace(/[^/]*$/, "");
  let count = 0;

  const fill = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.flat());
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

  // Defines the element. `build(data)` returns the figure; if it fails, the static table in the page stays.
  const define = (tag, build) => customElements.get(tag) || customElements.define(tag, class extends HTMLElement {
    connectedCallback() {
      if (this.classList.contains("live-ready")) return;
      const { title, ...data } = JSON.parse(this.querySelector("script").textContent);
      const figure = build(data);
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", title);
      this.classList.add("live-ready");
      this.replaceChildren(html("p", { class: "live-title" }, title), ...[figure].flat());
    }
  });

  window.liveFigures = { html, svg, number, percent, clamp, softmax, slider, select, button, status, define };

  const load = () => {
    const style = html("link", { rel: "stylesheet", href: `${folder}live.css` });
    // The figures wait for their style sheet, so that no unstyled one is ever drawn.
    style.onload = () => TAGS.filter((tag) => document.querySelector(tag)).forEach((tag) =>
      document.head.append(html("script", { src: `${folder}${tag}.js` })));
    document.head.append(style);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
  else load();
})();
