// The small recurrent translator of chapter 03 in plain JavaScript: Luong's model with the dot product as its score.
// Names and order of computation are those of `transformer_course.training.ladder.scored_attention`, in double precision.
(() => {
  const BOS = 1, EOS = 2;

  // Numbers of 16 bits, one after the other, as base64.
  const unpack = (text) => {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0)), view = new DataView(bytes.buffer);
    return Float64Array.from({ length: bytes.length / 2 }, (_, i) => {
      const bits = view.getUint16(2 * i, true), exponent = (bits >> 10) & 31, fraction = (bits & 1023) / 1024;
      return (bits >> 15 ? -1 : 1) * (exponent ? (1 + fraction) * 2 ** (exponent - 15) : fraction * 2 ** -14);
    });
  };

  const softmax = (scores) => {
    const highest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - highest));
    const total = powers.reduce((sum, each) => sum + each, 0);
    return powers.map((each) => each / total);
  };
  const argmax = (numbers) => numbers.reduce((best, each, i) => (each > numbers[best] ? i : best), 0);
  const sigmoid = (x) => 1 / (1 + Math.exp(-x));

  class RnnTranslator {
    constructor({ parts, weights }) {
      const numbers = unpack(weights);
      let at = 0;
      this.tensors = Object.fromEntries(parts.map(([name, rows, columns = 1]) => {
        at += rows * columns;
        return [name, { values: numbers.subarray(at - rows * columns, at), rows, columns }];
      }));
    }

    linear(weight, bias, x) {
      const { values, rows, columns } = this.tensors[weight];
      return Array.from({ length: rows }, (_, i) => x.reduce((sum, each, j) => sum + each * values[i * columns + j], this.tensors[bias].values[i]));
    }
    embed(name, id) {
      const { values, columns } = this.tensors[`${name}.weight`];
      return [...values.subarray(id * columns, (id + 1) * columns)];
    }
    // Reset gate, update gate, candidate: in this order in the rows of the weights.
    gru(name, x, hidden) {
      const d = hidden.length, ofX = this.linear(`${name}.weight_ih_l0`, `${name}.bias_ih_l0`, x), ofH = this.linear(`${name}.weight_hh_l0`, `${name}.bias_hh_l0`, hidden);
      return hidden.map((old, i) => {
        const reset = sigmoid(ofX[i] + ofH[i]), update = sigmoid(ofX[d + i] + ofH[d + i]);
        return (1 - update) * Math.tanh(ofX[2 * d + i] + reset * ofH[2 * d + i]) + update * old;
      });
    }

    // Reads ids, EOS last: a memory of one state for each word, and the first state of the decoder.
    start(source) {
      const read = (name, ids) => {
        let hidden = new Array(this.tensors[`${name}.weight_hh_l0`].columns).fill(0);
        return ids.map((id) => (hidden = this.gru(name, this.embed("encoder.embedding", id), hidden)));
      };
      const left = read("encoder.from_left", source), right = read("encoder.from_right", [...source].reverse()).reverse();
      const hidden = this.linear("first_hidden.weight", "first_hidden.bias", [...left.at(-1), ...right[0]]).map(Math.tanh);
      return { hidden, memory: left.map((each, j) => [...each, ...right[j]]) };
    }
    // Reads one word: its own weights (or those that are given), the probabilities of the next word, the next state.
    step({ hidden, memory }, id, given) {
      hidden = this.gru("decoder", this.embed("embedding", id), hidden);
      const own = softmax(memory.map((each) => each.reduce((sum, x, i) => sum + x * hidden[i], 0)));
      const weights = given ?? own;
      const context = memory[0].map((_, i) => memory.reduce((sum, each, j) => sum + weights[j] * each[i], 0));
      const combined = this.linear("combine.weight", "combine.bias", [...hidden, ...context]).map(Math.tanh);
      return { state: { hidden, memory }, own, weights, likely: softmax(this.linear("output.weight", "output.bias", combined)) };
    }
    // Writes a translation; `given` holds weights for some positions in the place of the model's own.
    write(source, given = {}, longest = 2 * source.length + 10) {
      const rows = [];
      for (let state = this.start(source), token = BOS; rows.length < longest && token !== EOS;) {
        const row = this.step(state, token, given[rows.length]);
        ({ state } = row);
        token = argmax(row.likely);
        rows.push({ ...row, token });
      }
      return rows;
    }
  }

  // One weight gets a value, the others share the rest as before.
  const withWeight = (weights, key, value) => {
    const rest = 1 - weights[key];
    return weights.map((weight, j) => (j === key ? value : rest > 1e-12 ? weight * (1 - value) / rest : (1 - value) / Math.max(1, weights.length - 1)));
  };

  globalThis.courseRnn = { RnnTranslator, withWeight, BOS, EOS };
})();
