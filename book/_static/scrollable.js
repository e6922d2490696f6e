// Boxes that scroll can be reached with the keyboard, at no cost while the page opens.
//
// The theme measures every code cell, output and table as soon as the page is there. That makes the browser lay out
// the whole chapter before it shows the first line. Here a box is measured when it comes into view, and all of them at
// the first key; content-visibility (course.css) leaves the rest alone until then. Runs before the theme's own script,
// whose question for all of these boxes gets an empty answer.
const BOXES = "pre, .nboutput > .output_area, .cell_output > .output, .jp-RenderedHTMLCommon, .pst-scrollable-table-container";

const findAll = document.querySelectorAll.bind(document);
document.querySelectorAll = (selector) => findAll(selector.startsWith("pre, .nboutput") ? ":not(*)" : selector);

const makeReachable = (box) => {
  box.tabIndex = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight ? 0 : -1;
};
const inView = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) makeReachable(entry.target);
});
const measureAll = () => findAll(BOXES).forEach(makeReachable);

findAll(BOXES).forEach((box) => inView.observe(box));
addEventListener("keydown", measureAll, { once: true, capture: true });
let waiting;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(measureAll, 300);
});
