"""Task `fixed_steps` of exercise 11: two bugs to find."""

import torch

from course_checks.cases import Case
from course_checks.decoding import models
from course_checks.decoding.shared import READY_MADE, UNIT, attention
from course_checks.modules import give_weights
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_steps", UNIT, READY_MADE)
_TWO = "compare the logits of the first two positions with those of `all_at_once`"
_SEEN = "print the weights of the second position: to which places of the cache do they belong?"


@task.oracle
def right(embedding, attention, output_layer, tokens):
    """Compute all positions at once."""
    length = tokens.shape[1]
    x = embedding.token(tokens) * embedding.d_model**0.5 + embedding.encoding[:length]
    return output_layer(attention(x, x, x, torch.ones(length, length, dtype=torch.bool).tril())[0])


@task.pipeline(
    position={
        "0": Wrong("every position is embedded as if it were the first: the encoding of positions begins anew in each "
                   "step", "", _TWO),
        "from 1": Wrong("positions are counted from 1; the first one has number 0", "", _TWO),
        "never above 1": Wrong("the position does not go on counting", "the first positions are right", _TWO),
        "from the end": Wrong("the positions are counted from the end", "", _TWO),
        "last": Wrong("every position gets the number of the last one", "", _TWO),
    },
    seen={
        "everything": Wrong("places of the cache that are not filled yet are read: their keys are 0, and so is their "
                            "score, which softmax turns into a weight", "", _SEEN),
        "past": Wrong("a position does not see itself: the cache is cut one place too early", "", _SEEN),
        "next": Wrong("the cache is cut one place too late: one empty place is read", "", _SEEN),
        "itself": Wrong("the cache is not read: each position sees itself alone", "", _SEEN),
        "first": Wrong("every position attends to the first key alone: this is where `is_causal` places its mask if "
                       "there is one query", "", _SEEN),
        "keys": Wrong("the keys are cut, and the values are not, or the other way round", "", _SEEN),
        "from itself on": Wrong("the places from the new one on are read, not those up to it", "", _SEEN),
    },
)  # fmt: skip
def fixed_steps(embedding, attention, output_layer, tokens, *, position="t", seen="so far"):
    """Fix with one choice for each bug."""
    (batch, length), heads = tokens.shape, attention.num_heads
    shape = batch, heads, length, attention.d_k
    keys, values = (torch.zeros(shape, dtype=attention.w_key.weight.dtype) for _ in range(2))
    logits = []
    for t in range(length):
        start = {
            "0": 0,
            "from 1": t + 1,
            "never above 1": min(t, 1),
            "from the end": length - 1 - t,
            "last": length - 1,
        }.get(position, t)
        x = embedding(tokens[:, t : t + 1], start=start)
        query, key, value = (
            layer(x).view(batch, 1, heads, -1).transpose(1, 2).detach()
            for layer in (attention.w_query, attention.w_key, attention.w_value)
        )
        keys[:, :, t : t + 1], values[:, :, t : t + 1] = key, value
        some = {
            "everything": slice(None),
            "from itself on": slice(t, None),
            "past": slice(0, max(t, 1)),
            "next": slice(0, t + 2),
            "itself": slice(t, t + 1),
            "first": slice(0, 1),
        }.get(seen, slice(0, t + 1))
        weights = torch.softmax(query @ keys[:, :, some].mT / attention.d_k**0.5, -1)
        mixed = weights @ values[:, :, slice(None) if seen == "keys" else some]
        logits.append(output_layer(attention.w_output(mixed.transpose(1, 2).flatten(2))))
    return torch.cat(logits, 1)


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
