"""The mistakes with positions that we know, each with what it returns and how to tell the learner."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.oracles_positions import right_shift
from transformer_course.checks.reporting import Mistake

LAST = "print the last two columns of row 1, and compare with 10000 to the power of -(d_model - 2) / d_model"
LAST_BLOCK = "compare the last block with the sine and cosine of offset / 10000^((d_model - 2) / d_model)"
FIRST = "print row 0: the sine of 0 is 0, its cosine 1, for every frequency"


def _waves(
    length: int,
    d_model: int,
    frequency: Callable[[Tensor], Tensor],
    cosine_frequency: Callable[[Tensor], Tensor] | None = None,
    first: int = 0,
) -> tuple[Tensor, Tensor]:
    """Compute sines and cosines with frequencies of one's own; each ``(length, pairs)``."""
    positions, pair = torch.arange(first, first + length).double()[:, None], torch.arange((d_model + 1) // 2).double()
    return (positions * frequency(pair)).sin(), (positions * (cosine_frequency or frequency)(pair)).cos()


def _woven(sines: Tensor, cosines: Tensor, d_model: int) -> Tensor:
    return torch.stack([sines, cosines], -1).flatten(1)[:, :d_model].to(torch.get_default_dtype())


def encoding_mistakes(length: int, d_model: int) -> list[Mistake]:
    """List what a wrong encoding looks like."""
    d = d_model

    def right(pair):
        return 10_000.0 ** (-2 * pair / d)

    def wrong(frequency, cosine_frequency=None, first=0):
        return _woven(*_waves(length, d, frequency, cosine_frequency, first), d)

    sines, cosines = _waves(length, d, right)
    half = max(d // 2 - 1, 1)
    slow = "the first pair is right, the later ones are not"
    return [
        Mistake(
            wrong(right, first=1),
            "row 0 is what row 1 should be",
            "the positions are counted from 1",
            FIRST,
        ),
        Mistake(
            wrong(lambda pair: 10_000.0 ** (-4 * pair / d)),
            slow + ": they turn too slowly",
            "2i is doubled once more: `torch.arange(0, d_model, 2)` already holds 0, 2, 4, ...",
            LAST,
        ),
        Mistake(
            wrong(lambda pair: 10_000.0 ** (-pair / d)),
            slow + ": they turn too fast",
            "i stands in the exponent where the formula has 2i",
            LAST,
        ),
        Mistake(
            wrong(lambda pair: 10_000.0 ** (2 * pair / d)),
            slow + ": they turn faster and faster",
            "the position is multiplied by the power of 10000 in the place of being divided by it",
            LAST,
        ),
        Mistake(
            wrong(lambda pair: 1_000.0 ** (-2 * pair / d)),
            slow,
            "the base is 1000, not 10000",
            LAST,
        ),
        Mistake(
            wrong(lambda pair: 10_000.0 ** (-pair / half)),
            slow + ": the last turns too slowly",
            "the exponent is divided by d_model - 2, so that it reaches 1 at the last pair",
            LAST,
        ),
        Mistake(
            wrong(right, lambda pair: 10_000.0 ** (-(2 * pair + 1) / d)),
            "the sines are right, the cosines are not",
            "a cosine takes the number of its own column, 2i + 1, for the exponent; a pair shares 2i",
            "sine and cosine of one pair and row have squares that sum to 1: do yours?",
        ),
        Mistake(
            wrong(lambda pair: math.pi / 180 * right(pair)),
            "everything turns too slowly",
            "the angle is converted to degrees or from them; the formula speaks of radians",
            "PE[1, 0] is the sine of 1 radian",
        ),
        Mistake(
            _woven(cosines, sines, d),
            "row 0 begins with 1",
            "sines and cosines change places",
            FIRST,
        ),
        Mistake(
            torch.cat([sines, cosines], -1)[:, :d].to(torch.get_default_dtype()),
            "all sines stand before all cosines",
            "the two halves are concatenated; here they alternate, as in the paper (other libraries do concatenate)",
            FIRST,
        ),
        Mistake(_woven(sines, sines, d), "row 0 is 0 all through", "there are sines only", FIRST),
        Mistake(_woven(cosines, cosines, d), "row 0 is 1 all through", "there are cosines only", FIRST),
    ]


def shift_mistakes(offset: int, d_model: int) -> list[Mistake]:
    """List what a wrong shift matrix looks like."""
    right = right_shift(offset, d_model)
    diagonal = torch.eye(d_model, dtype=torch.bool)
    beside = right_shift(1, d_model).ne(0) & ~diagonal
    even, pairs = torch.arange(0, d_model, 2), torch.arange(0, d_model, 2).double() / d_model

    def turned(angles):
        matrix = torch.diag(angles.cos().repeat_interleave(2))
        matrix[even, even + 1], matrix[even + 1, even] = angles.sin(), -angles.sin()
        return matrix.to(right.dtype)

    slow = "the first block is right, the later ones are not"
    halves = torch.cat([torch.arange(0, d_model, 2), torch.arange(1, d_model, 2)])
    theorem = "write down sin(a + b) and cos(a + b), with a the angle of p, and read off the four entries of a block"
    return [
        Mistake(
            right.T,
            "it moves back, not forward",
            "the block is transposed: the two sines have each other's sign",
            theorem,
        ),
        Mistake(
            torch.where(beside.tril(), -right, right),
            "the length of a vector changes when it is moved",
            "both sines have the same sign",
            theorem,
        ),
        Mistake(
            torch.where(diagonal, right, 0.0),
            "there are no entries beside the diagonal",
            "the sines are missing: cos(a + b) is not cos(a) cos(b) alone",
            theorem,
        ),
        Mistake(
            right[halves][:, halves],
            "the entries are right, but not where the columns of the encoding are",
            "the matrix is made for an encoding with all sines before all cosines; here they alternate",
            "number rows and columns 0, 1, 2, ...: the block of pair i stands at 2i and 2i + 1",
        ),
        Mistake(
            right_shift(1, d_model),
            "it moves by one position",
            "the offset is not used",
            "multiply every frequency by the offset",
        ),
        Mistake(
            turned(torch.full_like(pairs, float(offset))),
            "all blocks are the same",
            "every pair is turned by the offset; each has a frequency of its own",
            "the pair 2i, 2i + 1 turns by offset / 10000^(2i / d_model)",
        ),
        Mistake(
            turned(offset * 10_000.0 ** (-2 * pairs)),
            slow + ": they turn too little",
            "2i is doubled once more: `range(0, d_model, 2)` already holds 0, 2, 4, ...",
            LAST_BLOCK,
        ),
        Mistake(
            turned(offset * 10_000.0 ** (-pairs / 2)),
            slow + ": they turn too far",
            "i stands in the exponent where the formula has 2i",
            LAST_BLOCK,
        ),
        Mistake(
            turned(offset * 10_000.0**pairs),
            slow + ": they turn much too far",
            "the offset is multiplied by the power of 10000 in the place of being divided by it",
            LAST_BLOCK,
        ),
    ]


def embedding_mistakes(tokens: Tensor, table: Tensor, encoding: Tensor) -> list[Mistake]:
    """List what a wrong sum of token embedding and encoding looks like, for tokens that stand at 0, 1, 2, ..."""
    length, root = tokens.shape[1], math.sqrt(table.shape[1])
    looked_up, added = table[tokens], encoding[:length]
    share = "compare the lengths of the two vectors that are added"
    found = [
        Mistake(
            looked_up + added,
            "the token's part is too small",
            "the factor sqrt(d_model) is left out",
            share,
        ),
        Mistake(
            looked_up / root + added, "the token's part is too small", "divided by sqrt(d_model), not times", share
        ),
        Mistake(looked_up * root**2 + added, "the token's part is too large", "times d_model, not its root", share),
        Mistake(
            (looked_up + added) * root,
            "the encoding is too large",
            "the sum is multiplied by sqrt(d_model); only the token's part is",
            share,
        ),
        Mistake(looked_up * root, "the same token has the same vector everywhere", "no encoding is added", share),
        Mistake(
            looked_up * root * added,
            "the token's part is multiplied by the encoding",
            "`*` in the place of `+`",
            share,
        ),
        Mistake(
            looked_up * root + encoding[1 : length + 1],
            "every token has the encoding of the place behind it",
            "the positions are counted from 1",
            "the first token stands at position 0",
        ),
    ]
    if len(tokens) <= len(encoding):
        by_example = encoding[: len(tokens)][:, None]
        for factor, words in ((root, ""), (1 / root, "; and the token's part is divided by sqrt(d_model)")):
            found.append(
                Mistake(
                    looked_up * factor + by_example,
                    "all tokens of a sentence have the same encoding" + words,
                    "the encoding is cut and added along the batch, in the place of the length" + words,
                    "write the three shapes beside each other: (batch, length, d_model), the encoding's part, the sum",
                )
            )
    return found


def wrong_embedding_parameters(vocab_size: int, d_model: int, max_length: int) -> list[WrongParameters]:
    """List the known ways to have other parameters than one table of token embeddings."""
    return [
        WrongParameters(
            lambda found: any(shape[-2:] == (max_length, d_model) for shape in found.values()),
            "the encoding is a parameter, so training would change it",
            "a fixed tensor that belongs to a module is a buffer: see `register_buffer`",
        ),
        WrongParameters(
            lambda found: (vocab_size, d_model) in found.values() and "token.weight" not in found,
            "the nn.Embedding has another name than `token`",
            "set `self.token = nn.Embedding(...)`",
        ),
        WrongParameters(
            lambda found: found.get("token.weight") == (d_model, vocab_size),
            "the two sizes of nn.Embedding change places",
            "the number of rows, one for each token, comes first",
        ),
    ]
