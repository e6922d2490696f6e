"""Task `fixed_decoder` of exercise 03: two bugs to find."""

import math

import torch

from course_checks.cases import Case, gradients
from course_checks.rnn_attention.attend import right as right_look
from course_checks.rnn_attention.inputs import decoder_inputs
from course_checks.rnn_attention.shared import MASK, READY_MADE, UNIT, masked_weights
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("fixed_decoder", UNIT, READY_MADE)

_PER_WORD = "print the weights of two target words of one sentence: should they be the same?"
_READS = "the cell reads the word, then the context, and its state goes on"


@task.oracle
def right(embedded, hidden, memory, mask, cell, score):
    """Look, then read, word by word."""
    states, rows = [], []
    for word in embedded.unbind(1):
        context, weights = right_look(score(hidden, memory), memory, mask)
        hidden = cell(torch.cat([word, context], dim=-1), hidden)
        states.append(hidden)
        rows.append(weights)
    return torch.stack(states, 1), torch.stack(rows, 1)


@task.pipeline(
    look={
        "once": Wrong("the look is always made with the first state: the scores do not change from word to word",
                      "every target word looks at the source in the same way", _PER_WORD),
        "late": Wrong("the word is read before the look, as in Luong's decoder; Bahdanau's looks first", "",
                      "in each step first look, then read the word and what was seen"),
        "late, fresh": Wrong("the word is read with the context of the step before, and then comes the look", "",
                             "in each step first look, then read the word and what was seen"),
        "row late": Wrong("the weights that are returned are made after reading", "the row of each word is the look of "
                          "the word after it", "return the weights that made the context of this word"),
    },
    masking={name: MASK[name] for name in MASK if name != "not used"}
    | {"not used": Wrong("the mask is gone", "padding is looked at", "hide the scores before softmax"),
       "batch": Wrong("softmax runs over the sentences, not over the source words", "the columns sum to 1",
                      "what do the rows of the weights sum to?"),
       "context": Wrong("the context is computed with weights from before the mask",
                        "the weights are right, but the state knows hidden words", _READS)},
    reads={
        "context first": Wrong("the context stands before the word in what the cell reads",
                               "the first look is right, the state after it is not", _READS),
        "no word": Wrong("the words are not read", "the first look is right, the state after it is not", _READS),
        "no context": Wrong("the context is not read", "the first look is right, the state after it is not", _READS),
        "last state": Wrong("the last state of the memory is read in the place of the context", "", _READS),
        "last word": Wrong("the last word is read in every step", "", _READS),
        "first word": Wrong("the first word is read in every step", "", _READS),
    },
    state={
        "before": Wrong("the state before reading is kept, not the one after it", "the states are one word behind",
                        "when is the state appended, and when does it change?"),
        "not handed on": Wrong("the state is not handed on from word to word", "", _READS),
        "words first": Wrong("the results are stacked along the first dimension: target words come before sentences",
                             "the dimensions are in another order", "where does `torch.stack` put the new dimension?"),
        "contexts": Wrong("the contexts are returned in the place of the states", "", _READS),
    },
)  # fmt: skip
def fixed_decoder(
    embedded, hidden, memory, mask, cell, score, *, look="each", masking="before", reads="both", state="after"
):
    """Decode with one choice for each part."""
    start, first, states, rows = hidden, score(hidden, memory), [], []
    context = torch.zeros_like(memory[:, 0])

    def see(now):
        scores = first if look == "once" else score(now, memory)
        weights = masked_weights(scores, mask, "before" if masking == "context" else masking)
        weights = scores.masked_fill(~mask, -math.inf).softmax(0) if masking == "batch" else weights
        used = scores.softmax(-1) if masking == "context" else weights
        return (used.unsqueeze(-1) * memory).sum(1), weights

    for position in range(embedded.shape[1]):
        before = start if state == "not handed on" else hidden
        word = embedded[:, {"first word": 0, "last word": -1}.get(reads, position)]
        if look != "late, fresh":
            context, weights = see(before)
        if look == "late":
            context, weights = see(cell(torch.cat([word, torch.zeros_like(context)], -1), before))
        read = {"no context": 0 * context, "last state": memory[:, -1]}.get(reads, context)
        parts = [0 * word if reads == "no word" else word, read]
        hidden = cell(torch.cat(parts[::-1] if reads == "context first" else parts, -1), before)
        if look in ("late, fresh", "row late"):
            seen, weights = see(hidden)
            context = seen if look == "late, fresh" else context
        states.append({"before": before, "contexts": context}.get(state, hidden))
        rows.append(weights)
    along = 0 if state == "words first" else 1
    return torch.stack(states, along), torch.stack(rows, along)


@task.mistake("what is left of the weights after the mask is divided by its sum over the sentences, not over the "
              "source "
              "words", "the columns sum to 1", "what do the rows of the weights sum to?")  # fmt: skip
def over_the_batch(embedded, hidden, memory, mask, cell, score):
    """Make the columns sum to 1."""
    states, rows = [], []
    for word in embedded.unbind(1):
        weights = score(hidden, memory).softmax(-1) * mask
        weights = weights / weights.sum(0, keepdim=True)
        hidden = cell(torch.cat([word, (weights.unsqueeze(1) @ memory).squeeze(1)], -1), hidden)
        states.append(hidden)
        rows.append(weights)
    return torch.stack(states, 1), torch.stack(rows, 1)


def inputs(lengths, target_length, source_length, d, d_memory, d_hidden):
    """Draw what the decoder gets."""
    return lambda draw: decoder_inputs(lengths, target_length, source_length, d, d_memory, d_hidden, draw)


task.require(
    "every word has its own look, and padding has no share in it",
    "in each step: look with the state that is there, share the whole weight among the real words, and then read the "
    "word and the context",
    [Case("sentences of 6, 2 and 4 source words, 4 target words", inputs([6, 2, 4], 4, 6, 2, 5, 7)),
     Case("all widths equal, no padding", inputs([3, 3], 3, 3, 4, 4, 4))],
    [Case("one sentence with padding", inputs([3], 5, 7, 2, 6, 4)),
     Case("as many of everything", inputs([4, 1, 3, 2], 4, 4, 4, 4, 4)),
     Case("6 target words, 3 source words", inputs([1, 3], 6, 3, 1, 2, 5))],
)  # fmt: skip
task.require(
    "the gradients flow through looks and states",
    "the derivative with respect to the words, the first state and the memory",
    [Case("the gradient of the states", inputs([3, 2], 3, 3, 2, 3, 2), gradients(0))],
    [Case("the gradient of the weights", inputs([2, 4], 3, 4, 3, 2, 3), gradients(1))],
)
