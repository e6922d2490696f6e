// A trained Transformer in plain JavaScript: chapter 10's translator, and what one can change inside it.
// Names and order of computation are those of `transformer_course.transformer`; all sums are in double precision.
//
// An edit is a plain object; what it leaves out stays as it was:
//   heads      ["cross.1.2", ...]   these heads say zero (encoder, self or cross; layer; head)
//   said       {"cross.1.2": rows}  what this head says at each position, from another sentence
//   weights    [{ layer, head, position, key, value }]  a weight of cross-attention; the others share the rest.
//              head or position null = all of them
//   positions  false                no encoding of positions on either side
//   causal     false                a reading of a whole translation lets each position see all others
//   scale      false                scores are not divided by the root of d_k
//   residual   "decoder.1.cross"    this sublayer's output takes the place of the stream and is not added to it
(() => {
  const BOS = 1, EOS = 2, UNK = 3;
  const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  const bytesOf = (text) => {
    const places = new Uint8Array(128);
    for (let i = 0; i < 64; i++) places[ALPHABET.charCodeAt(i)] = i;
    const length = text.replace(/=+$/, "").length;
    const bytes = new Uint8Array(Math.floor(length * 3 / 4));
    for (let from = 0, to = 0; from < length; from += 4) {
      const four = places[text.charCodeAt(from)] << 18 | places[text.charCodeAt(from + 1)] << 12
        | places[text.charCodeAt(from + 2) & 127] << 6 | places[text.charCodeAt(from + 3) & 127];
      bytes[to++] = four >> 16;
      if (to < bytes.length) bytes[to++] = four >> 8;
      if (to < bytes.length) bytes[to++] = four;
    }
    return bytes;
  };

  // Matrices: for each row a float32, then a byte for each entry; entry = float32(scale of its row × byte).
  // Vectors: float32.
  const unpack = ({ parts, first, rest }) => {
    const bytes = bytesOf(first + rest), view = new DataView(bytes.buffer), numbers = new Int8Array(bytes.buffer), tensors = {};
    let at = 0;
    const floats = (count) => Float32Array.from({ length: count }, () => { at += 4; return view.getFloat32(at - 4, true); });
    for (const [name, rows, columns] of parts) {
      if (!columns) { tensors[name] = { values: floats(rows), rows }; continue; }
      const scales = floats(rows), values = new Float32Array(rows * columns);
      for (let i = 0, k = 0; i < rows; i++) for (let j = 0; j < columns; j++, k++) values[k] = scales[i] * numbers[at++];
      tensors[name] = { values, rows, columns };
    }
    return tensors;
  };

  // y = x W^T + b
  const linear = (x, { values, rows, columns }, bias) => {
    const y = new Float64Array(rows);
    for (let i = 0, k = 0; i < rows; i++) {
      let sum = 0;
      for (let j = 0; j < columns; j++) sum += values[k++] * x[j];
      y[i] = sum + (bias ? bias.values[i] : 0);
    }
    return y;
  };
  const layerNorm = (x, weight, bias) => {
    let mean = 0, variance = 0;
    for (const each of x) mean += each;
    mean /= x.length;
    for (const each of x) variance += (each - mean) ** 2;
    const scale = 1 / Math.sqrt(variance / x.length + 1e-5);
    return x.map((each, i) => (each - mean) * scale * weight.values[i] + bias.values[i]);
  };
  const softmax = (scores) => {
    const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest));
    const total = powers.reduce((sum, each) => sum + each, 0);
    return powers.map((each) => each / total);
  };
  const logSoftmax = (logits) => {
    const highest = Math.max(...logits);
    const total = Math.log(logits.reduce((sum, each) => sum + Math.exp(each - highest), 0));
    return logits.map((each) => each - highest - total);
  };
  const argmax = (numbers) => numbers.reduce((best, each, i) => (each > numbers[best] ? i : best), 0);
  const add = (x, y) => x.map((each, i) => each + y[i]);

  // One weight gets a value, the others share the rest as before.
  const withWeight = (weights, key, value) => {
    const rest = 1 - weights[key];
    return weights.map((weight, j) => (j === key ? value
      : rest > 1e-12 ? weight * (1 - value) / rest : (1 - value) / Math.max(1, weights.length - 1)));
  };

  class Translator {
    constructor(kept) {
      const { d_model, num_heads, num_encoder_layers, num_decoder_layers } = kept.sizes;
      Object.assign(this, { d_model, num_heads, d_k: d_model / num_heads, num_encoder_layers, num_decoder_layers });
      this.words = { source: kept.source_words, target: kept.target_words };
      this.ids = { source: new Map(kept.source_words.map((word, i) => [word, i])),
        target: new Map(kept.target_words.map((word, i) => [word, i])) };
      this.tensors = unpack(kept);
    }

    encode(side, words) { return words.map((word) => { const id = this.ids[side].get(word) ?? UNK; return id > UNK ? id : UNK; }); }
    decode(ids) { return ids.filter((id) => id > UNK || id === UNK).map((id) => this.words.target[id]); }
    longest(source) { return 2 * source.length + 10; }

    embed(side, id, position, edit) {
      const { values } = this.tensors[`${side}_embedding.token.weight`], d = this.d_model, root = Math.sqrt(d);
      return Float64Array.from({ length: d }, (_, j) => {
        let place = 0;
        if (edit.positions !== false) {
          const angle = position * Math.exp(-Math.log(10000) * (j - j % 2) / d);
          place = Math.fround(j % 2 ? Math.cos(angle) : Math.sin(angle)); // the table of the library is float32
        }
        return values[id * d + j] * root + place;
      });
    }

    project(name, x) { return linear(x, this.tensors[`${name}.weight`], this.tensors[`${name}.bias`]); }
    norm(name, x) { return layerNorm(x, this.tensors[`${name}.weight`], this.tensors[`${name}.bias`]); }
    feedForward(name, x) {
      return this.project(`${name}.linear_2`, this.project(`${name}.linear_1`, x).map((each) => Math.max(0, each)));
    }

    // One position attends: in every head to the first `visible` keys.
    attend(name, place, x, { keys, values }, visible, position, edit) {
      const { d_k, num_heads } = this, query = this.project(`${name}.w_query`, x);
      const merged = new Float64Array(this.d_model), weights = [], said = [];
      const root = edit.scale === false ? 1 : Math.sqrt(d_k);
      for (let head = 0; head < num_heads; head++) {
        const from = head * d_k, scores = new Array(visible);
        for (let j = 0; j < visible; j++) {
          let sum = 0;
          for (let k = from; k < from + d_k; k++) sum += query[k] * keys[j][k];
          scores[j] = sum / root;
        }
        let own = softmax(scores);
        for (const change of edit.weights ?? []) {
          if (place === `cross.${change.layer}` && (change.head ?? head) === head && (change.position ?? position) === position) {
            own = withWeight(own, change.key, change.value);
          }
        }
        const which = `${place}.${head}`, replaced = edit.said?.[which]?.[position];
        for (let k = from; k < from + d_k; k++) {
          let sum = 0;
          if (replaced) sum = replaced[k - from];
          else if (!edit.heads?.includes(which)) for (let j = 0; j < visible; j++) sum += own[j] * values[j][k];
          merged[k] = sum;
        }
        weights.push(own);
        said.push(Array.from(merged.subarray(from, from + d_k)));
      }
      return { output: this.project(`${name}.w_output`, merged), weights, said };
    }

    keysAndValues(name, rows) {
      return { keys: rows.map((row) => this.project(`${name}.w_key`, row)), values: rows.map((row) => this.project(`${name}.w_value`, row)) };
    }
    // What a sublayer gives back to the stream: x + sublayer(x), or without the addition.
    join(x, said, place, edit) { return edit.residual === place ? said : add(x, said); }

    // Read the source: ids that end with EOS. Returns the state before the first word.
    start(source, edit = {}) {
      let rows = source.map((id, i) => this.embed("source", id, i, edit));
      const maps = [];
      for (let layer = 0; layer < this.num_encoder_layers; layer++) {
        const name = `encoder_blocks.${layer}`, normed = rows.map((row) => this.norm(`${name}.norm_1`, row));
        const cache = this.keysAndValues(`${name}.self_attention`, normed);
        const heads = normed.map((row, i) => this.attend(`${name}.self_attention`, `encoder.${layer}`, row, cache, rows.length, i, edit));
        maps.push(heads.map(({ weights }) => weights));
        rows = rows.map((row, i) => this.join(row, heads[i].output, `encoder.${layer}.attention`, edit));
        rows = rows.map((row) => this.join(row, this.feedForward(`${name}.feed_forward`, this.norm(`${name}.norm_2`, row)), `encoder.${layer}.feed_forward`, edit));
      }
      const memory = rows.map((row) => this.norm("encoder_norm", row));
      const layers = Array.from({ length: this.num_decoder_layers }, (_, layer) => layer);
      return { source, encoder: maps, length: 0, self: layers.map(() => ({ keys: [], values: [] })),
        cross: layers.map((layer) => this.keysAndValues(`decoder_blocks.${layer}.cross_attention`, memory)) };
    }

    // Read some more tokens of the target, all at once. Returns the state after them, and for each of them the logits of
    // the next word and, by layer and head, its weights in self- and cross-attention and what the heads said.
    read(state, tokens, edit = {}) {
      const start = state.length, end = start + tokens.length;
      let rows = tokens.map((id, i) => this.embed("target", id, start + i, edit));
      const told = tokens.map(() => ({ self: [], cross: [], said: { self: [], cross: [] } }));
      const self = state.self.map((cache, layer) => {
        const name = `decoder_blocks.${layer}`, normed = rows.map((row) => this.norm(`${name}.norm_1`, row));
        const fresh = this.keysAndValues(`${name}.self_attention`, normed);
        const longer = { keys: [...cache.keys, ...fresh.keys], values: [...cache.values, ...fresh.values] };
        rows = rows.map((row, i) => {
          const visible = edit.causal === false ? end : start + i + 1;
          const own = this.attend(`${name}.self_attention`, `self.${layer}`, normed[i], longer, visible, start + i, edit);
          let x = this.join(row, own.output, `decoder.${layer}.self`, edit);
          const other = this.attend(`${name}.cross_attention`, `cross.${layer}`, this.norm(`${name}.norm_2`, x), state.cross[layer],
            state.source.length, start + i, edit);
          x = this.join(x, other.output, `decoder.${layer}.cross`, edit);
          told[i].self.push(own.weights); told[i].cross.push(other.weights);
          told[i].said.self.push(own.said); told[i].said.cross.push(other.said);
          return this.join(x, this.feedForward(`${name}.feed_forward`, this.norm(`${name}.norm_3`, x)), `decoder.${layer}.feed_forward`, edit);
        });
        return longer;
      });
      rows.forEach((row, i) => {
        told[i].logits = Array.from(linear(this.norm("decoder_norm", row), this.tensors["target_embedding.token.weight"], this.tensors["output_layer.bias"]));
      });
      return { state: { ...state, self, length: end }, rows: told };
    }

    // Write a translation word by word. `choose` takes logits and returns an id; `told` hears of each word.
    write(source, edit = {}, choose = argmax, told = () => {}) {
      let state = this.start(source, edit), token = BOS;
      const tokens = [];
      while (tokens.length < this.longest(source) && token !== EOS) {
        const { state: next, rows: [row] } = this.read(state, [token], edit);
        token = choose(row.logits);
        tokens.push(token);
        told(token, row);
        state = next;
      }
      return tokens;
    }

    // Beam search as in chapter 11: [{ tokens, score }], best first. `told` hears of the candidates of each step.
    beam(source, width, alpha = 0.6, edit = {}, told = () => {}) {
      const limit = this.longest(source), penalty = (length) => ((5 + length) / 6) ** alpha;
      const byScore = (a, b) => b.score - a.score;
      let living = [{ tokens: [], total: 0, state: this.start(source, edit) }], finished = [];
      for (let length = 1; length <= limit; length++) {
        const candidates = living.flatMap((each, parent) => {
          const { state, rows: [row] } = this.read(each.state, [each.tokens.at(-1) ?? BOS], edit);
          each.after = state;
          return logSoftmax(row.logits).map((log, word) => ({ parent, word, total: each.total + log }));
        });
        const kept = candidates.map((each, i) => [each, i]).sort(([a, i], [b, j]) => b.total - a.total || i - j)
          .slice(0, width).map(([each]) => ({ tokens: [...living[each.parent].tokens, each.word], total: each.total, state: living[each.parent].after }));
        told(kept);
        for (const { tokens, total } of kept) if (tokens.at(-1) === EOS) finished.push({ tokens, score: total / penalty(length) });
        living = kept.filter(({ tokens }) => tokens.at(-1) !== EOS);
        if (!living.length) break;
        const kindest = Math.max(penalty(length), penalty(limit));
        finished = finished.sort(byScore).slice(0, width);
        if (finished.length === width && finished.at(-1).score >= living[0].total / kindest) return finished;
      }
      return [...finished, ...living.map(({ tokens, total }) => ({ tokens, score: total / penalty(limit) }))].sort(byScore).slice(0, width);
    }
  }

  // Random numbers from a seed, so that a draw can be seen again (mulberry32).
  const randomFrom = (seed) => () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const draw = (probabilities, random) => {
    let left = random();
    const found = probabilities.findIndex((each) => (left -= each) < 0);
    return found < 0 ? argmax(probabilities) : found;
  };
  // How many words must be replaced, left out or put in to make one sentence of the other.
  const wordsApart = (one, other) => {
    let row = other.map((_, j) => j + 1);
    row.unshift(0);
    one.forEach((word, i) => {
      const above = row;
      row = [i + 1];
      other.forEach((its, j) => row.push(Math.min(above[j + 1] + 1, row[j] + 1, above[j] + (word !== its))));
    });
    return row.at(-1);
  };

  globalThis.courseTranslator = { Translator, BOS, EOS, UNK, softmax, logSoftmax, argmax, draw, randomFrom, wordsApart, withWeight };
})();
