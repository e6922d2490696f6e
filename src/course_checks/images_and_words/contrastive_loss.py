"""Task `contrastive_loss` of exercise 16."""

import torch

from course_checks.cases import Case, drawn, gradients, refusal
from course_checks.images_and_words.shared import UNIT
from course_checks.task import Task

task = Task("contrastive_loss", UNIT)
_TWO = "take two pairs, write down the table of four cosines, and go through its rows and columns"
_LENGTH = "multiply the vectors of one picture by 10: what should happen to the loss?"
_ROW = "print the lengths of the rows"
_TEMPERATURE = "halve the temperature: what should happen to the numbers in the table?"


@task.oracle
def right(image_vectors, text_vectors, temperature):
    """Sum over all pairs, with logarithms of sums."""
    image, text = (x / x.norm(dim=-1, keepdim=True) for x in (image_vectors, text_vectors))
    table = torch.einsum("id,jd->ij", image, text) / temperature
    own = torch.diagonal(table)
    return (torch.logsumexp(table, 1) + torch.logsumexp(table, 0) - 2 * own).mean() / 2


# fmt: off
_IMAGE, _TEXT = "F.normalize(image_vectors, dim=-1)", "F.normalize(text_vectors, dim=-1)"
_ALONE = ("the exponentials are computed by themselves, before sum, quotient and logarithm: at a small temperature "
          "they are infinite, or 0", "print the table at temperature 0.001, and its exponentials")
_ROWS, _COLUMNS = "F.cross_entropy(logits, own)", "F.cross_entropy(logits.T, own)"
task.edit(_IMAGE, {"image_vectors": ("only the vectors of the captions are made of length 1", _LENGTH)})
task.edit(_TEXT, {"text_vectors": ("only the vectors of the pictures are made of length 1", _LENGTH)})
task.edit_places({_IMAGE: "image_vectors", _TEXT: "text_vectors"}, "the vectors are not made of length 1", _LENGTH)
task.edit_places({_IMAGE: "image_vectors / image_vectors.norm()", _TEXT: "text_vectors / text_vectors.norm()"},
                 "all vectors together are made of length 1, not each by itself", _ROW)
task.edit_places({_IMAGE: "image_vectors / image_vectors.square().sum(-1, keepdim=True)",
                  _TEXT: "text_vectors / text_vectors.square().sum(-1, keepdim=True)"},
                 "the vectors are divided by the square of their length, not by their length", _ROW)
task.edit_all("dim=-1", {
    "dim=0": ("the columns are made of length 1, not the rows", "a vector is a row"),
    "p=1, dim=-1": ("the vectors are divided by the sum of their absolute values, not by their length", _ROW)})
task.edit(f"({_ROWS} + {_COLUMNS}) / 2", {
    _ROWS: ("only the pictures ask for their captions", _TWO),
    _COLUMNS: ("only the captions ask for their pictures", _TWO),
    f"{_ROWS} + {_COLUMNS}": (
        "the two cross-entropies are added, not averaged", _TWO, "the loss is twice too large"),
    "sum(x.masked_fill(torch.eye(len(x)).bool(), -torch.inf).logsumexp(1).mean() for x in (logits, logits.T)) / 2 "
    "- logits.diagonal().mean()": ("the pair itself is missing in the sum of the denominator", _TWO),
    "sum(x.exp().sum(1).log().mean() for x in (logits, logits.T)) / 2 - logits.diagonal().mean()": _ALONE,
    "-sum((x.exp() / x.exp().sum(1, keepdim=True)).diagonal().log().mean() for x in (logits, logits.T)) / 2": _ALONE,
    "-logits.diagonal().mean()": ("the cosines of the pairs are averaged, and no other pair is looked at", _TWO),
    "F.binary_cross_entropy_with_logits(logits, torch.eye(len(own)).to(logits))": (
        "each cell of the table is a yes-or-no question of its own (sigmoid)", _TWO),
    f"({_ROWS} + {_COLUMNS}) / 2".replace(", own", ".softmax(-1), own"): (
        "softmax is applied before the cross-entropy, which applies it again", "what does F.cross_entropy expect?")})
task.edit("torch.arange(len(logits))", {"torch.zeros(len(logits), dtype=torch.long)": (
    "every row is asked for caption (and picture) 0: the targets are all 0",
    "the right answer of row i stands in which column?")})
task.edit("image @ text.T", {
    "image @ image.T": ("pictures are compared with pictures; the captions are not used", _TWO),
    "text @ text.T": ("captions are compared with captions; the pictures are not used", _TWO)})
task.edit(" / temperature", {
    " * temperature": ("the cosines are multiplied by the temperature", _TEMPERATURE),
    "": ("the temperature is not used", _TEMPERATURE),
    " / temperature**2": ("the cosines are divided by the temperature twice", _TEMPERATURE),
    " * torch.as_tensor(temperature, dtype=image.dtype).exp()": (
        "the temperature is taken for the logarithm of a factor", _TEMPERATURE),
    " / temperature**0.5": ("the cosines are divided by the root of the temperature", _TEMPERATURE),
    " / torch.as_tensor(temperature, dtype=image.dtype).detach()": (
        "the temperature is cut off from the graph (`float(...)`, `.item()`, `.detach()`), and never learns",
        "take a temperature that is a tensor, call `.backward()` on the loss, and print its `.grad`")})
task.edit_all(", own)", {
    ', own, reduction="sum")': ("the loss is summed over the batch, not averaged", "the mean over the batch"),
    ', own, reduction="none")': (
        "the loss of each pair is returned", "the mean over the batch", "the result is no scalar")})
# fmt: on


def pairs(sizes, temperature, dtype=torch.float64):
    """Draw vectors of pictures and captions."""
    return drawn(f"{sizes}; {sizes}", temperature, dtype=dtype, scale=2.0)


def agreeing(draw):
    """Draw pairs that nearly agree."""
    image = draw(6, 5, dtype=torch.float64, scale=3.0)
    return image, image + draw(6, 5, dtype=torch.float64), 0.5


EXPECTED = "the mean of the two cross-entropies over the table of cosines, divided by the temperature; a scalar"
LEARNED = torch.tensor(0.3, dtype=torch.float64)
task.require("rows and columns of the table of cosines", EXPECTED,
    [Case("5 pairs, temperature 1", pairs("5 4", 1.0)), Case("6 pairs that nearly agree", agreeing),
     Case("3 pairs, temperature 0.2", pairs("3 7", 0.2)),
     Case("a temperature that is a tensor", pairs("4 3", LEARNED))],
    [Case("7 pairs", pairs("7 3", 0.5)), Case("as many pairs as numbers", pairs("4 4", 0.3)),
     Case("a temperature above 1", pairs("5 6", 3.0)), Case("float32", pairs("5 6", 0.4, torch.float32))])  # fmt: skip
task.require("gradients reach pictures, captions and the temperature", "the derivative of the loss",
    [Case("the gradients", pairs("4 3", LEARNED), gradients())],
    [Case("the gradients at other sizes", pairs("5 3", 0.6), gradients())])  # fmt: skip
task.limits("one pair, a small temperature, and wrong input",
    [Case("one pair", pairs("1 4", 0.5)), Case("temperature 0.001", pairs("4 3", 0.001)),
     refusal("more captions than pictures", drawn("2 3; 3 3", 0.5), "text_vectors"),
     refusal("temperature 0", pairs("2 3", 0.0), "temperature")])  # fmt: skip
