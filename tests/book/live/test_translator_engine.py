"""The translator in the page, in V8, against the same weights in torch: tokens, weights, and every intervention."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

import pytest
import torch
from py_mini_racer import MiniRacer

from drawings.sampling import kept_probabilities
from experiments.page_translator.page_weights import FILES, read_page_weights
from experiments.page_translator.run import digests
from experiments.results import committed
from transformer_course import transformer_blocks
from transformer_course.common.tokens import BOS, UNK
from transformer_course.data.corpus import load_corpus
from transformer_course.interpret.interventions import head_says, weights_changed, what_heads_say
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer_blocks import DecoderBlock

LIVE = Path(__file__).parents[3] / "book" / "_static" / "live"
SENTENCES = ["the cat sees the mouse .", "where will the old women who love my hats go ?", "Emma did not find an owl ."]
HELPERS = """
const { Translator, BOS, EOS, softmax, argmax, draw, randomFrom, wordsApart, withWeight } = courseTranslator;
const translator = new Translator(courseTranslatorWeights);
const ids = (text) => [...translator.encode("source", text.split(" ")), EOS];
const read = (text, written, edit) => {
  const state = translator.start(ids(text), edit), target = [BOS, ...translator.encode("target", written)];
  return { encoder: state.encoder, rows: translator.read(state, target, edit).rows };
};
"""


@pytest.fixture(scope="module")
def page():
    """A function that evaluates JavaScript, where the page's translator is loaded, and returns the value."""
    engine = MiniRacer()
    for name in ("translator-engine.js", *FILES):
        engine.eval((LIVE / name).read_text("utf8"))
    engine.eval(HELPERS)
    yield lambda script: json.loads(engine.eval(f"JSON.stringify({script})"))
    engine.close()  # with Python 3.13 a program with an open engine never ends


@pytest.fixture(scope="module")
def translator():
    return read_page_weights(LIVE)


@pytest.fixture(scope="module")
def pairs_of_the_test():
    return load_corpus(num_train=0, num_validation=0).test


def written_by(translator, text: str, beam_width: int = 1) -> list[str]:
    return translator.translate([text.split()], beam_width)[0]


def as_script(value) -> str:
    return json.dumps(value, ensure_ascii=False)


def test_it_writes_what_python_writes_for_every_test_sentence(page, translator, pairs_of_the_test):
    sources = [pair.source for pair in pairs_of_the_test]
    expected = translator.translate_all(sources)
    texts = as_script([" ".join(words) for words in sources])
    written = page(f"{texts}.map((text) => translator.decode(translator.write(ids(text))))")
    assert len(written) == 1_000
    assert written == expected


@pytest.mark.parametrize("width", [2, 4])
def test_the_beam_finds_what_the_beam_of_chapter_11_finds(page, translator, pairs_of_the_test, width):
    texts = [" ".join(pair.source) for pair in pairs_of_the_test[:40]]
    found = page(f"{as_script(texts)}.map((text) => translator.decode(translator.beam(ids(text), {width})[0].tokens))")
    assert found == [written_by(translator, text, width) for text in texts]


def test_a_word_that_it_does_not_know_is_unk_on_both_sides(page, translator):
    words = ["the", "zebra", "sleeps", "<eos>", "."]
    assert page(f'translator.encode("source", {as_script(words)})') == translator.source_vocabulary.encode(words)
    assert translator.source_vocabulary.encode(words)[1] == UNK


@contextmanager
def without_residual(norm) -> Iterator[None]:
    usual = transformer_blocks.residual

    def residual(x, sublayer, own_norm, dropout, norm_first):
        return sublayer(own_norm(x)) if own_norm is norm else usual(x, sublayer, own_norm, dropout, norm_first)

    with mock.patch.object(transformer_blocks, "residual", residual):
        yield


@contextmanager
def without_scale(model) -> Iterator[None]:
    """A query that is longer by the root of d_k undoes the division."""
    attentions = [module for module in model.modules() if isinstance(module, MultiHeadAttention)]
    handles = [
        each.w_query.register_forward_hook(lambda module, _inputs, output: output * module.out_features**0.5 / 2)
        for each in attentions
    ]
    assert {each.num_heads for each in attentions} == {4}  # so that the root of d_k is half the root of d_model
    yield
    for handle in handles:
        handle.remove()


@contextmanager
def without_positions(model) -> Iterator[None]:
    with ExitStack() as stack:
        for embedding in (model.source_embedding, model.target_embedding):
            stack.enter_context(mock.patch.object(embedding, "encoding", torch.zeros_like(embedding.encoding)))
        yield


def without_mask() -> mock._patch:
    usual = DecoderBlock.forward
    return mock.patch.object(DecoderBlock, "forward", lambda block, *inputs, is_causal: usual(block, *inputs))


def one_weight(head: int, position: int, key: int, value: float):
    """Set one weight; the others of its row share the rest in the same proportions."""

    def change(weights):
        weights = weights.clone()
        row = weights[0, head, position]
        others = row.clone()
        others[key] = 0.0
        weights[0, head, position] = others / others.sum() * (1 - value)
        weights[0, head, position, key] = value
        return weights

    return change


EDITS = {
    "nothing": ({}, lambda model: ExitStack()),
    "a silent head": ({"heads": ["cross.1.2"]}, lambda model: head_says(model.decoder_blocks[1].cross_attention, 2, 0)),
    "a silent head that reads": (
        {"heads": ["encoder.0.3"]},
        lambda model: head_says(model.encoder_blocks[0].self_attention, 3, 0),
    ),
    "one weight": (
        {"weights": [{"layer": 0, "head": 1, "position": 3, "key": 1, "value": 0.7}]},
        lambda model: weights_changed(model.decoder_blocks[0].cross_attention, one_weight(1, 3, 1, 0.7)),
    ),
    "no positions": ({"positions": False}, without_positions),
    "no mask": ({"causal": False}, lambda model: without_mask()),
    "no scale": ({"scale": False}, without_scale),
    **{
        f"no residual at {place}": ({"residual": place}, lambda model, find=find: without_residual(find(model)))
        for place, find in {
            "encoder.0.attention": lambda model: model.encoder_blocks[0].norm_1,
            "encoder.1.feed_forward": lambda model: model.encoder_blocks[1].norm_2,
            "decoder.0.self": lambda model: model.decoder_blocks[0].norm_1,
            "decoder.1.cross": lambda model: model.decoder_blocks[1].norm_2,
            "decoder.1.feed_forward": lambda model: model.decoder_blocks[1].norm_3,
        }.items()
    },
}


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("text", SENTENCES)
def test_an_edit_gives_the_logits_and_weights_that_the_same_edit_gives_in_torch(page, translator, name, text):
    edit, edited = EDITS[name]
    written = written_by(translator, text)
    source = translator.source([text.split()])
    target = torch.tensor([[BOS, *translator.target_vocabulary.encode(written)]])
    with torch.no_grad():
        plain = translator.model(source, target)[0]
        with edited(translator.model), AttentionRecorder(translator.model) as recorder:
            expected = translator.model(source, target)[0]  # (m + 1, vocab_size)
    got = page(f"read({as_script(text)}, {as_script(written)}, {as_script(edit)})")
    torch.testing.assert_close(torch.tensor([row["logits"] for row in got["rows"]], dtype=torch.float64), expected)
    assert (name == "nothing") == torch.allclose(plain, expected), "the edit changes something"
    if name == "one weight":
        return  # the recorder sees what was there before the weight was changed
    encoder = torch.tensor(got["encoder"], dtype=torch.float64).transpose(1, 2)  # (layers, heads, n, n)
    torch.testing.assert_close(encoder, recorder.stack("encoder"))
    cross = torch.tensor([row["cross"] for row in got["rows"]], dtype=torch.float64)  # (m + 1, layers, heads, n)
    torch.testing.assert_close(cross.movedim(0, 2), recorder.stack("cross_attention"))
    expected_self = recorder.stack("decoder_blocks.0.self_attention")[0]  # (heads, m + 1, m + 1)
    for i, row in enumerate(got["rows"]):
        own = torch.tensor(row["self"][0], dtype=torch.float64)  # (heads, visible)
        torch.testing.assert_close(own, expected_self[:, i, : own.shape[1]])
        assert own.shape[1] == (len(target[0]) if name == "no mask" else i + 1)


def test_a_head_says_what_it_says_for_another_sentence(page, translator):
    one, other = "the cat sees the mouse .", "the cat sees the horse ."
    written = written_by(translator, one)
    target = torch.tensor([[BOS, *translator.target_vocabulary.encode(written)]])
    attention = translator.model.decoder_blocks[1].cross_attention
    with torch.no_grad():
        with what_heads_say(attention) as said:
            translator.model(translator.source([other.split()]), target)
        with head_says(attention, 0, said[0][:, :, 0]):
            expected = translator.model(translator.source([one.split()]), target)[0]
    got = page(
        f"(() => {{ const told = read({as_script(other)}, {as_script(written)}, {{}}).rows.map((row) => "
        f"row.said.cross[1][0]); return read({as_script(one)}, {as_script(written)}, "
        '{ said: { "cross.1.0": told } }).rows.map((row) => row.logits); })()'
    )
    torch.testing.assert_close(torch.tensor(got, dtype=torch.float64), expected)


def test_writing_with_an_edit_is_reading_with_it_word_by_word(page):
    edit = '{ heads: ["self.0.1"], residual: "decoder.0.cross" }'
    script = """(() => {
      const told = [], source = ids(TEXT), edit = EDIT;
      const tokens = translator.write(source, edit, argmax, (token, row) => told.push(row.logits));
      const whole = translator.read(translator.start(source, edit), [BOS, ...tokens.slice(0, -1)], edit);
      return [told, whole.rows.map((row) => row.logits)];
    })()"""
    kept, again = page(script.replace("TEXT", as_script(SENTENCES[1])).replace("EDIT", edit))
    torch.testing.assert_close(torch.tensor(kept), torch.tensor(again))
    assert len(kept) > 3


def test_with_a_temperature_it_draws_from_the_probabilities_of_chapter_11(page):
    logits = [2.0, -1.0, 0.5, 3.0]
    expected = kept_probabilities(torch.tensor(logits), temperature=1.5)
    got = torch.tensor(page(f"softmax({logits}.map((each) => each / 1.5))"))
    torch.testing.assert_close(got, expected)
    number = 20_000
    script = "((random, p) => Array.from({ length: NUMBER }, () => draw(p, random)))(randomFrom(7), P)"
    drawn = page(script.replace("NUMBER", str(number)).replace("P)", f"{expected.tolist()})"))
    shares = torch.bincount(torch.tensor(drawn), minlength=4) / number
    # Four standard deviations of a share are at most 4 * sqrt(0.25 / 20,000) = 0.014.
    torch.testing.assert_close(shares, expected, atol=0.015, rtol=0)


def test_words_apart_by_hand(page):
    assert page('[wordsApart([], []), wordsApart(["a"], []), wordsApart(["la", "x", "."], ["le", "."])]') == [0, 1, 2]


def test_a_weight_that_was_all_leaves_equal_shares(page):
    assert page("withWeight([1, 0, 0], 0, 0.4)") == pytest.approx([0.4, 0.3, 0.3])
    assert page("withWeight([0.5, 0.3, 0.2], 1, 0.65)") == pytest.approx([0.25, 0.65, 0.1])
    assert page("[...courseTranslatorWeights.source_words].length") == 284


def test_the_weights_are_those_of_the_result_file_and_lost_little():
    run = committed("page_translator")["runs"][-1]
    assert run["files"] == digests()
    assert sum(each["bytes"] for each in run["files"].values()) < 1_500_000
    for split, before in run["exact_match"].items():
        assert run["exact_match_8_bits"][split] > before - 0.005, split
