"""Tasks `joint_sequence` and `joint_mask` of exercise 16."""

import torch

from course_checks.cases import Case, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong
from transformer_course.common.tokens import PAD

sequence, mask = Task("joint_sequence", UNIT), Task("joint_mask", UNIT)

_TYPES = "take words and patches of zeros: which vector should stand at each place?"
_PLACES = "write down for one sentence which places are words, which are patches, and which may be attended to"
_ONES = "insert dimensions of size 1 for heads and queries"


@sequence.oracle
def right_sequence(text, image, types):
    """Fill in the places one after the other."""
    rows = [text[:, i] + types[0] for i in range(text.shape[1])] + [
        image[:, i] + types[1] for i in range(image.shape[1])
    ]
    return torch.stack(rows, dim=1)


@sequence.pipeline(
    added={
        "exchanged": Wrong("words get the type of patches, and patches that of words", "", _TYPES),
        "words alone": Wrong("only the words get their type", "", _TYPES),
        "patches alone": Wrong("only the patches get their type", "", _TYPES),
        "one": Wrong("words and patches get the same type", "", _TYPES),
        "both": Wrong("every position gets the sum of both types", "", _TYPES),
        "none": Wrong("the types are not added", "", _TYPES),
        "multiplied": Wrong("the types are multiplied, not added", "", _TYPES),
    },
    order={
        "patches first": Wrong("the patches stand in front of the words", "", "words first"),
        "types as words": Wrong("the types become two more positions of the sequence", "the sequence is too long",
                                "add a type to a vector, do not put it beside the others"),
    },
)  # fmt: skip
def joint_sequence(text, image, types, *, added="each", order="words first"):
    """Join with one choice for each step."""
    word, patch = {
        "exchanged": (types[1], types[0]), "words alone": (types[0], 0 * types[1]),
        "none": (0 * types[0], 0 * types[1]),
        "patches alone": (0 * types[0], types[1]), "one": (types[0], types[0]), "both": (types.sum(0), types.sum(0)),
    }.get(added, (types[0], types[1]))  # fmt: skip
    if added == "multiplied":
        text, image = text * word, image * patch
    else:
        text, image = text + word, image + patch
    parts = [image, text] if order == "patches first" else [text, image]
    if order == "types as words":
        parts = [types.expand(len(text), -1, -1), *parts]
    return torch.cat(parts, dim=1)


@sequence.mistake("the types are cut off from the graph (`.data`, `.detach()`, `torch.tensor(...)`): they never learn",
                  "",
                  "call `.sum().backward()` on the result, and print `types.grad`")  # fmt: skip
def types_cut_off(text, image, types):
    """Add the numbers of the types."""
    return right_sequence(text, image, types.detach())


@sequence.mistake("the last word is lost", "", "how many positions has the result?")
def last_word_lost(text, image, types):
    """Drop the last word."""
    return right_sequence(text[:, :-1], image, types)


@sequence.mistake("the types become two more positions of the sequence, each in front of its part, and are added to "
                  "no vector", "the sequence is too long", "add a type to a vector, do not put it beside the others",
                  )  # fmt: skip
def types_between(text, image, types):
    """Put each type in front of its part."""
    word, patch = (each.expand(len(text), 1, -1) for each in types)
    return torch.cat([word, text, patch, image], dim=1)


@sequence.mistake("the types become two more positions in front of the sequence, and are added to no vector",
                  "the sequence is too long", "add a type to a vector, do not put it beside the others")  # fmt: skip
def types_in_front(text, image, types):
    """Put both types in front."""
    return torch.cat([types.expand(len(text), -1, -1), text, image], dim=1)


def drawn(batch, m, n, d_model, dtype=torch.float64):
    """Draw words, patches and types."""
    return lambda draw: (
        draw(batch, m, d_model, dtype=dtype), draw(batch, n, d_model, dtype=dtype), draw(2, d_model, dtype=dtype)
    )  # fmt: skip


sequence.require(
    "words, then patches, each with its type",
    "shape (batch, m + n, d_model): words plus types[0], behind them patches plus types[1]",
    [Case("2 sentences of 3 words, 5 patches", drawn(2, 3, 5, 4)), Case("float32", drawn(3, 4, 2, 6, torch.float32))],
    [Case("other sizes", drawn(3, 6, 4, 5)), Case("as many words as patches", drawn(2, 2, 2, 2))],
)
sequence.require(
    "gradients reach words, patches and types",
    "the derivative of the sums",
    [Case("the gradients", drawn(2, 3, 5, 4), gradients())],
    [Case("the gradients at other sizes", drawn(3, 2, 4, 5), gradients())],
)
sequence.limits(
    "one word, one patch, and wrong input",
    [
        Case("one word, one patch", drawn(2, 1, 1, 4)),
        refusal("two pictures for one sentence", lambda draw: (draw(1, 2, 3), draw(2, 2, 3), draw(2, 3)), "image"),
        refusal("three types", lambda draw: (draw(1, 2, 3), draw(1, 2, 3), draw(3, 3)), "types"),
    ],
)


@mask.oracle
def right_mask(tokens, num_patches, pad_id=PAD):
    """Ask for each token, one after the other."""
    rows = [[token != pad_id for token in row] + [True] * num_patches for row in tokens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(tokens), 1, 1, tokens.shape[1] + num_patches)


@mask.pipeline(
    real={
        "inverted": Wrong("the part of the words is inverted; True means: may be attended to", "", _PLACES),
        "not 0": Wrong("`pad_id` is not used: token 0 is hidden, whatever it says", "", "which line uses `pad_id`?"),
        "greater": Wrong("`>` in the place of `!=`: words whose number is below `pad_id` are hidden too", "",
                         "with pad_id = 9, is token 7 padding?"),
        "nothing hidden": Wrong("padding is not hidden", "", _PLACES),
    },
    patches={
        "hidden": Wrong("the patches are hidden", "", _PLACES),
        "first": Wrong("the patches stand in front of the words", "", _PLACES),
        "first and hidden": Wrong("the patches stand in front of the words, and are hidden", "", _PLACES),
        "missing": Wrong("there are no places for the patches", "the last dimension is too short", _PLACES),
        "one too many": Wrong("there is one place too many for the patches", "the last dimension is too long", _PLACES),
        "like the words": Wrong("patches are hidden where a sentence is short", "", "which patches are padding?"),
    },
    shape={
        "two": Wrong("the dimensions for heads and queries are missing", "the mask has shape (batch, m + n)", _ONES),
        "three": Wrong("the dimension for heads or queries is missing", "the mask has three dimensions", _ONES),
        "square": Wrong("padding is hidden as a query too, so that its rows are empty",
                        "the mask has a row for each query", "leave a 1 where the mask is the same for all"),
    },
)  # fmt: skip
def joint_mask(tokens, num_patches, pad_id=PAD, *, real="real", patches="all", shape="four"):
    """Make the mask with one choice for each step."""
    found = {
        "inverted": tokens == pad_id, "not 0": tokens != 0, "greater": tokens > pad_id,
        "nothing hidden": tokens == tokens,
    }.get(real, tokens != pad_id)  # fmt: skip
    num_patches += patches == "one too many"
    seen = torch.full((len(tokens), num_patches), patches not in ("hidden", "first and hidden"))
    if patches == "like the words":
        length = found.sum(1, keepdim=True)
        seen = torch.arange(num_patches) < length
    parts = {"first": [seen, found], "first and hidden": [seen, found], "missing": [found]}.get(patches, [found, seen])
    joined = torch.cat(parts, dim=1)
    return {
        "two": lambda: joined, "three": lambda: joined[:, None],
        "square": lambda: (joined[:, :, None] & joined[:, None])[:, None],
    }.get(shape, lambda: joined[:, None, None])()  # fmt: skip


def given(rows, num_patches, *pad_id):
    """Take these sentences."""
    return lambda draw: (torch.tensor(rows), num_patches, *pad_id)


mask.require(
    "real words and all patches, in shape (batch, 1, 1, m + n)",
    "True for each token that is not `pad_id`, then True for each patch",
    [Case("3 sentences padded to length 4, 3 patches", given([[7, 5, 0, 0], [4, 6, 8, 2], [9, 0, 0, 0]], 3)),
     Case("2 sentences, pad_id = 9", given([[7, 0, 9], [0, 9, 9]], 4, 9)),
     Case("more patches than words", given([[7, 5], [4, 0]], 6))],
    [Case("one sentence", given([[6, 5, 4, 0, 0, 0]], 2)), Case("padding in front", given([[0, 7], [0, 0]], 3)),
     Case("another pad_id", given([[3, 0, 1], [1, 1, 5]], 2, 1))],
)  # fmt: skip
mask.limits(
    "one word, one patch, 32-bit integers, and wrong input",
    [
        Case("one word, one patch", given([[4], [0]], 1)),
        Case("tokens of 32 bits", lambda draw: (torch.tensor([[3, 0]], dtype=torch.int32), 2)),
        refusal("a single sentence without a batch", given([4, 5, 0], 2), "tokens"),
        refusal("floating-point tokens", given([[4.0, 0.0]], 2), "tokens"),
    ],
)
