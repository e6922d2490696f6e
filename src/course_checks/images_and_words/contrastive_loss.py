"""Task `contrastive_loss` of exercise 16."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("contrastive_loss", UNIT)
_TWO = "take two pairs, write down the table of four cosines, and go through its rows and columns"
_LENGTH = "multiply the vectors of one picture by 10: what should happen to the loss?"
_TEMPERATURE = "halve the temperature: what should happen to the numbers in the table?"


@task.oracle
def right(image_vectors, text_vectors, temperature):
    """Sum over all pairs, with logarithms of sums."""
    image, text = (x / x.norm(dim=-1, keepdim=True) for x in (image_vectors, text_vectors))
    table = torch.einsum("id,jd->ij", image, text) / temperature
    own = torch.diagonal(table)
    return (torch.logsumexp(table, 1) + torch.logsumexp(table, 0) - 2 * own).mean() / 2


@task.pipeline(
    length={
        "kept": Wrong("the vectors are not made of length 1", "", _LENGTH),
        "pictures alone": Wrong("only the vectors of the pictures are made of length 1", "", _LENGTH),
        "captions alone": Wrong("only the vectors of the captions are made of length 1", "", _LENGTH),
        "over the batch": Wrong("the columns are made of length 1, not the rows", "", "a vector is a row"),
    },
    ask={
        "pictures": Wrong("only the pictures ask for their captions", "", _TWO),
        "captions": Wrong("only the captions ask for their pictures", "", _TWO),
        "sum": Wrong("the two cross-entropies are added, not averaged", "the loss is twice too large", _TWO),
        "class 0": Wrong("every row is asked for caption (and picture) 0: the targets are all 0", "",
                         "the right answer of row i stands in which column?"),
        "no others": Wrong("the pair itself is missing in the sum of the denominator", "", _TWO),
        "pull only": Wrong("the cosines of the pairs are averaged, and no other pair is looked at", "", _TWO),
        "each pair": Wrong("each cell of the table is a yes-or-no question of its own (sigmoid)", "", _TWO),
        "probabilities": Wrong("softmax is applied before the cross-entropy, which applies it again", "",
                               "what does F.cross_entropy expect?"),
    },
    table={
        "pictures": Wrong("pictures are compared with pictures; the captions are not used", "", _TWO),
        "captions": Wrong("captions are compared with captions; the pictures are not used", "", _TWO),
    },
    heat={
        "multiplied": Wrong("the cosines are multiplied by the temperature", "", _TEMPERATURE),
        "unused": Wrong("the temperature is not used", "", _TEMPERATURE),
        "exp": Wrong("the temperature is taken for the logarithm of a factor", "", _TEMPERATURE),
        "root": Wrong("the cosines are divided by the root of the temperature", "", _TEMPERATURE),
    },
    reduced={
        "sum": Wrong("the loss is summed over the batch, not averaged", "", "the mean over the batch"),
        "each": Wrong("the loss of each pair is returned", "the result is no scalar", "the mean over the batch"),
    },
)  # fmt: skip
def contrastive_loss(
    image_vectors, text_vectors, temperature, *, length="one", ask="both", table="both", reduced="mean", heat="divided"
):
    """Compute it with one choice for each step."""
    image, text, dim = image_vectors, text_vectors, 0 if length == "over the batch" else -1
    if length not in ("kept", "captions alone"):
        image = F.normalize(image, dim=dim)
    if length not in ("kept", "pictures alone"):
        text = F.normalize(text, dim=dim)
    cosines = {"pictures": image @ image.T, "captions": text @ text.T}.get(table, image @ text.T)
    t = torch.as_tensor(temperature, dtype=image.dtype)
    table = {
        "multiplied": cosines * t, "unused": cosines, "exp": cosines * t.exp(), "root": cosines / t.sqrt(),
    }.get(heat, cosines / t)  # fmt: skip
    own = torch.arange(len(table)) * (ask != "class 0")
    eye = torch.eye(len(table), dtype=torch.bool)

    def entropy(x):
        if ask == "probabilities":
            x = x.softmax(-1)
        if ask == "no others":
            return torch.logsumexp(x.masked_fill(eye, -torch.inf), -1) - x.diagonal()
        return F.cross_entropy(x, own, reduction="none")

    if ask == "pull only":
        each = -table.diagonal()
    elif ask == "each pair":
        each = F.binary_cross_entropy_with_logits(table, eye.to(table.dtype), reduction="none").mean(-1)
    elif ask in ("pictures", "captions"):
        each = entropy(table if ask == "pictures" else table.T)
    else:
        each = (entropy(table) + entropy(table.T)) / (1 if ask == "sum" else 2)
    return {"sum": each.sum(), "each": each}.get(reduced, each.mean())


def drawn(batch, d, temperature, dtype=torch.float64, scale=2.0):
    """Draw vectors of pictures and captions."""
    return lambda draw: (draw(batch, d, dtype=dtype, scale=scale), draw(batch, d, dtype=dtype), temperature)


def agreeing(draw):
    """Draw pairs that nearly agree."""
    image = draw(6, 5, dtype=torch.float64, scale=3.0)
    return image, image + draw(6, 5, dtype=torch.float64), 0.5


def learned(draw):
    """Give the temperature as a tensor."""
    return (*drawn(4, 3, 0)(draw)[:2], torch.tensor(0.3, dtype=torch.float64))


EXPECTED = "the mean of the two cross-entropies over the table of cosines, divided by the temperature; a scalar"
task.require(
    "rows and columns of the table of cosines",
    EXPECTED,
    [Case("5 pairs, temperature 1", drawn(5, 4, 1.0)), Case("6 pairs that nearly agree", agreeing),
     Case("3 pairs, temperature 0.2", drawn(3, 7, 0.2)), Case("a temperature that is a tensor", learned)],
    [Case("7 pairs", drawn(7, 3, 0.5)), Case("as many pairs as numbers", drawn(4, 4, 0.3)),
     Case("a temperature above 1", drawn(5, 6, 3.0)), Case("float32", drawn(5, 6, 0.4, torch.float32))],
)  # fmt: skip
task.require(
    "gradients reach pictures, captions and the temperature",
    "the derivative of the loss",
    [Case("the gradients", learned, gradients())],
    [Case("the gradients at other sizes", drawn(5, 3, 0.6), gradients())],
)
task.limits(
    "one pair, a small temperature, and wrong input",
    [
        Case("one pair", drawn(1, 4, 0.5)),
        Case("temperature 0.001", drawn(4, 3, 0.001)),
        refusal("more captions than pictures", lambda draw: (draw(2, 3), draw(3, 3), 0.5), "text_vectors"),
        refusal("temperature 0", lambda draw: (draw(2, 3), draw(2, 3), 0.0), "temperature"),
    ],
)
