"""Task `ModernBlock` of exercise 18: what words may move which first, the numbers after that."""

import torch
from torch import nn

from course_checks.cases import Case, drawn, refuses
from course_checks.modern_transformer.models import Parts
from course_checks.modern_transformer.shared import UNIT, block_says
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor, same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding

task = Task("ModernBlock", UNIT, ("multi_head_attention", "transformer_encoder_layer"))
SIZES = (12, 6, 3, 10)  # d_model, num_heads, num_groups, d_ff
_SILENT = "set w_output.weight and w_down.weight to zeros: what must the block return?"
_LINES = "write down for each line of `forward` what it reads, and compare with the steps of the task"
_HEADS = "with 6 heads and 3 groups: print the group of each head"
_READ = "print what each of the three projections reads: steps 1 and 2 of the task"
_SPLIT = "number the words and features of `torch.arange`: which of them stand in head 0 after `split_heads`?"
_FOUR = "queries and keys turn, values do not"
_QK = "with qk_norm: cut into heads, normalise, turn"


@task.oracle
class Model(Parts):
    """The layers of the task, used by torch."""

    def __init__(self, d_model, num_heads, num_groups, d_ff, qk_norm=False):
        super().__init__(d_model, num_heads, num_groups, d_ff)
        if qk_norm:
            self.norm_query, self.norm_key = nn.RMSNorm(self.d_k, eps=1e-6), nn.RMSNorm(self.d_k, eps=1e-6)

    def forward(self, x, mask=None, positions=None):
        """Attend, then think."""
        return block_says(self, x, torch.arange(x.shape[1]) if positions is None else positions, mask)[0]


# fmt: off
_ATTENDS = "self.w_output(merge_heads(grouped_query_attention(query, key, value, mask)))"
_THINKS = "swiglu(self.norm_2(x), self.w_gate.weight, self.w_up.weight, self.w_down.weight)"
_SO = "z = self.norm_2(x)\ngate, up = self.w_gate(z), self.w_up(z)\nreturn x + self.w_down({})"
_TURN = "rotate(query, positions), rotate(key, positions)"
_BOTH = "self.norm_query(query), self.norm_key(key)"
_BIASED = ("a linear layer has a bias; all seven are without", "`nn.Linear(..., bias=False)`")
_LAYER_NORMS = ("a norm is a layer norm; RMS norms are asked for, which have no bias", "`nn.RMSNorm`")
_EPS = ("the second argument of `nn.RMSNorm` is eps", "small words come out differently")
_WIDE, _GATE = "how wide is a head?", "as in task 3"
_HIDE = "hide the last word from all others, and change it"
_MIXED = "(batch, heads, length, d_k) mixes words and heads, as it keeps the order of the numbers"
_HALVES = ("rotate(z.unflatten(-1, (2, -1)).mT.flatten(-2), positions).unflatten(-1, (-1, 2)).mT.flatten(-2) "
           "for z in (query, key)")
task.edit("y = self.norm_1(x)", {"y = x": ("attention reads x as it is: `norm_1` is not called", _LINES)})
task.edit("self.norm_2(x)", {
    "x": ("the feed-forward network reads x as it is: `norm_2` is not called", _LINES),
    "self.norm_1(x)": ("`norm_1` serves both sublayers; `norm_2` is never called", _LINES),
    "self.norm_2(y)": ("the feed-forward network reads the norm of `norm_1(x)`; it reads the norm of the sum", _LINES)})
for _name, _pair in {"`norm_1`": "nn.RMSNorm(d_model), nn.RMSNorm(d_model, eps=1e-6)",
                     "`norm_2`": "nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model)"}.items():
    task.edit("nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model, eps=1e-6)", {_pair: (
        f"{_name} is made without `eps`: torch then takes another one than 1e-6", *_EPS)})
task.edit_places({"self.norm_1(x)": "self.norm_2(x)", "self.norm_2(x)": "self.norm_1(x)"},
                 "`norm_1` and `norm_2` change places", _LINES)
task.edit_places({"y = self.norm_1(x)": "y = x", "return x": "x = self.norm_1(x)\nreturn x"},
                 "the norm of the first sublayer stands behind it, as in 2017; here it stands before it", _SILENT)
_LAST_NORM = {f"return x + {_THINKS}": f"return self.norm_2(x + {_THINKS.replace('self.norm_2(x)', 'x')})"}
task.edit_places(_LAST_NORM, "the norm of the second sublayer stands behind it, as in 2017; here it stands before it",
                 _SILENT)
task.edit_places(
    {"y = self.norm_1(x)": "y = x", f"x = x + {_ATTENDS}": f"x = self.norm_1(x + {_ATTENDS})", **_LAST_NORM},
    "the norms stand behind the sublayers, as in 2017; here they stand before them", _SILENT)
task.edit_all("nn.RMSNorm(d_model, eps=1e-6)", {
    "nn.LayerNorm(d_model, eps=1e-6)": _LAYER_NORMS,
    "nn.LayerNorm(d_model, eps=1e-6, bias=False)": (
        "the norms are layer norms, without bias: they take the mean away, which an RMS norm leaves", "`nn.RMSNorm`"),
    "nn.RMSNorm(d_model)": ("`nn.RMSNorm` is made without `eps`: torch then takes another one than 1e-6", *_EPS),
    "nn.RMSNorm(d_model, eps=1e-5)": ("eps of the norms is 1e-5, as in layer norm, not 1e-6", *_EPS)})
task.edit(f"query, key = {_TURN}", {
    "": ("queries and keys do not turn", _FOUR, "the order of the words does not matter"),
    "query, key = (rotate(z.transpose(1, 2), torch.arange(z.shape[1])).transpose(1, 2) for z in (query, key))": (
        "the angle grows from head to head, not from word to word: `rotate` gets words and heads in the wrong order",
        "the last two dimensions of what `rotate` gets are length and d_k"),
    "query, key = rotate(query, -positions), rotate(key, -positions)": ("queries and keys turn clockwise, the other "
        "way: a sine has the wrong sign, or sine and cosine are exchanged", "call your `rotate`"),
    f"query, key = ({_HALVES})": (
        "columns i and i + d_k / 2 turn together, as in Llama's files; here neighbours do", "call your `rotate`")})
task.edit("rotate(key, positions)", {
    "key": ("queries turn, keys do not", _FOUR),
    "rotate(key, -positions)": ("queries and keys turn in opposite directions", _FOUR)})
task.edit("rotate(query, positions)", {"query": ("keys turn, queries do not", _FOUR)})
task.edit("x = x + self", {
    "value = rotate(value, positions)\nx = x + self": ("the values turn too", _FOUR),
    "x = self": ("x is not added to what attention says", _SILENT),
    "x = y + self": ("the residual starts from the normalised x", _SILENT)})
task.edit_places(
    {"(self.w_query(y)": "(rotate(self.w_query(y), positions)", "(self.w_key(y)": "(rotate(self.w_key(y), positions)",
     f"query, key = {_TURN}": ""},
    "the whole row turns before it is cut into heads: the angles are those of d_model columns, and not of d_k",
    "cut into heads first, then turn; each head has pairs of its own")
task.edit("if positions is None:\n    positions", {"positions": (
    "`positions` is not used: words always stand at 0, 1, 2, ...", "hand `positions` on to both rotations")})
task.edit("key, value, mask", {
    "*(z.repeat(1, self.num_heads // self.num_groups, 1, 1) for z in (key, value)), mask": (
        "the groups are dealt out in turn (`repeat`): head i reads group i % num_groups", _HEADS),
    "key[:, :1], value[:, :1], mask": ("all heads read the first group", _HEADS),
    "value, key, mask": ("keys and values change places", "which layer makes the keys?")})
task.edit("attention(query", {
    "attention(query * self.d_k**0.5": ("the scores are not divided by sqrt(d_k)", _WIDE),
    "attention(query / self.num_heads**0.5": ("the scores are divided by the root of d_model, not of d_k", _WIDE),
    "attention(query / self.d_k**0.5": ("the scores are divided by d_k, not by its root", "as in exercise 04")})
task.edit("mask)))", {
    "None)))": ("`mask` is not used", _HIDE),
    "None if mask is None else ~mask)))": (
        "the mask is read the wrong way round; True means `may be attended to`", _HIDE),
    "torch.ones(length, length).tril().bool())))": ("a causal mask of your own is always there; the block takes the "
        "one that it is given", "without a mask every word sees every word")})
for _name in ("query", "key", "value"):
    task.edit(f"self.w_{_name}(y)", {f"self.w_{_name}(x)": (f"`w_{_name}` reads x itself, not its norm", _READ)})
_CUTS = {f"split_heads(self.w_{name}(y), self.num_{number})":
         f"self.w_{name}(y).reshape(batch, self.num_{number}, length, self.d_k)"
         for name, number in (("query", "heads"), ("key", "groups"), ("value", "groups"))}
task.edit_places(_CUTS, "`reshape` to " + _MIXED, _SPLIT)
task.edit_places(dict([*_CUTS.items()][:1]), "`reshape` of the queries to " + _MIXED, _SPLIT)
task.edit("return x", {
    "return 0": ("x is not added to what the feed-forward network says", _SILENT),
    "return self.norm_2(x)": (
        "the second sum starts from what `norm_2` returns, not from the sum that it reads", _SILENT)})
_START = {"y = self.norm_1(x)": "start, y = x, self.norm_1(x)"}
task.edit_places({**_START, "return x": "return start"},
                 "the second sum starts from the x that came in: what attention said is lost", _SILENT)
task.edit_places({**_START, "self.norm_2(x)": "self.norm_2(start)"},
                 "both sublayers read the x that came in, as in a parallel block", _LINES)
task.edit("gate.weight, self.w_up", {
    "gate.weight, self.w_gate": ("`w_gate` is used twice, `w_up` never", "which layers does the formula name?"),
    "up.weight, self.w_gate": ("`w_gate` and `w_up` change places", "which of the two goes through silu?")})
task.edit(f"return x + {_THINKS}", {
    _SO.format("F.silu(gate) * F.silu(up)"): ("silu stands on both products; only the gate is bent", _GATE),
    _SO.format("F.silu(gate * up)"): ("silu stands behind the product of the two, not on the gate alone", _GATE),
    _SO.format("gate.sigmoid() * up"): ("the gate is sigmoid alone; silu(z) is z * sigmoid(z)", _GATE),
    _SO.format("F.gelu(gate) * up"): ("the gate goes through GELU", _GATE),
    _SO.format("gate * up"): ("the gate is not bent", _GATE)})
task.edit("if self.qk_norm:", {"if False:": ("`qk_norm` changes nothing: the two norms are never called", _QK)})
task.edit(f"if self.qk_norm:\n    query, key = {_BOTH}\nquery, key = {_TURN}", {
    f"query, key = {_TURN}\nif self.qk_norm:\n    query, key = {_BOTH}": (
        "queries and keys are normalised after they have turned", _QK)})
task.edit_all("nn.RMSNorm(self.d_k, eps=1e-6)", {
    "nn.LayerNorm(self.d_k, eps=1e-6)": _LAYER_NORMS,
    "nn.LayerNorm(self.d_k, eps=1e-6, bias=False)": ("`norm_query` and `norm_key` are layer norms, without bias: they "
        "take the mean away, which an RMS norm leaves", "`nn.RMSNorm`"),
    **{f"nn.RMSNorm(self.d_k{eps})": ("`norm_query` and `norm_key` are made without `eps`, or with another one than "
       "1e-6", _EPS[0]) for eps in ("", ", eps=1e-5")},
    "nn.RMSNorm(d_model, eps=1e-6)": ("`norm_query` and `norm_key` have d_model gains; a head has d_k numbers", _QK)})
task.edit("if qk_norm:", {"if True:": (
    "`norm_query` and `norm_key` are made whatever `qk_norm` says", "they are there only if `qk_norm` is True")})
task.edit(_BOTH, {
    "self.norm_key(query), self.norm_query(key)": ("`norm_query` and `norm_key` change places", _QK),
    "self.norm_query(query), self.norm_query(key)": ("`norm_query` normalises the keys too", _QK)})
task.edit_places({"y = self.norm_1(x)": f"x = x + {_THINKS}\ny = self.norm_1(x)", f" + {_THINKS}": ""},
                 "the feed-forward network comes first", _LINES)
task.edit(_ATTENDS, {
    f"self.norm_1({_ATTENDS})": ("what attention says is normalised once more before it is added", _LINES),
    _ATTENDS.removeprefix("self.w_output"): ("`w_output` is never called", _LINES)})
task.edit_places(
    {f"x = x + {_ATTENDS}": f"said = {_ATTENDS}\nx = x + said", "self.norm_2(x)": "self.norm_2(said)"},
    "the feed-forward network reads the norm of what attention says alone; it reads the norm of the sum", _LINES)
task.edit_all(", bias=False", {"": _BIASED})
task.edit_all("num_groups * self.d_k,", {"d_model,": (
    "`w_key` and `w_value` lead to d_model numbers; they make num_groups keys and values, each d_k wide",
    "how many numbers have the keys of all groups together?")})
# fmt: on


def block(answer, sizes=SIZES, qk_norm=False):
    """Make a block with known weights."""
    made = built(answer, *sizes, dtype=torch.float32, **({"qk_norm": True} if qk_norm else {}))
    for name in shapes(made):
        if name.endswith(".bias") and name.startswith(("w_", "norm_")):
            words = _BIASED if name.startswith("w_") else _LAYER_NORMS
            raise Finding(f"among the parameters there is {name}", "", *words, final=True)
    require_parameters(made, shapes(Model(*sizes, qk_norm=qk_norm)))
    return made


def said(answer, x, mask, positions, sizes=SIZES, qk_norm=False):
    """Observe what the block returns."""
    return block(answer, sizes, qk_norm)(x, mask, positions)


def plainly(answer, x):
    """Observe what the block returns for x alone."""
    return block(answer)(x)


def without_attention(answer, x):
    """Observe what the block returns when attention says nothing, so that small words stay small."""
    made = block(answer)
    with torch.no_grad():
        unwrapped(made).w_output.weight.zero_()
    return made(x)


def slopes(answer, x, mask, positions, sizes=SIZES, qk_norm=False):
    """Observe the gradients of the parameters."""
    return parameter_gradients(block(answer, sizes, qk_norm), x, mask, positions)


def causal(length):
    """Make a causal mask."""
    return torch.ones(length, length).tril().bool()


def words(batch, length, *sizes, qk_norm=False, masked=True, positions=None, scale=1.0):
    """Draw words, with a causal mask and their positions."""
    places = None if positions is None else torch.tensor(positions)
    more = (causal(length) if masked else None, places, sizes or SIZES, qk_norm)
    return drawn(f"{batch} {length} {more[2][0]}", *more, scale=scale)


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
    [Case("x alone", drawn("2 5 12"), plainly),
     Case("2 sentences of 5 words, causal", words(2, 5), said),
     Case("another word hidden in each sentence", hidden, said),
     Case("words that stand at 4, 9, 2", words(2, 3, positions=[4, 9, 2]), said),
     Case("small words", words(2, 3, scale=1e-3), said),
     Case("small words, and w_output of zeros", drawn("2 3 12", scale=1e-3), without_attention)],
    [Case("one word", words(3, 1), said), Case("other sizes", words(2, 6, 16, 4, 2, 9), said),
     Case("no mask, other sizes", words(1, 4, 8, 2, 2, 12, masked=False), said),
     Case("places in the middle", words(2, 4, 16, 2, 1, 20, positions=[7, 8, 9, 30]), said)],
    _LINES,
)  # fmt: skip
task.require(
    "each head reads the keys and values of its group",
    "head i reads group i // (num_heads // num_groups)",
    [Case("4 heads, 2 groups", words(2, 4, 8, 4, 2, 6), said),
     Case("one group for all heads", words(2, 4, 8, 4, 1, 6), said),
     Case("a group for each head", words(2, 4, 8, 4, 4, 6), said)],
    [Case("6 heads, 2 groups", words(2, 4, 12, 6, 2, 6), said)],
    _HEADS,
)  # fmt: skip
task.require(
    "with qk_norm each query and key is normalised before it turns",
    "the RMS norm of the d_k numbers of each head, with the gains of norm_query and norm_key",
    [Case("qk_norm, 2 sentences of 4 words", words(2, 4, 16, 4, 2, 6, qk_norm=True), said)],
    [Case("qk_norm, other sizes", words(1, 5, 24, 4, 1, 5, qk_norm=True), said)],
    _QK,
)
task.require(
    "gradients reach every parameter",
    "the derivative of the result with respect to every parameter",
    [Case("the gradients, with qk_norm", words(2, 4, qk_norm=True), slopes)],
    [Case("the gradients, other sizes", words(2, 3, 8, 2, 1, 6), slopes)],
)


def refusing(situation, argument, sizes, *given):
    """Make the case of a call that is refused, or of sizes."""
    return Case(situation, (), lambda answer: refuses(argument)(answer(*sizes) if given else answer, *given or sizes),
                right=True)  # fmt: skip


task.limits(
    "sizes that do not fit, and wrong input",
    [
        refusing("heads that do not divide d_model", "num_heads", (12, 5, 1, 8)),
        refusing("groups that do not divide the heads", "num_groups", (12, 6, 4, 8)),
        refusing("x without a batch", "x", SIZES, torch.ones(3, 12)),
        refusing("a mask that is not boolean", "mask", SIZES, torch.ones(1, 3, 12), torch.ones(3, 3)),
    ],
)
