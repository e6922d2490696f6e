"""Task `fixed_steps` of exercise 11: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.decoding import models
from course_checks.decoding.shared import READY_MADE, UNIT, attention
from course_checks.modules import give_weights
from course_checks.task import Task

task = Task("fixed_steps", UNIT, READY_MADE)


@task.oracle
def right(embedding, attention, output_layer, tokens):
    """Compute all positions at once."""
    length = tokens.shape[1]
    x = embedding.token(tokens) * embedding.d_model**0.5 + embedding.encoding[:length]
    return output_layer(attention(x, x, x, torch.ones(length, length, dtype=torch.bool).tril())[0])


# fmt: off
_TWO = "compare the logits of the first two positions with those of `all_at_once`"
_SEEN = "print the weights of the second position: to which places of the cache do they belong?"
_EARLY = ("a position does not see itself: the cache is cut one place too early", _SEEN)
_READ = "keys[:, :, : t + 1], values[:, :, : t + 1]"
task.edit("start=t", {
    "start=0": (
        "every position is embedded as if it were the first: the encoding of positions begins anew in each step", _TWO),
    "start=t + 1": ("positions are counted from 1; the first one has number 0", _TWO),
    "start=min(t, 1)": ("the position does not go on counting", _TWO, "the first positions are right"),
    "start=tokens.shape[1] - 1 - t": ("the positions are counted from the end", _TWO),
    "start=tokens.shape[1] - 1": ("every position gets the number of the last one", _TWO)})
task.edit(_READ, {
    "keys, values": ("places of the cache that are not filled yet are read, of keys and values or of one of the two: "
        "the score of an empty place is 0, which softmax turns into a weight", _SEEN),
    "keys[:, :, : max(t, 1)], values[:, :, : max(t, 1)]": _EARLY,
    "keys[:, :, :t], values[:, :, :t]": _EARLY,
    "keys[:, :, : t + 2], values[:, :, : t + 2]": (
        "the cache is cut one place too late: one empty place is read", _SEEN),
    "keys[:, :, t : t + 1], values[:, :, t : t + 1]": (
        "the cache is not read: each position sees itself alone", _SEEN),
    "keys[:, :, :1], values[:, :, :1]": ("every position attends to the first key alone: this is where `is_causal` "
        "places its mask if there is one query", _SEEN),
    "keys[:, :, t:], values[:, :, t:]": ("the places from the new one on are read, not those up to it", _SEEN)})
task.edit(f"F.scaled_dot_product_attention(query, {_READ})", {
    "torch.softmax(query @ keys[:, :, : t + 1].mT / attention.d_k**0.5, dim=-1) @ values": (
        "the keys are cut, and the values are not, or the other way round", _SEEN)})
# fmt: on


def inputs(batch, length, d_model, heads, vocab_size=9):
    """Draw a decoder and sentences."""

    def make(draw):
        embedding, output_layer = models.Embedding(vocab_size, d_model), torch.nn.Linear(d_model, vocab_size)
        for module in (embedding, output_layer):
            give_weights(module)
        return embedding, attention(d_model, heads), output_layer, draw.integers(1, vocab_size, batch, length)

    return make


def logits_alone(answer, *inputs):
    """Observe the logits without their graph."""
    return answer(*inputs).detach()


task.require(
    "one position at a time gives what all positions at once give",
    "the logits that all positions at once give",
    [Case("2 sentences of 5 words", inputs(2, 5, 12, 3), logits_alone)],
    [Case("one sentence", inputs(1, 7, 6, 2), logits_alone), Case("one word", inputs(2, 1, 8, 4), logits_alone),
     Case("3 sentences of 4 words, one head", inputs(3, 4, 4, 1), logits_alone)],
    _TWO,
)  # fmt: skip
