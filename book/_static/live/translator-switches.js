// What can be switched in <translator-figure>: each switch is an experiment of a chapter. The reader guesses first, then
// the model writes again, and the figure says what changed.
(() => {
  const { html, percent } = window.liveFigures;
  const GUESSES = ["none", "one or two", "more"];
  const SEEN = 0.01; // a probability that falls by less is not worth a word
  const kindOf = (apart) => (apart === 0 ? 0 : apart <= 2 ? 1 : 2);
  const PLACES = [["encoder.0.attention", "encoder, layer 0, attention"], ["encoder.0.feed_forward", "encoder, layer 0, feed-forward"],
    ["encoder.1.attention", "encoder, layer 1, attention"], ["encoder.1.feed_forward", "encoder, layer 1, feed-forward"],
    ...[0, 1].flatMap((layer) => [["self", "self-attention"], ["cross", "cross-attention"], ["feed_forward", "feed-forward"]]
      .map(([part, words]) => [`decoder.${layer}.${part}`, `decoder, layer ${layer}, ${words}`]))];

  window.translatorSwitches = (figure) => {
    const { S, data, shown } = figure;
    let asking = null, right = 0, played = 0;
    const panel = html("div", { class: "tr-panel", role: "status" });
    const bar = html("div", { class: "tr-switches", role: "group", "aria-label": "what is switched off" });
    const chapter = (number) => {
      const { url, title } = data.chapters[number];
      return html("a", { href: url }, `chapter ${number}: ${title}`);
    };

    // Each switch: its words, its chapter, whether it is off, how to switch it, the question, and what to know after it.
    const hardest = () => {
      const maps = S.rows[S.position].cross;
      let best = [0, 0];
      maps.forEach((layer, l) => layer.forEach((weights, h) => { if (Math.max(...weights) > Math.max(...maps[best[0]][best[1]])) best = [l, h]; }));
      return best;
    };
    const silent = () => S.edit.heads.length;
    const SWITCHES = {
      positions: { words: "positions", chapter: 8, off: () => S.edit.positions === false, set: (off) => { S.edit.positions = off ? false : undefined; },
        question: "No word gets its position: the encoder knows which words there are, not their order.",
        after: "Without positions the encoder sees a bag of words." },
      scale: { words: "1/√dₖ", chapter: 5, off: () => S.edit.scale === false, set: (off) => { S.edit.scale = off ? false : undefined; },
        question: "No score is divided by √dₖ = √24, so all scores are almost five times as large.",
        after: "Larger scores push softmax towards a single word. This model was trained with the division; one trained without it would have learned other weights." },
      mask: { words: "causal mask", chapter: 6, off: () => S.edit.causal === false, set: (off) => { S.edit.causal = off ? false : undefined; S.view = off ? "self" : "cross"; },
        question: "While it writes, no later word exists and the mask hides nothing. So let it read the whole right translation at once, as in training, without the mask. How many of the next words that it names will differ?",
        after: "The lines now go to later words as well. The model never learned what to do with them; one that is trained without the mask learns to copy them." },
      head: { words: "one head", chapter: 12, off: () => silent() > 0, set: (off) => {
        if (!off) { S.edit.heads = []; return; }
        if (S.head === null) [S.layer, S.head] = hardest();
        S.edit.heads = [...S.edit.heads, `cross.${S.layer}.${S.head}`];
      }, question: () => { const [layer, head] = S.head === null ? hardest() : [S.layer, S.head]; return `Head ${head} of layer ${layer} says nothing any more, at no word${S.head === null ? "; here it is the one with the largest weight" : ""}.`; },
      after: "Other heads may do the same work: what one sentence shows, many sentences must confirm." },
      residual: { words: "one residual", chapter: 9, off: () => Boolean(S.edit.residual), set: (off) => { S.edit.residual = off ? S.place ?? "encoder.0.attention" : undefined; },
        question: "At one sublayer the stream is not added to what the sublayer says: what came from below is lost there.",
        after: "All later layers read the stream. Where it is cut, they get only what one sublayer says." },
    };

    const changes = () => {
      const count = apart(), total = S.plain.length - 1;
      return count === 0 ? `No word changed${fallen()}` : count < total ? `${count} of ${total} words changed` : "Nothing is left of the sentence";
    };
    // Of the words that stayed, the one that lost the most of its probability.
    const fallen = () => {
      const falls = S.rows.map(({ p }, i) => [S.chances[i] - p, i]), [fall, i] = falls.reduce((most, each) => (each[0] > most[0] ? each : most));
      return fall < SEEN ? "" : `, but “${S.written[i]}” fell from ${percent(S.chances[i])} to ${percent(S.rows[i].p)}`;
    };
    const apart = () => globalThis.courseTranslator.wordsApart(S.plain, S.written);
    const ask = (key) => {
      const { words, question, chapter: number } = SWITCHES[key];
      asking = key;
      const guess = (kind) => async () => {
        SWITCHES[key].set(true);
        await figure.run();
        figure.drawHeads();
        asking = null;
        drawBar();
        verdict(key, kind);
      };
      const place = key === "residual" ? html("select", { "aria-label": "which residual", onchange: (event) => { S.place = event.target.value; } },
        PLACES.map(([value, text]) => html("option", { value, selected: value === (S.place ?? "encoder.0.attention") ? "" : null }, text))) : [];
      panel.replaceChildren(html("p", null, html("b", null, `Without ${words === "one head" ? "this head" : words}. `), typeof question === "function" ? question() : question), place,
        html("p", { class: "tr-guess" }, html("span", null, "Guess first: how many words will change? "),
          GUESSES.map((text, i) => html("button", { type: "button", onclick: guess(i) }, text)), html("button", { type: "button", class: "tr-quiet", onclick: guess(null) }, "just show me")),
        html("p", { class: "live-help" }, chapter(number)));
      drawBar();
    };
    const verdict = (key, kind) => {
      const count = apart(), real = kindOf(count);
      if (kind !== null) { played += 1; right += kind === real; }
      const what = changes();
      const how = kind === null ? "" : kind === real ? " You said so." : ` You said: ${GUESSES[kind]}.`;
      const score = played > 1 ? ` (${right} of ${played} guesses right.)` : "";
      panel.replaceChildren(html("p", null, html("b", null, `${what}.`), `${how}${score} ${count === 0 && key !== "mask" ? "Try another sentence. " : ""}${SWITCHES[key].after}`),
        html("p", { class: "live-help" }, "More in ", chapter(SWITCHES[key].chapter), ". ", html("button", { type: "button", class: "tr-quiet", onclick: () => restore(key) }, "put it back")));
    };
    const restore = async (key) => {
      SWITCHES[key].set(false);
      await figure.run();
      figure.drawHeads();
      panel.replaceChildren();
      drawBar();
    };
    const chosen = Object.keys(SWITCHES).filter((key) => shown.has(key));
    const drawBar = () => bar.replaceChildren(chosen.length ? html("span", { class: "tr-label" }, "Switch off") : "", ...chosen.map((key) => {
      const { words, chapter: number, off } = SWITCHES[key];
      return html("button", { type: "button", class: asking === key ? "tr-asking" : null, "aria-pressed": String(off()), onclick: () => (off() ? restore(key) : ask(key)) },
        words, html("small", { "aria-hidden": "true" }, `ch. ${number}`));
    }), reset);

    // Ways to choose the words: the likeliest, a beam, a draw (chapter 11).
    const how = () => {
      const width = figure.slider("beam", { min: 1, max: 8, step: 1, value: S.width, change: (x) => { S.width = x; figure.soon(); } });
      const heat = figure.slider("temperature", { min: 0.2, max: 3, step: 0.1, value: S.temperature, show: (x) => x.toFixed(1), change: (x) => { S.temperature = x; figure.soon(); } });
      const again = figure.button("draw again", () => { S.seed += 1; figure.soon(); });
      const box = html("span", { class: "tr-way" }), set = () => box.replaceChildren(...({ beam: [width], sample: [heat, again] }[S.mode] ?? []));
      set();
      return html("div", { class: "live-controls tr-how" }, figure.select("write", ["the likeliest word", "with a beam", "by sampling"], (i) => {
        S.mode = ["greedy", "beam", "sample"][i];
        S.forced = {};
        set();
        figure.soon();
      }), box);
    };

    // One head says what it says for another sentence (chapter 12).
    const patch = () => {
      const id = `tr-other-${Math.random().toString(36).slice(2)}`;
      const field = html("input", { id, type: "text", lang: "en", value: data.other, autocomplete: "off", spellcheck: "false", maxlength: 160 });
      const told = html("p", { class: "live-help", role: "status" });
      const tell = () => {
        told.textContent = S.other ? `Head ${S.head} of layer ${S.layer} reports on the other sentence. ${changes()}. Choose another head above: which one carries the news?` : "";
      };
      const put = async (other) => {
        S.other = other;
        if (other && S.head === null) figure.choose(1, 0);
        await figure.run();
      };
      figure.redrawn = tell;
      return html("div", { class: "tr-patch" }, html("label", { for: id }, "Other sentence"), field, html("button", { type: "button", onclick: () => put(field.value) }, "Patch the chosen head"),
        html("button", { type: "button", class: "tr-quiet", onclick: () => put("") }, "put it back"), told);
    };

    const reset = html("button", { type: "button", class: "tr-quiet tr-reset", onclick: async () => {
      S.edit = { weights: [], heads: [] };
      Object.assign(S, { forced: {}, view: "cross", other: "", layer: data.layer, head: data.head });
      await figure.run();
      figure.drawHeads();
      panel.replaceChildren();
      asking = null;
      drawBar();
    } }, "undo all");
    drawBar();
    new MutationObserver(() => { if (panel.firstChild) panel.scrollIntoView({ block: "nearest" }); }).observe(panel, { childList: true });
    return html("div", { class: "tr-controls" }, shown.has("how") ? how() : [], shown.has("patch") ? patch() : [],
      bar, panel);
  };
})();
