"""The mistakes with heads that we know, each with what it returns and how to tell the learner."""

import math

import torch
from torch import Tensor

from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.oracles import right_pair
from transformer_course.checks.oracles_heads import project, right_merge, right_split
from transformer_course.checks.reporting import Mistake

PROJECTIONS = ("w_query", "w_key", "w_value", "w_output")
LOOK = "fill x with 0, 1, 2, ... (`torch.arange`) and print one head: it should hold neighbouring columns of each word"


def view_split(x: Tensor, num_heads: int) -> Tensor:
    """Cut with a view alone, without the transpose."""
    batch, length, d_model = x.shape
    return x.reshape(batch, num_heads, length, d_model // num_heads)


def interleaved_split(x: Tensor, num_heads: int) -> Tensor:
    """Give head i every num_heads-th column, from the i-th on."""
    return torch.stack([x[:, :, head::num_heads] for head in range(num_heads)], 1)


def view_merge(x: Tensor) -> Tensor:
    """Glue with a reshape alone, without the transpose."""
    batch, heads, length, d_k = x.shape
    return x.reshape(batch, length, heads * d_k)


def interleaved_merge(x: Tensor) -> Tensor:
    """Take column 0 of all heads, then column 1 of all heads."""
    return x.permute(0, 2, 3, 1).flatten(2)


VIEWED = Mistake(
    view_split,
    "a head holds numbers of several words, mixed",
    "`view` or `reshape` straight to (batch, heads, length, d_k): the order of the numbers stays, so a head gets whole "
    "words in the place of its columns of every word; the transpose is missing",
    LOOK,
)
INTERLEAVED = Mistake(
    interleaved_split,
    "head 0 holds every num_heads-th column",
    "d_k and num_heads change places when the columns are cut: the heads are interleaved, not contiguous blocks",
    LOOK,
)
REVERSED = Mistake(
    lambda x, num_heads: right_split(x, num_heads).flip(1),
    "the heads come in the wrong order",
    "the blocks are counted from the right",
    LOOK,
)
MERGE_VIEWED = Mistake(
    view_merge,
    "a word holds numbers of several words, mixed",
    "`reshape` or `view` straight to (batch, length, d_model), without the transpose back",
    "merge the heads of `torch.arange(...)` numbers, and print the first word: which heads does it hold?",
)
MERGE_INTERLEAVED = Mistake(
    interleaved_merge,
    "neighbouring columns come from different heads",
    "the heads are interleaved: d_k stands before heads when the two are flattened",
    "bring the four dimensions into the order (batch, length, heads, d_k) before the last two become one",
)


def of(mistake: Mistake, *arguments) -> Mistake:
    """Fill a mistake with what it returns for these arguments."""
    return Mistake(mistake.shows(*arguments), mistake.observed, mistake.cause, mistake.hint)


def wrong_parameters(d_model: int, num_heads: int, bias: bool) -> list[WrongParameters]:
    """List the known ways to have other parameters than four layers of ``(d_model, d_model)``."""
    d_k = d_model // num_heads

    def every(*shape):
        right = (d_model, d_model)
        return lambda found: right != shape in [found.get(f"{name}.weight") for name in PROJECTIONS]

    def total(factor):
        return lambda found: sum(math.prod(shape) for shape in found.values() if len(shape) == 2) == factor * d_model**2

    return [
        WrongParameters(
            every(d_k, d_k),
            "the input is cut into heads first, and each piece is projected on its own; but every head reads all of "
            "the d_model features",
            "project first, with layers from d_model to d_model, and cut the result",
        ),
        WrongParameters(
            every(d_k, d_model),
            "the layers are as wide as one head; together the heads need num_heads * d_k = d_model columns",
            "one layer from d_model to d_model holds the projections of all heads, a block of rows for each",
        ),
        WrongParameters(
            every(d_model * num_heads, d_model),
            "every head gets d_model columns in the place of d_k: num_heads times the parameters",
            "the heads share the d_model columns among them: d_k = d_model / num_heads",
        ),
        WrongParameters(
            lambda found: not any(len(shape) == 2 for shape in found.values()),
            "the layers stand in a plain list or dictionary, where nn.Module does not find them",
            "set each layer as an attribute of its own: `self.w_query = nn.Linear(...)`",
        ),
        WrongParameters(
            lambda found: "w_output.weight" not in found and total(3)(found),
            "the projection of the merged heads is missing",
            "a fourth layer, w_output, mixes what the heads have found",
        ),
        WrongParameters(
            lambda found: not bias and any(name.endswith(".bias") for name in found),
            "a bias where none was asked for: `bias` does not reach the layers",
            "hand `bias` on to each of the four layers",
        ),
        WrongParameters(
            lambda found: bias and set(found) == {f"{name}.weight" for name in PROJECTIONS},
            "a bias is missing where it was asked for",
            "hand `bias` on to each of the four layers",
        ),
        WrongParameters(
            total(1),
            "one layer has several names: query, key and value are projected with the same weights",
            "make a layer of its own for each of the four",
        ),
    ]


def multi_head_mistakes(
    weights: dict[str, Tensor], num_heads: int, inputs: tuple[Tensor, Tensor, Tensor], mask: Tensor | None = None
) -> tuple[list[Mistake], list[Mistake]]:
    """List what wrong multi-head attention returns: mistakes that show in the weights, and in the output alone."""
    query, key, value = inputs
    d_model = query.shape[-1]
    q, k, v = (project(weights, f"w_{name}", x) for name, x in zip(("query", "key", "value"), inputs, strict=True))

    def run(q=q, k=k, v=v, split=right_split, merge=right_merge, mask=mask):
        heads, shares = right_pair(split(q, num_heads), split(k, num_heads), split(v, num_heads), mask)
        return project(weights, "w_output", merge(heads)), shares

    ratio = math.sqrt(q.shape[-1] // num_heads)
    formula = "compare with the formula: each head divides by the square root of its own width"
    sharp, flat = "the weights are more extreme than they should be", "the weights are flatter than they should be"
    names = "compare each of the three lines with the formula: which layer, which input?"
    scores = [
        Mistake(run(split=view_split)[1], "the weights are those of mixed-up heads", VIEWED.cause, VIEWED.hint),
        Mistake(
            run(split=interleaved_split)[1], "the weights are those of other columns", INTERLEAVED.cause, LOOK
        ),
        Mistake(run(q * ratio / math.sqrt(d_model))[1], flat, "the scores are divided by sqrt(d_model)", formula),
        Mistake(run(q * ratio)[1], sharp, "the scores are not divided by sqrt(d_k)", formula),
        Mistake(run(q / ratio)[1], flat, "the scores are divided twice: the imported function does it too", formula),
        Mistake(
            run(query, key, value)[1],
            "the weights are those of inputs that were not projected",
            "query and key do not go through w_query and w_key",
            names,
        ),
        Mistake(
            run(k=project(weights, "w_query", key))[1],
            "the weights are those of one layer for query and key",
            "the key goes through w_query",
            names,
        ),
        Mistake(
            run(q=project(weights, "w_key", query))[1],
            "the weights are those of one layer for query and key",
            "the query goes through w_key",
            names,
        ),
        Mistake(run()[1].mean(1, keepdim=True).expand_as(run()[1]), "all heads have the same weights",
                "the weights are averaged over the heads", "return the weights of every head"),
    ]  # fmt: skip
    if mask is not None:
        scores += [
            Mistake(run(mask=None)[1], "hidden keys have a weight", "the mask is not used", "hand the mask on"),
            Mistake(
                run(mask=~mask)[1],
                "exactly the keys that should be hidden have the weight",
                "the mask is turned around: here True means `may be attended to`",
                "hand the mask on as it is",
            ),
        ]
    if query.shape == key.shape == value.shape:
        scores.append(
            Mistake(
                run(k=project(weights, "w_key", query))[1],
                "the weights do not depend on the key",
                "the key is computed from the query input, as in self-attention",
                names,
            )
        )
    heads = right_pair(*(right_split(x, num_heads) for x in (q, k, v)), mask)[0]
    output = [
        Mistake(
            run(merge=view_merge)[0], "the weights are right, the output is not", MERGE_VIEWED.cause, MERGE_VIEWED.hint
        ),
        Mistake(
            run(merge=interleaved_merge)[0],
            "the weights are right, the output is not",
            MERGE_INTERLEAVED.cause,
            MERGE_INTERLEAVED.hint,
        ),
        Mistake(
            right_merge(heads),
            "the output is that of the heads, side by side",
            "w_output is not used",
            "the last step is the projection of the merged heads",
        ),
        Mistake(
            run(v=k)[0],
            "the output is a mean of the keys",
            "the projected key is used as the value",
            names,
        ),
        Mistake(
            run(v=project(weights, "w_key", value))[0],
            "the output is a mean of values that went through another layer",
            "the value goes through w_key",
            names,
        ),
        Mistake(
            run(v=project(weights, "w_value", key))[0],
            "the output is a mean of values that came from elsewhere",
            "the value is computed from the key input",
            names,
        ),
        Mistake(
            run(v=value)[0],
            "the output is a mean of values that were not projected",
            "the value does not go through w_value",
            names,
        ),
        Mistake(
            project(weights, "w_output", heads.mean(1).repeat(1, 1, num_heads)),
            "all heads contribute the same",
            "the heads are averaged, and not written side by side",
            "merge the heads: head i fills the columns of block i",
        ),
        Mistake(
            run()[0] + query,
            "the output holds the query itself as well",
            "the query is added (a residual connection); that belongs to the block of chapter 09",
            "return the projection of the merged heads alone",
        ),
    ]
    if query.shape == key.shape == value.shape:
        output.append(
            Mistake(
                run(v=project(weights, "w_value", query))[0],
                "the output is a mean of values that came from elsewhere",
                "the value is computed from the query input, as in self-attention",
                names,
            )
        )
    if mask is not None and mask.dim() == 4 and mask.shape[:2] == (num_heads, 1):
        scores.append(
            Mistake(
                run(mask=mask.squeeze(1))[1],
                "every head has the mask of another example",
                "the mask is used the wrong way round in its leading dimensions: examples are taken for heads",
                "a mask for each example has shape (batch, 1, query_length, key_length); hand it on as it is",
            )
        )
    return scores, output
