// <rnn-translator>: a trained recurrent translator. Choose a French word, move its weights, and see what it becomes.
(() => {
  const { html, percent, clamp, select, button, status, define } = window.liveFigures;
  const folder = document.querySelector("script[src$='rnn-translator.js']").src.replace(/[^/]*$/, "");
  const MOST = 5; // words whose probability is shown

  const build = ({ sentences, source_words, target_words, position, ...kept }) => {
    const { RnnTranslator, withWeight, EOS } = globalThis.courseRnn, translator = new RnnTranslator(kept);
    const name = (id) => (id === EOS ? "EOS" : target_words[id]);
    const S = { sentence: 0, position, given: {} };
    let words, source, plain, rows;

    const left = html("ol", { class: "tr-left" }), right = html("p", { class: "tr-sentence", lang: "fr" });
    const chances = html("ul", { class: "tr-chances" }), caption = html("p", { class: "live-caption" }), told = status();

    const show = (track, weight) => {
      track.style.setProperty("--weight", weight.toFixed(4));
      track.setAttribute("aria-valuenow", Math.round(100 * weight));
      track.setAttribute("aria-valuetext", percent(weight));
      track.title = percent(weight);
    };
    const move = (key, value) => {
      S.given[S.position] = withWeight(rows[S.position].weights, key, clamp(value, 0, 1));
      run();
    };
    const track = (word, key) => {
      const node = html("span", { class: "tr-track", role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": `weight of ${word}`,
        onpointerdown: (event) => { node.setPointerCapture(event.pointerId); node.focus(); follow(event); event.preventDefault(); },
        onpointermove: (event) => node.hasPointerCapture(event.pointerId) && follow(event),
        onkeydown: (event) => {
          const by = { ArrowLeft: -0.05, ArrowDown: -0.05, ArrowRight: 0.05, ArrowUp: 0.05, Home: -1, End: 1 }[event.key];
          if (by) { event.preventDefault(); move(key, rows[S.position].weights[key] + by); }
        } }, html("span", { class: "tr-bar" }), html("span", { class: "tr-knob" }));
      const follow = (event) => {
        const box = node.getBoundingClientRect();
        move(key, (event.clientX - box.left - 6) / (box.width - 12));
      };
      return node;
    };

    const draw = () => {
      const row = rows[S.position], moved = S.position in S.given;
      right.replaceChildren(...rows.flatMap(({ token }, i) => [html("button", { type: "button", "aria-pressed": String(i === S.position), "aria-label": `French word ${i + 1}: ${name(token)}`,
        class: `tr-word ${i === S.position ? "tr-chosen" : ""} ${plain[i]?.token === token ? "" : "tr-other"}`, onclick: () => { S.position = i; draw(); right.querySelectorAll("button")[i].focus(); } }, name(token)), " "]));
      [...left.children].forEach((item, j) => show(item.lastChild, row.weights[j]));
      caption.textContent = `Word ${S.position + 1} ${moved ? "with your weights" : "with its own weights"}`;
      const order = row.likely.map((p, id) => [id, p]).sort((a, b) => b[1] - a[1]).slice(0, MOST);
      chances.replaceChildren(...order.map(([id, p], i) => {
        const bar = html("span", { class: "tr-chance" });
        bar.style.setProperty("--chance", p.toFixed(4));
        return html("li", { class: i ? "" : "tr-said" }, html("div", { class: "tr-row" }, html("span", { lang: "fr" }, name(id)), bar, html("small", null, percent(p))));
      }));
      const before = plain[S.position]?.token, now = row.token;
      told.say(!moved ? `The word “${name(now)}”, with the weights that the model chose.`
        : before === now ? `With your weights it is still “${name(now)}”.` : `With your weights “${name(before)}” becomes “${name(now)}”.`);
    };
    const run = () => {
      rows = translator.write(source, S.given);
      S.position = clamp(S.position, 0, rows.length - 1);
      draw();
    };
    const begin = (number) => {
      Object.assign(S, { sentence: number, position: number ? 0 : position, given: {} });
      words = [...sentences[number].split(" "), "EOS"];
      source = words.map((word) => (word === "EOS" ? EOS : source_words.indexOf(word)));
      plain = translator.write(source);
      left.replaceChildren(...words.map((word, key) => html("li", null, html("span", { class: "tr-key" }, word), track(word, key))));
      run();
    };
    begin(0);
    return [
      html("p", { class: "live-help" }, "Choose a French word. Drag the bars, or use the arrow keys: the other weights share the rest."),
      html("div", { class: "live-controls" }, select("sentence", sentences, begin),
        button("the same weight for all", () => { S.given[S.position] = words.map(() => 1 / words.length); run(); }),
        button("its own weights again", () => { S.given = {}; run(); })),
      right,
      html("div", { class: "tr-body" }, html("div", { class: "tr-weights-alone" }, left), html("div", { class: "tr-side" }, caption, chances)), told,
    ];
  };

  const load = (tag, attributes) => new Promise((resolve, reject) => {
    document.head.append(html(tag, { ...attributes, onload: resolve, onerror: () => reject(new Error("rnn-translator")) }));
  });
  Promise.all([load("script", { src: `${folder}rnn-engine.js` }), load("link", { rel: "stylesheet", href: `${folder}translator.css` })])
    .then(() => define("rnn-translator", build));
})();
