"""Task `ModernBlock` of exercise 18: what words may move which first, the numbers after that."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, refuses
from course_checks.modern_transformer.shared import UNIT, angles_of, turned
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor, same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("ModernBlock", UNIT, ("multi_head_attention", "transformer_encoder_layer"))
SIZES = (12, 6, 3, 10)  # d_model, num_heads, num_groups, d_ff
LINEARS = ("w_query", "w_key", "w_value", "w_output", "w_gate", "w_up", "w_down")
_SILENT = "set w_output.weight and w_down.weight to zeros: what must the block return?"
_LINES = "write down for each line of `forward` what it reads, and compare with the steps of the task"
_HEADS = "with 6 heads and 3 groups: print the group of each head"
_READ = "print what each of the three projections reads: steps 1 and 2 of the task"
_SPLIT = "number the words and features of `torch.arange`: which of them stand in head 0 after `split_heads`?"
_FOUR = "queries and keys turn, values do not"
_CUT = "cut into heads first, then turn; each head has pairs of its own"
_LAYER_NORMS = "a norm is a layer norm; RMS norms are asked for, which have no bias"
_BIAS = "a linear layer has a bias; all seven are without"
_QK = "with qk_norm: cut into heads, normalise, turn"


class Model(nn.Module):
    """The block with the choices in ``wrong``; without any, it is right."""

    wrong: dict[str, str] = {}

    def __init__(self, d_model, num_heads, num_groups, d_ff, qk_norm=False):
        super().__init__()
        d_k = d_model // num_heads
        self.num_heads, self.num_groups, self.d_k, self.qk_norm = num_heads, num_groups, d_k, qk_norm
        norm = nn.LayerNorm if self.chose("norms", "layer norm") else nn.RMSNorm
        norm = partial(nn.LayerNorm, bias=False) if self.chose("norms", "layer norm without bias") else norm
        self.eps = 1e-5 if self.chose("norms", "1e-5") else None if self.chose("norms", "torch's eps") else 1e-6
        self.norm_1, self.norm_2 = norm(d_model), norm(d_model)
        wide = d_model if self.chose("layers", "wide keys") else num_groups * d_k
        widths = ((d_model, d_model), (d_model, wide), (d_model, wide), (d_model, d_model),
                  (d_model, d_ff), (d_model, d_ff), (d_ff, d_model))  # fmt: skip
        for name, (before, behind) in zip(LINEARS, widths, strict=True):
            setattr(self, name, nn.Linear(before, behind, bias=self.chose("layers", "bias")))
        if qk_norm or self.chose("qk", "always"):
            width, norm = (d_model if self.chose("qk", "wide") else d_k), nn.RMSNorm
            norm = nn.LayerNorm if self.chose("qk", "layer norm") else norm
            norm = partial(nn.LayerNorm, bias=False) if self.chose("qk", "layer norm without bias") else norm
            self.norm_query, self.norm_key = norm(width), norm(width)

    def chose(self, dimension, *choices):
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices

    def norm(self, x, layer):
        """Normalise, with the gain of a layer."""
        if isinstance(layer, nn.LayerNorm):
            return F.layer_norm(x, x.shape[-1:], layer.weight, layer.bias, 1e-6)
        return F.rms_norm(x, x.shape[-1:], layer.weight, self.eps)

    def _turn(self, x, positions, name):
        if self.chose("turned", "none", f"not {name}"):
            return x
        if self.chose("turned", "by heads"):
            return turned(x.transpose(1, 2), angles_of(torch.arange(x.shape[1]), self.d_k)).transpose(1, 2)
        wide = x.transpose(1, 2).flatten(2) if self.chose("turned", "before the cut") else x
        angles = angles_of(positions, wide.shape[-1])
        angles = -angles if self.chose("turned", "against each other") and name == "key" else angles
        wide = turned(wide, angles, halves=self.chose("turned", "halves"))
        return wide.unflatten(-1, (-1, self.d_k)).transpose(1, 2) if wide.dim() == 3 else wide

    def _heads(self, x, layer, number, mixed=()):
        if self.chose("heads", "reshaped", *mixed):
            return layer(x).reshape(x.shape[0], number, x.shape[1], self.d_k)
        return layer(x).unflatten(-1, (number, -1)).transpose(1, 2)

    def _normed(self, query, key, norms):
        return [x if norm is None else self.norm(x, norm) for x, norm in zip((query, key), norms, strict=True)]

    def _attend(self, x, mask, positions, start):
        chose = self.chose
        reads = [start if chose("reads", name) else x for name in ("query", "key", "value")]
        places = torch.arange(x.shape[1])
        if positions is not None and not chose("turned", "no positions"):
            places = positions
        query = self._heads(reads[0], self.w_query, self.num_heads, ("query reshaped",))
        key, value = (
            self._heads(y, w, self.num_groups) for y, w in zip(reads[1:], (self.w_key, self.w_value), strict=True)
        )
        norms = [getattr(self, name, None) for name in ("norm_query", "norm_key")]
        norms = norms[::-1] if chose("qk", "exchanged") else norms[:1] * 2 if chose("qk", "one") else norms
        norms = norms if self.qk_norm and not chose("qk", "ignored") else [None, None]
        late = chose("qk", "behind the turn") or chose("turned", "before the cut")
        query, key = (query, key) if late else self._normed(query, key, norms)
        query, key = self._turn(query, places, "query"), self._turn(key, places, "key")
        query, key = self._normed(query, key, norms) if late else (query, key)
        if chose("turned", "values too"):
            value = self._turn(value, places, "value")
        if chose("groups", "exchanged"):
            key, value = value, key
        each = self.num_heads // self.num_groups
        if chose("groups", "tiled"):
            key, value = (x.repeat(1, each, 1, 1) for x in (key, value))
        elif chose("groups", "first"):
            key, value = (x[:, :1].expand(-1, self.num_heads, -1, -1) for x in (key, value))
        else:
            key, value = (x.repeat_interleave(each, 1) for x in (key, value))
        divisors = {"none": 1.0, "d_model": (self.d_k * self.num_heads) ** 0.5, "d_k": self.d_k}
        scores = query @ key.mT / divisors.get(self.wrong.get("scores"), self.d_k**0.5)
        mask = {"ignored": None, "causal": torch.ones(scores.shape[-2:], dtype=torch.bool).tril()}.get(
            self.wrong.get("mask"), mask
        )
        mask = ~mask if mask is not None and chose("mask", "inverted") else mask
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = scores.softmax(-1)
        weights = weights.masked_fill(weights.isnan(), 0.0)
        merged = (weights @ value).transpose(1, 2).flatten(2)
        return merged if chose("order", "no output") else self.w_output(merged)

    def _think(self, x):
        gate, up = self.w_gate(x), self.w_up(x)
        gate, up = (up, gate) if self.chose("gate", "exchanged") else (gate, up)
        bend = {"sigmoid": torch.sigmoid, "gelu": F.gelu, "none": lambda z: z}.get(self.wrong.get("gate"), F.silu)
        return self.w_down(bend(gate) * (F.silu(up) if self.chose("gate", "both") else up))

    def forward(self, x, mask=None, positions=None):
        """Attend, then think."""
        chose, start = self.chose, x
        first, second = (self.norm_2, self.norm_1) if chose("norms", "exchanged") else (self.norm_1, self.norm_2)
        norm_1 = (lambda x: x) if chose("norms", "no first") else lambda x: self.norm(x, first)
        second = self.norm_1 if chose("norms", "one") else second
        norm_2 = (lambda x: x) if chose("norms", "no second") else lambda x: self.norm(x, second)
        if chose("norms", "behind"):
            x = norm_1(x + self._attend(x, mask, positions, x))
            return norm_2(x + self._think(x))
        if chose("norms", "first behind"):
            x = norm_1(x + self._attend(x, mask, positions, x))
            return x + self._think(norm_2(x))
        if chose("order", "exchanged"):
            x = x + self._think(norm_2(x))
            return x + self._attend(norm_1(x), mask, positions, x)
        said = self._attend(norm_1(x), mask, positions, x)
        said = norm_1(said) if chose("norms", "answer") else said
        x = norm_1(x) + said if chose("residual", "normalised") else x + said
        x = said if chose("residual", "no first") else x
        if chose("norms", "second behind"):
            return norm_2(x + self._think(x))
        read = {"beside": start, "norm of a norm": norm_1(start), "answer alone": said}.get(self.wrong.get("order"), x)
        thought = self._think(norm_2(read))
        base = {"no second": 0 * x, "start": start, "second normalised": norm_2(read)}.get(
            self.wrong.get("residual"), x
        )
        return base + thought


task.oracle(Model)


@task.builds(
    norms={
        "behind": Wrong("the norms stand behind the sublayers, as in 2017; here they stand before them", "", _SILENT),
        "no first": Wrong("attention reads x as it is: `norm_1` is not called", "", _LINES),
        "no second": Wrong("the feed-forward network reads x as it is: `norm_2` is not called", "", _LINES),
        "one": Wrong("`norm_1` serves both sublayers; `norm_2` is never called", "", _LINES),
        "first behind": Wrong("the norm of the first sublayer stands behind it, as in 2017; here it stands before it",
                              "", _SILENT),
        "second behind": Wrong("the norm of the second sublayer stands behind it, as in 2017; here it stands before "
                               "it", "", _SILENT),
        "answer": Wrong("what attention says is normalised once more before it is added", "", _LINES),
        "exchanged": Wrong("`norm_1` and `norm_2` change places", "", _LINES),
        "layer norm": Wrong(_LAYER_NORMS, "", "`nn.RMSNorm`"),
        "layer norm without bias": Wrong("the norms are layer norms, without bias: they take the mean away, which an "
                                         "RMS "
                                         "norm leaves", "", "`nn.RMSNorm`"),
        "torch's eps": Wrong("`nn.RMSNorm` is made without `eps`: torch then takes another one than 1e-6",
                             "small words come out differently", "the second argument of `nn.RMSNorm` is eps"),
        "1e-5": Wrong("eps of the norms is 1e-5, as in layer norm, not 1e-6", "small words come out differently",
                      "the second argument of `nn.RMSNorm` is eps"),
    },
    turned={
        "none": Wrong("queries and keys do not turn", "the order of the words does not matter", _FOUR),
        "not key": Wrong("queries turn, keys do not", "", _FOUR),
        "not query": Wrong("keys turn, queries do not", "", _FOUR),
        "values too": Wrong("the values turn too", "", _FOUR),
        "against each other": Wrong("queries and keys turn in opposite directions", "", _FOUR),
        "before the cut": Wrong("the whole row turns before it is cut into heads: the angles are those of d_model "
                                "columns, and not of d_k", "", _CUT),
        "by heads": Wrong("the angle grows from head to head, not from word to word: `rotate` gets words and heads in "
                          "the wrong order", "", "the last two dimensions of what `rotate` gets are length and d_k"),
        "halves": Wrong("columns i and i + d_k / 2 turn together, as in Llama's files; here neighbours do", "",
                        "call your `rotate`"),
        "no positions": Wrong("`positions` is not used: words always stand at 0, 1, 2, ...", "",
                              "hand `positions` on to both rotations"),
    },
    groups={
        "tiled": Wrong("the groups are dealt out in turn (`repeat`): head i reads group i % num_groups", "", _HEADS),
        "first": Wrong("all heads read the first group", "", _HEADS),
        "exchanged": Wrong("keys and values change places", "", "which layer makes the keys?"),
    },
    reads={
        "query": Wrong("`w_query` reads x itself, not its norm", "", _READ),
        "key": Wrong("`w_key` reads x itself, not its norm", "", _READ),
        "value": Wrong("`w_value` reads x itself, not its norm", "", _READ),
    },
    heads={
        "reshaped": Wrong("`reshape` to (batch, heads, length, d_k) mixes words and heads, as it keeps the order of "
                          "the numbers", "", _SPLIT),
        "query reshaped": Wrong("`reshape` of the queries to (batch, heads, length, d_k) mixes words and heads, as it "
                                "keeps the order of the numbers", "", _SPLIT),
    },
    scores={
        "none": Wrong("the scores are not divided by sqrt(d_k)", "", "how wide is a head?"),
        "d_model": Wrong("the scores are divided by the root of d_model, not of d_k", "", "how wide is a head?"),
        "d_k": Wrong("the scores are divided by d_k, not by its root", "", "as in exercise 04"),
    },
    mask={
        "ignored": Wrong("`mask` is not used", "", "hide the last word from all others, and change it"),
        "inverted": Wrong("the mask is read the wrong way round; True means `may be attended to`", "",
                          "hide the last word from all others, and change it"),
        "causal": Wrong("a causal mask of your own is always there; the block takes the one that it is given", "",
                        "without a mask every word sees every word"),
    },
    residual={
        "no first": Wrong("x is not added to what attention says", "", _SILENT),
        "no second": Wrong("x is not added to what the feed-forward network says", "", _SILENT),
        "normalised": Wrong("the residual starts from the normalised x", "", _SILENT),
        "second normalised": Wrong("the second sum starts from what `norm_2` returns, not from the sum that it reads",
                                   "",
                                   _SILENT),
        "start": Wrong("the second sum starts from the x that came in: what attention said is lost", "", _SILENT),
    },
    gate={
        "exchanged": Wrong("`w_gate` and `w_up` change places", "", "which of the two goes through silu?"),
        "both": Wrong("silu stands on both products; only the gate is bent", "", "as in task 3"),
        "sigmoid": Wrong("the gate is sigmoid alone; silu(z) is z * sigmoid(z)", "", "as in task 3"),
        "gelu": Wrong("the gate goes through GELU", "", "as in task 3"),
        "none": Wrong("the gate is not bent", "", "as in task 3"),
    },
    qk={
        "ignored": Wrong("`qk_norm` changes nothing: the two norms are never called", "", _QK),
        "behind the turn": Wrong("queries and keys are normalised after they have turned", "", _QK),
        "layer norm": Wrong(_LAYER_NORMS, "", "`nn.RMSNorm`"),
        "layer norm without bias": Wrong("`norm_query` and `norm_key` are layer norms, without bias: they take the "
                                         "mean "
                                         "away, which an RMS norm leaves", "", "`nn.RMSNorm`"),
        "wide": Wrong("`norm_query` and `norm_key` have d_model gains; a head has d_k numbers", "", _QK),
        "always": Wrong("`norm_query` and `norm_key` are made whatever `qk_norm` says", "", "they are there only if "
                        "`qk_norm` is True"),
        "exchanged": Wrong("`norm_query` and `norm_key` change places", "", _QK),
        "one": Wrong("`norm_query` normalises the keys too", "", _QK),
    },
    order={
        "exchanged": Wrong("the feed-forward network comes first", "", _LINES),
        "norm of a norm": Wrong("the feed-forward network reads the norm of `norm_1(x)`; it reads the norm of the sum",
                                "", _LINES),
        "answer alone": Wrong("the feed-forward network reads the norm of what attention says alone; it reads the norm "
                              "of "
                              "the sum", "", _LINES),
        "no output": Wrong("`w_output` is never called", "", _LINES),
        "beside": Wrong("both sublayers read the x that came in, as in a parallel block", "", _LINES),
    },
    layers={"bias": Wrong(_BIAS, "", "`nn.Linear(..., bias=False)`"),
            "wide keys": Wrong("`w_key` and `w_value` lead to d_model numbers; they make num_groups keys and values, "
                               "each "
                               "d_k wide", "", "how many numbers have the keys of all groups together?")},
)  # fmt: skip
def modern_block(**chosen):
    """Make the class with these mistakes."""
    return type("ModernBlock", (Model,), {"wrong": chosen})


def block(answer, sizes=SIZES, qk_norm=False):
    """Make a block with known weights."""
    made = built(answer, *sizes, dtype=torch.float32, **({"qk_norm": True} if qk_norm else {}))
    for name in shapes(made):
        layer, _, kind = name.partition(".")
        if kind == "bias" and (layer in LINEARS or layer.startswith("norm_")):
            cause, hint = (
                (_BIAS, "`nn.Linear(..., bias=False)`") if layer in LINEARS else (_LAYER_NORMS, "`nn.RMSNorm`")
            )
            raise Finding(f"among the parameters there is {name}", "", cause, hint, final=True)
    require_parameters(made, shapes(Model(*sizes, qk_norm=qk_norm)))
    return made


def said(answer, x, mask, positions, sizes=SIZES, qk_norm=False):
    """Observe what the block returns."""
    return block(answer, sizes, qk_norm)(x, mask, positions)


def plainly(answer, x, sizes=SIZES):
    """Observe what the block returns for x alone."""
    return block(answer, sizes)(x)


def without_attention(answer, x):
    """Observe what the block returns when attention says nothing, so that small words stay small."""
    made = block(answer)
    with torch.no_grad():
        dict(unwrapped(made).named_parameters())["w_output.weight"].zero_()
    return made(x)


def slopes(answer, x, mask, positions, sizes=SIZES, qk_norm=False):
    """Observe the gradients of the parameters."""
    return parameter_gradients(block(answer, sizes, qk_norm), x, mask, positions)


def causal(length):
    """Make a causal mask."""
    return torch.ones(length, length, dtype=torch.bool).tril()


def drawn(batch, length, *more, sizes=SIZES, masked=True, positions=None, scale=1.0):
    """Draw words, with a causal mask and their positions."""

    def make(draw):
        x = draw(batch, length, sizes[0], scale=scale)
        places = None if positions is None else torch.tensor(positions)
        return (x, causal(length) if masked else None, places, sizes, *more)

    return make


def hidden(draw):
    """Draw words, and hide a different one in each of two sentences."""
    mask = torch.ones(2, 1, 1, 4, dtype=torch.bool)
    mask[0, ..., 3] = mask[1, ..., 1] = False
    return draw(2, 4, SIZES[0]), mask, None


@task.probe("every layer is there, with its size", "the parameters that the task names, in its sizes",
            "a layer that is missing, has another name, or is one too many",
            "print `dict(block.named_parameters()).keys()`, and compare with the names in the task")  # fmt: skip
def layers(answer):
    """The layers with 3 and with 1 group, with qk_norm and without."""
    for sizes, qk_norm in ((SIZES, False), ((8, 4, 1, 6), True)):
        block(answer, sizes, qk_norm)


@task.probe("no word sees what the mask hides", "words that stay when a hidden one changes",
            "the mask is not used, hides the wrong side, or is used in the wrong dimension; or: words and heads are "
            "mixed, so that the mask hides others than it should",
            "True means `may be attended to`; print the weights of the first word")  # fmt: skip
def future(answer):
    """A causal mask, and the last of 2 x 5 words is changed."""
    made, x = block(answer), torch.linspace(-2, 2, 120).sin().reshape(2, 5, 12)
    other = x.clone()
    other[0, 4] += torch.arange(12)
    before, after = made(x, causal(5)), made(other, causal(5))
    if not is_tensor(before) or before.shape != x.shape:
        return None  # the comparison of numbers says more
    moved = [t for t in range(4) if not same(after[0, t], before[0, t])]
    return f"the last word became another one, and the words at {moved} before it moved" if moved else None


@task.probe("words feel how far others are, not where they stand", "the same result when all move by the same number",
            "only queries or only keys turn, or not both by the same angles, or values turn too", _FOUR)  # fmt: skip
def distances(answer):
    """Words at 0 to 4, and at 30 to 34."""
    made, x = block(answer), torch.linspace(-2, 2, 60).sin().reshape(1, 5, 12)
    before, after = made(x, causal(5)), made(x, causal(5), 30 + torch.arange(5))
    if not is_tensor(before) or before.shape != x.shape or same(after, before):
        return None
    return "the result changes when all words stand 30 further on"


EXPECTED = "x, plus attention over its RMS norm, plus the gated network over the RMS norm of that sum"
task.require(
    "the result is that of the formula",
    EXPECTED,
    [Case("x alone", lambda draw: (draw(2, 5, 12),), plainly),
     Case("2 sentences of 5 words, causal", drawn(2, 5), said),
     Case("another word hidden in each sentence", hidden, said),
     Case("words that stand at 4, 9, 2", drawn(2, 3, positions=[4, 9, 2]), said),
     Case("small words", drawn(2, 3, scale=1e-3), said),
     Case("small words, and w_output of zeros", lambda draw: (draw(2, 3, 12, scale=1e-3),), without_attention)],
    [Case("one word", drawn(3, 1), said), Case("other sizes", drawn(2, 6, sizes=(16, 4, 2, 9)), said),
     Case("no mask, other sizes", drawn(1, 4, sizes=(8, 2, 2, 12), masked=False), said),
     Case("places in the middle", drawn(2, 4, positions=[7, 8, 9, 30], sizes=(16, 2, 1, 20)), said)],
    _LINES,
)  # fmt: skip
task.require(
    "each head reads the keys and values of its group",
    "head i reads group i // (num_heads // num_groups)",
    [Case("4 heads, 2 groups", drawn(2, 4, sizes=(8, 4, 2, 6)), said),
     Case("one group for all heads", drawn(2, 4, sizes=(8, 4, 1, 6)), said),
     Case("a group for each head", drawn(2, 4, sizes=(8, 4, 4, 6)), said)],
    [Case("6 heads, 2 groups", drawn(2, 4, sizes=(12, 6, 2, 6)), said)],
    _HEADS,
)  # fmt: skip
task.require(
    "with qk_norm each query and key is normalised before it turns",
    "the RMS norm of the d_k numbers of each head, with the gains of norm_query and norm_key",
    [Case("qk_norm, 2 sentences of 4 words", drawn(2, 4, True, sizes=(16, 4, 2, 6)), said)],
    [Case("qk_norm, other sizes", drawn(1, 5, True, sizes=(24, 4, 1, 5)), said)],
    _QK,
)
task.require(
    "gradients reach every parameter",
    "the derivative of the result with respect to every parameter",
    [Case("the gradients, with qk_norm", drawn(2, 4, True), slopes)],
    [Case("the gradients, other sizes", drawn(2, 3, sizes=(8, 2, 1, 6)), slopes)],
)


def refusing(situation, argument, *given, sizes=SIZES):
    """Make the case of a call that is refused."""
    return Case(situation, (), lambda answer: refuses(argument)(answer(*sizes), *given), right=True)


def unmakeable(situation, argument, *sizes):
    """Make the case of sizes that do not fit."""
    return Case(situation, (), lambda answer: refuses(argument)(answer, *sizes), right=True)


task.limits(
    "sizes that do not fit, and wrong input",
    [
        unmakeable("heads that do not divide d_model", "num_heads", 12, 5, 1, 8),
        unmakeable("groups that do not divide the heads", "num_groups", 12, 6, 4, 8),
        refusing("x without a batch", "x", torch.ones(3, 12)),
        refusing("a mask that is not boolean", "mask", torch.ones(1, 3, 12), torch.ones(3, 3)),
    ],
)
