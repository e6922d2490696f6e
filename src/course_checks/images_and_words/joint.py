"""Tasks `joint_sequence` and `joint_mask` of exercise 16."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
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


# fmt: off
_SUMS, _PUT = "text + types[0], image + types[1]", ("add a type to a vector, do not put it beside the others",
                                                    "the sequence is too long")
sequence.edit(_SUMS, {
    "text + types[1], image + types[0]": ("words get the type of patches, and patches that of words", _TYPES),
    "text + types[0], image": ("only the words get their type", _TYPES),
    "text, image + types[1]": ("only the patches get their type", _TYPES),
    "text + types[0], image + types[0]": ("words and patches get the same type", _TYPES),
    "text + types.sum(0), image + types.sum(0)": ("every position gets the sum of both types", _TYPES),
    "text, image": ("the types are not added", _TYPES),
    "text * types[0], image * types[1]": ("the types are multiplied, not added", _TYPES),
    "text[:, :-1] + types[0], image + types[1]": ("the last word is lost", "how many positions has the result?"),
    f"types.expand(len(text), -1, -1), {_SUMS}": ("the types become two more positions of the sequence", *_PUT),
    "types.expand(len(text), -1, -1), text, image": (
        "the types become two more positions in front of the sequence, and are added to no vector", *_PUT),
    "types[:1].expand(len(text), 1, -1), text, types[1:].expand(len(text), 1, -1), image": (
        "the types become two more positions of the sequence, each in front of its part, and are added to no vector",
        *_PUT)})
sequence.edit("return torch.cat", {
    "text, image, types = image, text, types.flip(0)\nreturn torch.cat": (
        "the patches stand in front of the words", "words first"),
    "types = types.detach()\nreturn torch.cat": (
        "the types are cut off from the graph (`.data`, `.detach()`, `torch.tensor(...)`): they never learn",
        "call `.sum().backward()` on the result, and print `types.grad`")})
_FIRST = "which places of the sequence are patches, and what is the number of the first one?"
sequence.edit(f"torch.cat([{_SUMS}], dim=1)", {
    "torch.cat([text, image], 1) + types[(torch.arange(text.shape[1] + image.shape[1]) >= image.shape[1]).long()]": (
        "the second type begins behind as many places as there are patches, not words",
        _FIRST),
    "torch.cat([text, image], 1) + types[(torch.arange(text.shape[1] + image.shape[1]) >= text.shape[1] - 1).long()]": (
        "the second type begins one place too early, at the last word", _FIRST)})
# fmt: on


def parts(batch, m, n, d_model, dtype=torch.float64):
    """Draw words, patches and types."""
    return drawn(f"{batch} {m} {d_model}; {batch} {n} {d_model}; 2 {d_model}", dtype=dtype)


sequence.require("words, then patches, each with its type",
    "shape (batch, m + n, d_model): words plus types[0], behind them patches plus types[1]",
    [Case("2 sentences of 3 words, 5 patches", parts(2, 3, 5, 4)), Case("float32", parts(3, 4, 2, 6, torch.float32))],
    [Case("other sizes", parts(3, 6, 4, 5)), Case("as many words as patches", parts(2, 2, 2, 2))])  # fmt: skip
sequence.require("gradients reach words, patches and types", "the derivative of the sums",
    [Case("the gradients", parts(2, 3, 5, 4), gradients())],
    [Case("the gradients at other sizes", parts(3, 2, 4, 5), gradients())])  # fmt: skip
sequence.limits("one word, one patch, and wrong input",
    [Case("one word, one patch", parts(2, 1, 1, 4)),
     refusal("two pictures for one sentence", drawn("1 2 3; 2 2 3; 2 3"), "image"),
     refusal("three types", drawn("1 2 3; 1 2 3; 3 3"), "types")])  # fmt: skip


@mask.oracle
def right_mask(tokens, num_patches, pad_id=PAD):
    """Ask for each token, one after the other."""
    rows = [[token != pad_id for token in row] + [True] * num_patches for row in tokens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(tokens), 1, 1, tokens.shape[1] + num_patches)


# fmt: off
_WORDS = "padding_mask(tokens, pad_id)"
mask.edit(_WORDS, {
    f"~{_WORDS}": ("the part of the words is inverted; True means: may be attended to", _PLACES),
    "padding_mask(tokens)": (
        "`pad_id` is not used: token 0 is hidden, whatever it says", "which line uses `pad_id`?"),
    "(tokens > pad_id)[:, None, None]": (
        "`>` in the place of `!=`: words whose number is below `pad_id` are hidden too",
        "with pad_id = 9, is token 7 padding?"),
    "(tokens == tokens)[:, None, None]": ("padding is not hidden", _PLACES)})
mask.edit("torch.ones(len(tokens), 1, 1, num_patches, dtype=torch.bool)", {
    "torch.zeros(len(tokens), 1, 1, num_patches, dtype=torch.bool)": ("the patches are hidden", _PLACES),
    "torch.ones(len(tokens), 1, 1, num_patches + 1, dtype=torch.bool)": (
        "there is one place too many for the patches", _PLACES, "the last dimension is too long"),
    "(torch.arange(num_patches) < (tokens != pad_id).sum(1, keepdim=True))[:, None, None]": (
        "patches are hidden where a sentence is short", "which patches are padding?"),
    "torch.full((len(tokens), 1, 1, num_patches), pad_id != 1)": (
        "the patches are made tokens of one number, and are hidden where `pad_id` is this number",
        "which number is no padding, whatever `pad_id` is? Or: which dtype needs no number?")})
mask.edit(", patches], dim=-1)", {
    ", patches], dim=-1).roll(num_patches, -1)": ("the patches stand in front of the words", _PLACES),
    ", ~patches], dim=-1).roll(num_patches, -1)": (
        "the patches stand in front of the words, and are hidden", _PLACES),
    "], dim=-1)": ("there are no places for the patches", _PLACES, "the last dimension is too short"),
    ", patches], dim=-1)[:, 0, 0]": (
        "the dimensions for heads and queries are missing", _ONES, "the mask has shape (batch, m + n)"),
    ", patches], dim=-1)[:, 0]": (
        "the dimension for heads or queries is missing", _ONES, "the mask has three dimensions")})
mask.edit("return torch.cat", {"return ~torch.cat": (
    "the whole mask is inverted; True means: may be attended to", _PLACES)})
mask.edit_places({"return torch.cat": "both = torch.cat", "dim=-1)": "dim=-1)\nreturn both & both.mT"},
                 "padding is hidden as a query too, so that its rows are empty",
                 "leave a 1 where the mask is the same for all", "the mask has a row for each query")
# fmt: on


def given(rows, num_patches, *pad_id):
    """Take these sentences."""
    return lambda draw: (torch.tensor(rows), num_patches, *pad_id)


mask.require("real words and all patches, in shape (batch, 1, 1, m + n)",
    "True for each token that is not `pad_id`, then True for each patch",
    [Case("3 sentences padded to length 4, 3 patches", given([[7, 5, 0, 0], [4, 6, 8, 2], [9, 0, 0, 0]], 3)),
     Case("2 sentences, pad_id = 9", given([[7, 0, 9], [0, 9, 9]], 4, 9)),
     Case("2 sentences, pad_id = 1", given([[7, 0, 1], [3, 1, 1]], 4, 1)),
     Case("more patches than words", given([[7, 5], [4, 0]], 6))],
    [Case("one sentence", given([[6, 5, 4, 0, 0, 0]], 2)), Case("padding in front", given([[0, 7], [0, 0]], 3)),
     Case("another pad_id", given([[3, 0, 1], [1, 1, 5]], 2, 1))])  # fmt: skip
mask.limits("one word, one patch, 32-bit integers, and wrong input",
    [Case("one word, one patch", given([[4], [0]], 1)),
     Case("tokens of 32 bits", lambda draw: (torch.tensor([[3, 0]], dtype=torch.int32), 2)),
     refusal("a single sentence without a batch", given([4, 5, 0], 2), "tokens"),
     refusal("floating-point tokens", given([[4.0, 0.0]], 2), "tokens")])  # fmt: skip
