"""The recurrent translator in the page of chapter 03, in V8, against the same weights in torch."""

import json
from pathlib import Path

import pytest
import torch
from py_mini_racer import MiniRacer

from drawings.live_rnn import rnn_translator
from experiments.looks.run import BUILD, sentences
from experiments.weights.stored import load_weights
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, as_tensors

ENGINE = Path(__file__).parents[3] / "book" / "_static" / "live" / "rnn-engine.js"
SENTENCE = "the small cat follows the tired queen"
ATOB = """
const atob = (text) => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", bytes = [];
  let bits = 0, number = 0;
  for (const each of text.replace(/=/g, "")) {
    number = number << 6 | letters.indexOf(each); bits += 6;
    if (bits >= 8) { bits -= 8; bytes.push(number >> bits & 255); number &= (1 << bits) - 1; }
  }
  return bytes.map((each) => String.fromCharCode(each)).join("");
};
"""  # browsers have it, V8 alone has not


@pytest.fixture(scope="module")
def model():
    return load_weights("rnn_translator", BUILD["dot"]())


@pytest.fixture(scope="module")
def page(model):
    """A function that evaluates JavaScript with the figure's own data, and returns the value."""
    engine = MiniRacer()
    engine.eval(ATOB + ENGINE.read_text("utf8"))
    data = rnn_translator(model, ENGLISH, FRENCH, [SENTENCE], 4).data
    engine.eval(f"const model = new courseRnn.RnnTranslator({json.dumps(data)});")
    yield lambda script: json.loads(engine.eval(f"JSON.stringify({script})"))
    engine.close()


def test_the_page_writes_and_weighs_as_torch_does(page, model):
    pairs = sentences()[0][:40]
    for pair in pairs:
        source, _ = as_tensors([pair])
        rows = page(f"model.write({source[0].tolist()})")
        target = torch.tensor([[BOS, *(row["token"] for row in rows)]])
        with torch.no_grad():
            logits = model.double()(source, target[:, :-1])[0]  # (m, vocab_size)
            weights = model.attention_weights(source, target[:, :-1])[0]  # (m, n)
        assert logits.argmax(-1).tolist() == target[0, 1:].tolist()
        likely = torch.tensor([row["likely"] for row in rows]).double()
        torch.testing.assert_close(likely, logits.softmax(-1), rtol=0, atol=1e-5)
        torch.testing.assert_close(torch.tensor([row["own"] for row in rows]).double(), weights, rtol=0, atol=1e-5)


def test_a_weight_that_is_moved_changes_the_word_as_in_torch(page, model):
    ids = [*ENGLISH.encode(SENTENCE.split()), EOS]
    plain = [row["token"] for row in page(f"model.write({ids})")]
    assert [FRENCH.words[each] for each in plain[:-1]] == ["le", "petit", "chat", "suit", "la", "reine", "fatiguée"]
    given = [0.0] * len(ids)
    given[2] = 1.0  # all on "cat"
    rows = page(f"model.write({ids}, {{4: {given}}})")
    with torch.no_grad():
        source, target = torch.tensor([ids]), torch.tensor([[BOS, *plain[:-1]]])
        weights = model.attention_weights(source, target)
        weights[0, 4] = torch.tensor(given)
        expected = model.logits_with(source, target, weights)[0, 4].softmax(-1)
    assert FRENCH.words[rows[4]["token"]] == "le"
    torch.testing.assert_close(torch.tensor(rows[4]["likely"]).double(), expected.double(), rtol=0, atol=1e-5)
    assert rows[4]["own"] != rows[4]["weights"] == given


def test_the_rest_is_shared_as_before(page):
    assert page("courseRnn.withWeight([0.5, 0.3, 0.2], 0, 0)") == pytest.approx([0, 0.6, 0.4])
    assert page("courseRnn.withWeight([1, 0, 0], 0, 0.4)") == pytest.approx([0.4, 0.3, 0.3])


def test_what_the_figure_refuses(model):
    with pytest.raises(ValueError, match="expected one with the score 'dot', got 'general'"):
        rnn_translator(BUILD["general"](), ENGLISH, FRENCH, [SENTENCE], 0)
    with pytest.raises(ValueError, match="expected words of the vocabulary, got elephant"):
        rnn_translator(model, ENGLISH, FRENCH, ["the elephant"], 0)
    with pytest.raises(ValueError, match="16 bits"):
        rnn_translator(BUILD["dot"](), ENGLISH, FRENCH, [SENTENCE], 0)


def test_without_a_script_the_page_holds_the_words_and_their_weights(model):
    shown = rnn_translator(model, ENGLISH, FRENCH, [SENTENCE], 4)._repr_html_()
    assert '<th scope="row">fatiguée</th>' in shown
    assert len(shown) < 60_000
