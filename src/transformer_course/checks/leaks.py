"""The checks of exercise 06 for the leak detector, and for the masks of a decoder that a learner mends."""

from collections.abc import Callable

import torch
from torch import Tensor

from transformer_course.checks.answers import Answer
from transformer_course.checks.mask_mistakes import require_bool
from transformer_course.checks.masking import answer
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.checks.suspects import reach, suspect

_PROBES = ("change of values", "change of keys", "gradient through values", "gradient through keys")


def check_influence(influence: Callable) -> None:
    """Check the detector on suspects, from the plain to the sly."""
    subject = answer(influence, "influence")
    for name, what in [
        ("A", "no influence where the hidden scores are -inf"),
        ("F", "rows are outputs, columns are keys and values"),
        ("B", "a mask that comes after softmax leaks through the keys"),
        ("I", "a leak that no gradient shows"),
        ("H", "a leak that nothing but a gradient shows"),
        ("G", "rounding is no influence"),
    ]:
        compare_influence(subject, name, 5)
        subject.passed(what)


def compare_influence(subject: Answer, name: str, length: int) -> None:
    """Compare with what is known of a suspect."""
    inputs = [draw(length, width, seed=80 + length + width).double() for width in (4, 4, 3)]
    compare_reach(subject, f"suspect {name}, length {length}", suspect(name), inputs, reach(name, length))


def compare_reach(subject: Answer, situation: str, attention: Callable, inputs: list[Tensor], right: Tensor) -> None:
    """Compare with the right matrix; if it is another one, say which probes alone would give it."""
    observed = require_bool(subject, situation, subject(situation, attention, *inputs), right)
    found = probes(attention, *inputs)
    changes, gradients = (found[_PROBES[i]] | found[_PROBES[i + 1]] for i in (0, 2))
    mistakes = [
        (changes, "gradients are not looked at"),
        (gradients, "the numbers are not changed"),
        (found[_PROBES[0]] | found[_PROBES[2]], "the keys are not looked at: values only"),
        (torch.stack(list(found.values())).all(0), "the probes are combined with `and`, not with `or`"),
    ]
    for missing in _PROBES:
        rest = [found[probe] for probe in _PROBES if probe != missing]
        mistakes.append((torch.stack(rest).any(0), f"the {missing} is not looked at"))
    mistakes += [(found[probe], f"nothing but the {probe} is looked at") for probe in _PROBES]
    missed = "it misses pairs of an output and a key or value that have to do with each other"
    listed = [
        Mistake(shows, missed, cause, "put a print into each of your probes: which of them sees this suspect leak?")
        for shows, cause in mistakes
        if not torch.equal(shows, right)
    ]
    if right.shape[0] == right.shape[1]:
        listed.insert(
            0,
            Mistake(
                right.T,
                "the matrix is transposed",
                "rows and columns are exchanged: row i belongs to output i, column j to key and value j",
                "one change of key j fills a column, the gradient of one output a row",
            ),
        )
    listed += [
        Mistake(
            ~right, "the matrix is inverted", "True means that there is an influence", "turn the comparison around"
        ),
        Mistake(
            lambda matrix: bool((matrix & ~right).any() and (matrix | ~right).all()),
            "it sees an influence where there is none",
            "numbers that differ by rounding are taken for different. Or (it shows in the same way): several keys are "
            "changed at once, or a change stays in place for the next key",
            "compare with a tolerance of 1e-8, and start from a fresh copy for each key",
        ),
        Mistake(
            lambda matrix: bool((~matrix & right).any()),
            missed,
            "none of the mistakes that we know",
            "print the largest change of each output for each key",
        ),
    ]
    subject.compare(situation, observed, right, "True where output i depends on key j or on value j", listed)


def probes(attention: Callable, query: Tensor, key: Tensor, value: Tensor) -> dict[str, Tensor]:
    """Find out with each of four probes alone what reaches what: matrices ``(query_length, key_length)``."""
    plain = attention(query, key, value)
    found = {probe: torch.zeros(len(query), len(key), dtype=torch.bool) for probe in _PROBES}
    for place in range(len(key)):
        here = (torch.arange(len(key)) == place)[:, None]
        for probe, arguments in ((_PROBES[0], (key, value + 1.5 * here)), (_PROBES[1], (key + 1.5 * here, value))):
            found[probe][:, place] = ((attention(query, *arguments) - plain).abs() > 1e-8).any(-1)
    key, value = key.detach().clone().requires_grad_(), value.detach().clone().requires_grad_()
    output = attention(query, key, value)
    for row in range(len(query)):
        gradients = torch.autograd.grad(output[row].sum(), (value, key), retain_graph=True, allow_unused=True)
        for probe, gradient in zip(_PROBES[2:], gradients, strict=True):
            if gradient is not None:
                found[probe][row] = (gradient.abs() > 1e-8).any(-1)
    return found


def right_decoder_masks(source: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Build both masks from the definition."""
    causal = torch.arange(target.shape[1])[:, None] >= torch.arange(target.shape[1])
    return torch.logical_and(causal, target.ne(0)[:, None, None, :]), source.ne(0)[:, None, None, :]


def check_mended_decoder_masks(mended_decoder_masks: Callable) -> None:
    """Check the two masks; say which is still wrong, not where."""
    source = torch.tensor([[5, 6, 7, 2, 0], [8, 2, 0, 0, 0]])
    target = torch.tensor([[1, 4, 0], [1, 5, 9]])
    compare_decoder_masks(mended_decoder_masks, "2 sentences, source of length 5, target of length 3", source, target)
    answer(mended_decoder_masks, "mended_decoder_masks").passed("both masks, for sentences of different lengths")


def compare_decoder_masks(mended_decoder_masks: Callable, situation: str, source: Tensor, target: Tensor) -> None:
    """Compare both masks with their definitions."""
    subject = answer(mended_decoder_masks, "mended_decoder_masks")
    right = right_decoder_masks(source, target)
    causal, real = right_decoder_masks(source, torch.ones_like(target))[0], target.ne(0)[:, None, None, :]
    result = subject(situation, source, target)
    second = result[1] if type(result) is tuple and len(result) == 2 else None
    if isinstance(second, Tensor) and second.shape == real.shape != right[1].shape:
        subject.fail(
            situation,
            f"memory_mask has shape {tuple(second.shape)}, as long as the target",
            "one entry for each position of the memory, which is as long as the source",
            "cross-attention is masked with the padding of the wrong sentence",
            "whose keys does cross-attention look at?",
        )
    self_mask, memory_mask = subject.require_pair(situation, result, right, ("self_mask", "memory_mask"))
    requirement = "self_mask: real tokens that do not come later"
    mistakes = [
        Mistake(
            causal | real,
            "self_mask lets each position see padding of the past and words of the future",
            "two conditions that must both hold are combined so that one of them is enough",
            "may position 0 attend to position 1, if position 1 is a real word?",
        ),
        Mistake(causal, "self_mask allows padding", "the padding of the target is left out", "combine both masks"),
        Mistake(
            real.expand_as(right[0]), "self_mask allows the future", "the causal mask is left out", "combine both masks"
        ),
        Mistake(
            causal & target.ne(0)[:, None, :, None],
            "self_mask takes the right to ask from padding, not the right to be asked",
            "the padding stands in the dimension of the queries",
            "padding is hidden as a key: `[:, None, None, :]`",
        ),
    ]
    mistakes = [each for each in mistakes if not torch.equal(each.shows.expand_as(right[0]), right[0])]
    subject.compare(situation, self_mask, right[0], requirement, mistakes)
    subject.compare(
        situation,
        memory_mask,
        right[1],
        "memory_mask: the real tokens of the source",
        [
            Mistake(
                real,
                "memory_mask knows the padding of the target, not of the source",
                "cross-attention is masked with the padding of the wrong sentence",
                "whose keys does cross-attention look at?",
            )
        ]
        if real.shape == right[1].shape
        else [],
    )


def check_continued_mask(continued_mask: Callable) -> None:
    """Check the chunks of a text against the rows of the whole, with and without a window."""
    subject = answer(continued_mask, "continued_mask")
    for total, window in [(9, None), (9, 4), (9, 1), (5, 7), (1, 2)]:
        back = torch.arange(total)[:, None] - torch.arange(total)  # how far each key lies behind each query
        whole = (back >= 0) & (back < (window or total))
        for new in {1, min(3, total), total}:
            situation = f"{new} new positions of {total}, window {window}"
            right = whole[total - new :].reshape(new, total)
            arguments = (new, total) if window is None else (new, total, window)
            observed = require_bool(subject, situation, subject(situation, *arguments), right)
            corner = torch.ones(new, total, dtype=torch.bool).tril()
            mistakes = [
                Mistake(
                    corner,
                    "the first new position sees position 0 alone",
                    "the triangle begins in the upper left corner: the past is forgotten",
                    "the last new position is the last of all: in which corner do both ends meet?",
                )
            ]
            subject.compare(situation, observed, right, "the last rows of the mask of the whole text", mistakes)
    subject.passed("pieces of a text have the rows of the whole")
