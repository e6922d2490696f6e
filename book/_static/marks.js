/* Marks of a reader: chapters that were read, exercises that are solved. They stay in this browser and are ticks in the
   map. The script stands on the chapters and on the page of the map; without it nothing of this is there. */
(() => {
  "use strict";
  const KEY = "course-marks", KINDS = ["read", "solved"], own = document.currentScript.dataset;

  /** The numbers of the units, as "04", for each kind of mark; null where this browser keeps nothing. */
  const load = () => {
    let kept = null;
    try { kept = localStorage.getItem(KEY); } catch { return null; }
    try { kept = JSON.parse(kept); } catch { kept = null; }
    return Object.fromEntries(KINDS.map((kind) => [kind, Array.isArray(kept?.[kind]) ? kept[kind].map(String) : []]));
  };
  const save = (marks) => { try { localStorage.setItem(KEY, JSON.stringify(marks)); } catch { /* it is shown all the same */ } };

  /** At the end of a chapter: a box to tick. */
  const control = (unit) => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    const label = document.createElement("label"), line = document.createElement("p"), map = document.createElement("a");
    line.className = "read-mark";
    label.append(box, " I have read this chapter");
    map.href = own.map;
    map.textContent = "The map";
    line.append(label, " ", map);
    const show = () => { box.checked = load()?.read.includes(unit) ?? false; };
    box.addEventListener("change", () => {
      const marks = load() || { read: [], solved: [] };
      marks.read = marks.read.filter((each) => each !== unit).concat(box.checked ? [unit] : []).sort();
      save(marks);
    });
    document.querySelector("article").append(line);
    return show;
  };

  /** In the map: ticks, and below it what they are. `#solved=04,07` in the address adds exercises. */
  const ticks = (maps) => {
    const links = [...document.querySelectorAll("svg.course-map a[data-unit]")];
    const line = document.createElement("p"), button = document.createElement("button");
    const command = Object.assign(document.createElement("code"), { textContent: "make progress" });
    line.className = "read-mark";
    line.append("Tick “I have read this chapter” at the end of a chapter, and the map shows it; ", command,
      " ends with a link that adds your exercises. The ticks stay in this browser. ", button);
    Object.assign(button, { type: "button", textContent: "Forget them" });
    maps[maps.length - 1].after(line);
    const show = () => {
      const marks = load() || { read: [], solved: [] };
      for (const link of links)
        for (const kind of KINDS) link.classList.toggle(kind, marks[kind].includes(link.dataset.unit));
      button.hidden = !KINDS.some((kind) => marks[kind].length);
    };
    const add = () => {
      const told = /^#solved=(\d\d(?:,\d\d)*)$/.exec(location.hash), marks = load();
      if (!told || !marks) return;
      const known = new Set(links.map((link) => link.dataset.unit));
      marks.solved = [...new Set([...marks.solved, ...told[1].split(",")])].filter((unit) => known.has(unit)).sort();
      save(marks);
      try { history.replaceState(null, "", location.href.split("#")[0]); } catch { /* a file, in some browsers */ }
      show();
      maps[0].closest("section").scrollIntoView();
    };
    button.addEventListener("click", () => { save({ read: [], solved: [] }); show(); });
    addEventListener("hashchange", add);
    add();
    return show;
  };

  if (!load()) return;
  const maps = document.querySelectorAll("svg.course-map");
  const show = own.unit ? control(own.unit) : maps.length ? ticks(maps) : () => {};
  show();
  addEventListener("storage", show);
  addEventListener("pageshow", show);
})();
