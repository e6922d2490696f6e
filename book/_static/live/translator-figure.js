// <translator-figure>: a trained Transformer to play with. The model comes with the first touch (translator-engine.js and
// translator-weights-*.js, as scripts, since a page from file:// may load nothing else); until then the figure shows what
// the page holds. What can be switched is in translator-switches.js.
(() => {
  const { html, svg, percent, clamp, select, slider, button, status, define } = window.liveFigures;
  const folder = document.querySelector("script[src$='translator-figure.js']").src.replace(/[^/]*$/, "");
  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const PACE = 260, MOST = 24; // ms for a word that is shown as it is written; words of a sentence

  const script = (name) => new Promise((resolve, reject) => {
    document.head.append(html("script", { src: folder + name, onload: resolve, onerror: () => reject(new Error(name)) }));
  });
  let asked;
  const model = () => (asked ??= Promise.all(["translator-engine.js", "translator-weights-1.js", "translator-weights-2.js"].map(script))
    .then(() => new globalThis.courseTranslator.Translator(globalThis.courseTranslatorWeights)));

  // English as one types it, as the words of the language: "Emma's cat doesn't sleep" → Emma 's cat does not sleep .
  const wordsOf = (text, known) => {
    const spread = text.replace(/[’`]/g, "'").replace(/n't\b/gi, " not").replace(/'s\b/g, " 's").replace(/([.,?])/g, " $1 ").replace(/[!;:"]/g, " ");
    const words = spread.split(/\s+/).filter(Boolean);
    if (words.length && !/[.?]/.test(words.at(-1))) words.push(/^(do|does|did|will|where|why|when|how|who|which|what|is|are)$/i.test(words[0]) ? "?" : ".");
    return words.map((word) => (known.has(word) ? word : [word.toLowerCase(), word[0].toUpperCase() + word.slice(1).toLowerCase()].find((each) => known.has(each)) ?? word));
  };
  // French words as a sentence: l' homme → l'homme, no space before a point or a comma.
  const sentenceOf = (words) => words.map((word, i) => ({ word, glued: i === 0 || words[i - 1].endsWith("'") || word === "." || word === "," }));

  const build = (data, element) => {
    const shown = new Set(data.show);
    const S = { text: data.sentence, source: data.source, written: data.written, plain: data.written, rows: data.rows, position: Math.min(data.position, data.written.length - 1), layer: data.layer,
      head: data.head, view: "cross", edit: { weights: [], heads: [] }, forced: {}, mode: "greedy", width: 4, temperature: 1, seed: 1, other: "", hypotheses: [] };
    const figure = { S, data, element, shown };
    let translator = null, timers = [], waiting = 0;

    // --- what is computed -------------------------------------------------------------------------------------------
    const E = () => globalThis.courseTranslator;
    const summary = (row, token) => {
      const { softmax } = E(), p = softmax(S.mode === "sample" ? row.logits.map((each) => each / S.temperature) : row.logits);
      const top = p.map((each, id) => [id, each]).sort((a, b) => b[1] - a[1]).slice(0, 5);
      return { cross: row.cross, self: row.self, said: row.said, token, p: p[token], top: top.map(([id, each]) => [translator.words.target[id], each]) };
    };
    const name = (id) => (id === E().EOS ? "EOS" : translator.words.target[id]);
    const idOf = (word) => (word === "EOS" ? E().EOS : translator.encode("target", [word])[0]);

    // Writes with an edit: rows with the word, its probabilities and the weights of its position.
    const write = (source, edit, { forced = {}, plain = false } = {}) => {
      const { BOS, EOS, argmax, draw, randomFrom, softmax } = E(), random = randomFrom(S.seed), rows = [];
      let state = translator.start(source, edit), token = BOS;
      const patch = !plain && S.other && S.head !== null;
      let beside = patch && translator.start([...translator.encode("source", wordsOf(S.other, translator.ids.source)), EOS]);
      while (rows.length < translator.longest(source) && token !== EOS) {
        let own = edit;
        if (patch) {
          const told = translator.read(beside, [token]);
          beside = told.state;
          own = { ...edit, said: { [`cross.${S.layer}.${S.head}`]: { [rows.length]: told.rows[0].said.cross[S.layer][S.head] } } };
        }
        const { state: next, rows: [row] } = translator.read(state, [token], own);
        const likely = !plain && S.mode === "sample" ? draw(softmax(row.logits.map((each) => each / S.temperature)), random) : argmax(row.logits);
        token = forced[rows.length] ?? likely;
        rows.push(summary(row, token));
        state = next;
      }
      return rows;
    };
    // Reads a whole translation at once, as in training: what it would say next at each position.
    const reread = (source, tokens, edit) => translator.read(translator.start(source, edit), [E().BOS, ...tokens.slice(0, -1)], edit)
      .rows.map((row) => summary(row, E().argmax(row.logits)));

    const asItIs = () => S.mode === "greedy" && !S.other && !Object.keys(S.forced).length
      && Object.values(S.edit).every((each) => (Array.isArray(each) ? !each.length : each === undefined));
    const compute = () => {
      const { EOS } = E(), source = [...translator.encode("source", S.source.slice(0, -1)), EOS];
      const plain = write(source, {}, { plain: true });
      S.plain = plain.map((row) => name(row.token));
      S.chances = plain.map((row) => row.p);
      S.reading = S.edit.causal === false ? S.plain : null;
      S.hypotheses = [];
      if (S.reading) S.rows = reread(source, plain.map((row) => row.token), S.edit);
      else if (S.mode === "beam") {
        const best = translator.beam(source, S.width, 0.6, S.edit);
        S.hypotheses = best.map(({ tokens, score }) => ({ words: translator.decode(tokens), score }));
        S.rows = write(source, S.edit, { forced: best[0].tokens });
      } else S.rows = asItIs() ? plain : write(source, S.edit, { forced: S.forced });
      S.written = S.rows.map((row) => name(row.token));
      S.position = clamp(S.position, 0, S.rows.length - 1);
    };
    const run = async () => {
      timers.forEach(clearTimeout);
      timers = [];
      [...right.children].forEach((row) => { row.style.visibility = ""; });
      translator ??= await model();
      figure.translator = translator;
      compute();
      draw();
    };
    // Computes as often as the screen is drawn, not as often as the mouse moves.
    const soon = () => { cancelAnimationFrame(waiting); waiting = requestAnimationFrame(run); };

    // --- weights that are shown -------------------------------------------------------------------------------------
    const weightsAt = (i) => {
      const maps = S.rows[i]?.[S.view] ?? [];
      const chosen = S.layer === null ? maps.flat() : S.head === null ? maps[S.layer] : [maps[S.layer][S.head]];
      return chosen[0].map((_, j) => chosen.reduce((sum, each) => sum + each[j], 0) / chosen.length);
    };
    const keys = () => (S.view === "cross" ? S.source : ["BOS", ...(S.reading ?? S.written).slice(0, -1)]);
    const where = () => (S.layer === null ? "on average its eight heads attend" : `head ${S.head} of layer ${S.layer} attends`);
    const setWeight = (key, value) => {
      const layers = S.layer === null ? [0, 1] : [S.layer];
      const same = (each) => each.position === S.position && each.key === key && layers.includes(each.layer) && each.head === S.head;
      S.edit.weights = [...S.edit.weights.filter((each) => !same(each)), ...layers.map((layer) => ({ layer, head: S.head, position: S.position, key, value }))];
      showWeight(left.children[key].lastChild, value);
      soon();
    };

    // --- the stage: words left and right, weights as bars, lines between them ---------------------------------------
    const lines = svg("svg", { class: "tr-lines", "aria-hidden": "true" });
    const left = html("ol", { class: "tr-left" }), right = html("ol", { class: "tr-right" });
    const stage = html("div", { class: "tr-stage" }, left, html("div", { class: "tr-middle" }, lines), right);
    const sentence = html("p", { class: "tr-sentence", lang: "fr" });
    const chances = html("ul", { class: "tr-chances" });
    const chancesTitle = html("p", { class: "live-caption" });
    const hypotheses = html("ol", { class: "tr-beam" });
    const told = status();

    const moveTo = (position, focus) => {
      S.position = clamp(position, 0, S.rows.length - 1);
      draw();
      if (focus) right.children[S.position].querySelector("button").focus();
    };
    const rightRow = (word, i) => html("li", { lang: "fr" }, html("button", { type: "button", class: "tr-word", "aria-label": `French word ${i + 1}: ${word}`, onclick: () => moveTo(i),
      onpointerenter: (event) => { if (event.pointerType === "mouse" && !dragging && i !== S.position) moveTo(i); },
      onkeydown: (event) => {
        const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Home: -99, End: 99 }[event.key];
        if (by) { event.preventDefault(); moveTo(i + by, true); }
      } }, word));
    const isNew = (word, i) => S.plain[i] !== word && !S.plain.slice(Math.max(0, i - 1), i + 2).includes(word);
    // New words make new rows; otherwise the rows stay, and with them the focus and the place of the pointer.
    const drawWords = () => {
      const signature = S.written.join(" ");
      if (right.dataset.of !== signature) {
        const focused = right.contains(document.activeElement);
        right.dataset.of = signature;
        right.replaceChildren(...S.written.map(rightRow));
        if (focused) right.children[S.position].firstChild.focus();
      }
      [...right.children].forEach((row, i) => {
        row.className = `${i === S.position ? "tr-now" : ""} ${isNew(S.written[i], i) ? "tr-other" : ""}`;
        row.firstChild.setAttribute("aria-pressed", String(i === S.position));
        row.firstChild.tabIndex = i === S.position ? 0 : -1;
      });
    };
    let dragging = false;
    const showWeight = (track, weight) => {
      track.style.setProperty("--weight", weight.toFixed(4));
      if (S.view !== "cross") return;
      track.setAttribute("aria-valuenow", Math.round(100 * weight));
      track.setAttribute("aria-valuetext", percent(weight));
    };
    const leftRow = (word, j) => {
      const track = html("span", { class: "tr-track" }, html("span", { class: "tr-bar" }), html("span", { class: "tr-knob" }));
      const row = html("li", null, html("span", { class: "tr-key", lang: S.view === "cross" ? "en" : "fr" }, word), track);
      if (S.view !== "cross") return row;
      for (const [key, value] of Object.entries({ tabindex: 0, role: "slider", "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": `weight of “${word}”` })) track.setAttribute(key, value);
      const follow = (event) => {
        const box = track.getBoundingClientRect();
        setWeight(j, Math.round(100 * clamp((event.clientX - box.left - 6) / (box.width - 12), 0, 1)) / 100);
      };
      track.addEventListener("pointerdown", (event) => { track.setPointerCapture(event.pointerId); track.focus(); dragging = true; follow(event); event.preventDefault(); });
      track.addEventListener("pointermove", (event) => { if (track.hasPointerCapture(event.pointerId)) follow(event); });
      track.addEventListener("lostpointercapture", () => { dragging = false; });
      track.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -0.1, ArrowDown: -0.1, ArrowRight: 0.1, ArrowUp: 0.1, PageDown: -0.5, PageUp: 0.5, Home: -1, End: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        setWeight(j, clamp(Math.round(track.getAttribute("aria-valuenow") / 10 + 10 * by) / 10, 0, 1));
      });
      return row;
    };

    const paths = () => {
      const box = lines.getBoundingClientRect();
      if (!box.width) return;
      const middle = (node) => { const each = node.getBoundingClientRect(); return each.top + each.height / 2 - box.top; };
      lines.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
      const all = [];
      [...right.children].forEach((target, i) => {
        const now = i === S.position;
        if (!S.rows[i]) return;
        weightsAt(i).forEach((weight, j) => {
          if (weight < (now ? 0.02 : 0.25)) return;
          const [from, to] = [middle(left.children[j]), middle(target)];
          all.push([now, svg("path", { d: `M0 ${from}C${box.width * 0.5} ${from} ${box.width * 0.5} ${to} ${box.width} ${to}`,
            class: now ? "tr-line tr-now" : "tr-line", style: `stroke-width:${(now ? 1 + 7 * weight : 0.6 + 1.6 * weight).toFixed(2)}px;stroke-opacity:${(now ? 0.2 + 0.75 * weight : 0.22 * weight).toFixed(3)}` })]);
        });
      });
      lines.replaceChildren(...all.sort((a, b) => a[0] - b[0]).map(([, path]) => path));
    };

    const draw = () => {
      const names = keys();
      const signature = `${S.view} ${names.join(" ")}`;
      if (left.dataset.of !== signature) {
        left.dataset.of = signature;
        left.replaceChildren(...names.map(leftRow));
      }
      drawWords();
      const weights = weightsAt(S.position), changed = S.edit.weights.filter((each) => each.position === S.position);
      [...left.children].forEach((row, j) => {
        const weight = weights[j] ?? 0, track = row.lastChild;
        row.classList.toggle("tr-hidden", j >= weights.length);
        row.classList.toggle("tr-set", changed.some((each) => each.key === j));
        showWeight(track, weight);
      });
      stage.classList.toggle("tr-own", S.view === "self");
      paths();
      const { top, p } = S.rows[S.position];
      chancesTitle.replaceChildren("next word, after ", html("b", { lang: "fr" }, S.position ? (S.reading ?? S.written)[S.position - 1] : "nothing yet"));
      const choosing = chances.contains(document.activeElement);
      chances.replaceChildren(...top.map(([word, chance], i) => {
        const said = word === "<eos>" ? "EOS" : word, share = chance < 0.005 ? "< 1 %" : percent(chance);
        return html("li", { class: said === S.written[S.position] ? "tr-said" : null },
          html("button", { type: "button", "aria-label": `${said} ${share}: write this word instead`, onclick: () => force(said) },
            html("span", { lang: "fr" }, said), " ", html("span", { class: "tr-chance", style: `--chance:${chance.toFixed(4)}` }), html("small", null, share)));
      }));
      if (choosing) (chances.querySelector(".tr-said button") ?? chances.querySelector("button")).focus();
      const different = new Set(S.written.filter((word, i) => S.plain[i] !== word && !S.plain.includes(word)));
      const words = sentenceOf(S.written.filter((word) => word !== "EOS"));
      sentence.replaceChildren(...words.flatMap(({ word, glued }, i) => {
        const text = i ? word : word[0].toUpperCase() + word.slice(1);
        return [glued ? "" : " ", html("span", { class: `${i === S.position ? "tr-now" : ""} ${different.has(word) ? "tr-other" : ""}` }, text)];
      }));
      hypotheses.replaceChildren(...S.hypotheses.map(({ words: each, score }) => html("li", { lang: "fr" }, `${each.join(" ")} `, html("small", null, score.toFixed(2).replace("-", "−")))));
      hypotheses.hidden = !S.hypotheses.length;
      const best = weights.indexOf(Math.max(...weights));
      told.say(`To write “${S.written[S.position]}” (${percent(p ?? top[0][1])}), ${where()} most to “${names[best]}” (${percent(weights[best])}).`);
      figure.redrawn?.();
    };
    // Writes another word here, and lets the model go on from it.
    const force = async (word) => {
      const position = S.position, kept = Object.entries(S.forced).filter(([at]) => +at < position);
      figure.translator = translator ??= await model();
      S.forced = { ...Object.fromEntries(kept), [position]: idOf(word) };
      await run();
    };

    // --- the sentence -----------------------------------------------------------------------------------------------
    const unknown = html("p", { class: "tr-unknown", role: "status" });
    const offers = html("div", { class: "tr-offers", role: "group", "aria-label": "words that it knows" });
    const id = `tr-${Math.random().toString(36).slice(2)}`;
    const field = html("input", { id, type: "text", value: data.sentence, autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 160, lang: "en" });
    const offer = async () => {
      translator ??= await model();
      const { value } = field, at = field.selectionStart ?? value.length, begun = value.slice(0, at).match(/[\w']*$/)[0];
      const known = translator.words.source.slice(4).filter((word) => /^[\w]/.test(word));
      const fits = (begun ? known.filter((word) => word.toLowerCase().startsWith(begun.toLowerCase()) && word !== begun) : []).slice(0, 8);
      offers.replaceChildren(...fits.map((word) => html("button", { type: "button", onclick: () => {
        field.value = `${value.slice(0, at - begun.length)}${word} ${value.slice(at).trimStart()}`;
        field.focus();
        field.setSelectionRange(at - begun.length + word.length + 1, at - begun.length + word.length + 1);
        offer();
      } }, word)));
      tellUnknown(value.slice(0, at - begun.length));
    };
    const tellUnknown = (text) => {
      const strange = wordsOf(text, translator.ids.source).filter((word) => !translator.ids.source.has(word));
      unknown.textContent = strange.length ? `It has never seen “${strange.join("”, “")}”: it knows ${translator.words.source.length - 4} words, and reads <unk> there.` : "";
    };
    const translate = async (text = field.value) => {
      translator ??= await model();
      const words = wordsOf(text, translator.ids.source);
      invitation.textContent = text === data.sentence ? data.invitation : "";
      offers.replaceChildren();
      tellUnknown(text);
      if (!words.length) return;
      if (words.length > MOST) { unknown.textContent = `At most ${MOST} words, please: this sentence has ${words.length}.`; return; }
      S.source = [...words.map((word) => (translator.ids.source.has(word) ? word : "<unk>")), "EOS"];
      Object.assign(S, { forced: {}, position: 0, seed: S.mode === "sample" ? S.seed + 1 : S.seed });
      S.edit.weights = [];
      await run();
      play();
    };
    // Shows the words one after the other, in the time that a reader needs to see where each looked.
    const play = () => {
      if (still()) return;
      const show = (last) => [...right.children].forEach((row, i) => { row.style.visibility = i > last ? "hidden" : ""; });
      show(0);
      S.written.forEach((_, i) => timers.push(setTimeout(() => { show(i); moveTo(i); }, i * PACE)));
    };
    field.addEventListener("input", offer);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") translate();
      if (event.key === "Escape") offers.replaceChildren();
      if (event.key === "ArrowDown" && offers.firstChild) { event.preventDefault(); offers.firstChild.focus(); }
    });
    offers.addEventListener("keydown", (event) => {
      const by = { ArrowRight: "nextSibling", ArrowLeft: "previousSibling" }[event.key];
      if (by) document.activeElement[by]?.focus();
      if (event.key === "ArrowUp" || event.key === "Escape") field.focus();
    });
    let next = 0;
    const another = () => {
      next = (next + 1) % data.examples.length;
      field.value = data.examples[next];
      translate();
    };
    for (const event of ["pointerenter", "focusin", "touchstart"]) element.addEventListener(event, () => model(), { once: true, passive: true });

    // --- which head -------------------------------------------------------------------------------------------------
    const heads = html("div", { class: "tr-heads", role: "group", "aria-label": "whose weights are shown" });
    const choose = (layer, head) => { Object.assign(S, { layer, head }); drawHeads(); if (S.other) soon(); else draw(); };
    const drawHeads = () => {
      const one = (label, layer, head, aria) => html("button", { type: "button", "aria-label": aria, "aria-pressed": String(S.layer === layer && S.head === head),
        class: S.edit.heads.includes(`cross.${layer}.${head}`) ? "tr-off" : null, onclick: () => choose(layer, head) }, label);
      heads.replaceChildren(one("all heads", null, null, "all heads"), ...[0, 1].map((layer) => html("span", { class: "tr-layer" }, html("small", null, `layer ${layer}, head`),
        ...[0, 1, 2, 3].map((head) => one(String(head), layer, head, `layer ${layer}, head ${head}`)))));
    };
    drawHeads();

    const invitation = html("b", null, data.invitation);
    Object.assign(figure, { run, soon, draw, drawHeads, choose, compute, weightsAt, model, html, select, slider, button, translate, field, wordsOf });
    const switches = window.translatorSwitches(figure);
    new ResizeObserver(paths).observe(stage);
    document.fonts?.ready.then(paths);
    draw();
    return [
      html("div", { class: "tr-input" }, html("label", { for: id }, "English"), field,
        html("button", { type: "button", class: "tr-go", onclick: () => translate() }, "Translate"), html("button", { type: "button", class: "tr-next", onclick: another }, "Another one")),
      offers, unknown, sentence,
      html("p", { class: "live-help" }, "Point at a French word to see what the model attended to when it wrote it. Drag a bar, and a head attends to another word. ", invitation),
      shown.has("heads") ? heads : [],
      html("div", { class: "tr-body" }, stage, html("div", { class: "tr-side" }, chancesTitle, chances, hypotheses)),
      told, switches,
    ];
  };

  const ready = () => define("translator-figure", build);
  Promise.all([script("translator-switches.js"), new Promise((resolve) => {
    document.head.append(html("link", { rel: "stylesheet", href: `${folder}translator.css`, onload: resolve }));
  })]).then(ready);
})();
