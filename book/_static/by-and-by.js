// The page is laid out by and by, so that its first lines are there at once.
//
// course.css lets the browser skip what is below the screen (content-visibility). As soon as the page has loaded, the
// rest follows here in slices of a few milliseconds, between which the page answers. The theme would measure all boxes
// that scroll at the very beginning, which lays out the whole chapter in one go; that question gets an empty answer,
// and each box is measured in its turn: one that scrolls can be reached with the keyboard. Runs before the theme.
const BOXES = "pre, .nboutput > .output_area, .cell_output > .output, .jp-RenderedHTMLCommon, .pst-scrollable-table-container";
const SLICE = 6; // milliseconds

const findAll = document.querySelectorAll.bind(document);
document.querySelectorAll = (selector) => findAll(selector.startsWith("pre, .nboutput") ? ":not(*)" : selector);
const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 20));

const makeReachable = (box) => {
  box.tabIndex = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight ? 0 : -1;
};

function go(blocks, then) {
  const start = performance.now();
  while (blocks.length && performance.now() - start < SLICE) {
    const block = blocks.shift();
    block.style.contentVisibility = "visible";
    if (block.matches(BOXES)) makeReachable(block);
    block.querySelectorAll(BOXES).forEach(makeReachable);
    block.getBoundingClientRect();
  }
  if (blocks.length) later(() => go(blocks, then));
  else then();
}

addEventListener("load", () => {
  const blocks = findAll(".bd-article > section > section > *, .bd-article > section > :not(section)");
  later(() => go([...blocks], () => document.documentElement.classList.add("whole")));
});
let waiting;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => findAll(BOXES).forEach(makeReachable), 300);
});
