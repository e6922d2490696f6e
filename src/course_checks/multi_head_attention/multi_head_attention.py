"""Task `MultiHeadAttention` of exercise 07."""

import torch
from torch import nn

from course_checks.cases import Case, drawn, gradients, refuses, without_keys
from course_checks.modules import built, parameter_gradients, require_parameters
from course_checks.multi_head_attention import shared
from course_checks.scaled_dot_product_attention.shared import MASK, MASK_AFTER, WEIGHTS, double, right_pair
from course_checks.task import Task
from course_checks.words import Finding

task = Task("MultiHeadAttention", shared.UNIT, shared.READY_MADE)
PROJECTIONS = ("w_query", "w_key", "w_value", "w_output")
_STEPS = "project, cut into heads, attend, glue together, project: which line of yours does which?"
_EMPTY = "which weights does a row without keys have in exercise 04, and what is the output then?"
_HAND_ON = "`nn.Linear` takes `bias=`: hand the argument on to each of the four"
_EACH = "the task asks for those of every head"


@task.oracle
class Right(nn.Module):
    """Let torch's function do it, which gives one weight matrix a head."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        for name in PROJECTIONS:
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, query, key, value, mask=None):
        """Attend; torch's function knows no query without keys."""
        *layers, last = [getattr(self, name) for name in PROJECTIONS]
        if mask is not None:
            heads = [
                shared.right_split(layer(x), self.num_heads)
                for layer, x in zip(layers, (query, key, value), strict=True)
            ]
            mixed, weights = right_pair(*heads, mask)
            return last(shared.right_merge(mixed)), weights
        output, weights = nn.functional.multi_head_attention_forward(
            query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1), self.d_model, self.num_heads,
            torch.cat([layer.weight for layer in layers]),
            None if last.bias is None else torch.cat([layer.bias for layer in layers]),
            None, None, False, 0.0, last.weight, last.bias, training=False, average_attn_weights=False,
        )  # fmt: skip
        return output.transpose(0, 1), weights


# fmt: off
for function, wrong in {
    "split_heads = lambda x, h: x": {
        ".reshape(len(x), h, x.shape[1], -1)": shared.SPLIT_VIEWED,
        ".unflatten(-1, (-1, h)).permute(0, 3, 1, 2)": shared.SPLIT_WOVEN,
    },
    "merge_heads = lambda x: x": {
        ".reshape(len(x), x.shape[2], -1)": shared.MERGE_VIEWED,
        ".permute(0, 2, 3, 1).flatten(2)": shared.MERGE_WOVEN,
        ".flip(1).transpose(1, 2).flatten(2)": shared.REVERSED,
        ".mean(1).repeat(1, 1, x.shape[1])": shared.MEAN,
    },
}.items():
    task.edit("class ", {f"{function}{steps}\nclass ": words for steps, words in wrong.items()})
for changes in (
    {f"self.w_{x}({x})": f"nn.functional.linear({x}, self.w_{x}.weight * torch.block_diag(*torch.ones("
     f"self.num_heads, self.d_k, self.d_k)), self.w_{x}.bias)" for x in ("query", "key", "value")},
    {f"split_heads(self.w_{x}({x}), self.num_heads)": f"self.w_{x}(split_heads({x}, self.num_heads))"
     for x in ("query", "key", "value")},
):
    task.edit_places(changes, "the inputs are cut into heads before the projection: each head sees a piece of the word",
                     "a head reads all d_model columns of a word, through its own rows of the projection")
task.edit_places({f"self.w_{x}({x})": f"nn.functional.linear({x}, self.w_{x}.weight)"
                  for x in ("query", "key", "value")},
                 "queries, keys and values are made with the weights of the layers, without their biases",
                 "what does `nn.Linear` compute with its weight, and what with its bias?")
task.edit("self.w_output(merge_heads(mixed))", {
    "merge_heads(mixed)": ("the heads are not sent through w_output", _STEPS),
    "self.w_output(merge_heads(mixed)) * (weights.sum(-1)[:, 0, :, None] > 0)": ("a query without keys gets the output "
        "0, not the bias of w_output", "zeros of every head go through w_output: what is left?"),
    "self.w_output(merge_heads(mixed)) + (0 if self.w_output.bias is None else "
    "(self.num_heads - 1) * self.w_output.bias)": (
        "the bias of w_output is added once for each head", "how often does w_output act on a word?"),
    "query + self.w_output(merge_heads(mixed))": ("the query is added to the output, as the block around it will",
        "this layer returns what the heads say"),
    "self.w_output(merge_heads(nn.functional.dropout(weights, 0.1, self.training) @ values))": (
        "dropout falls on the weights in training mode", "this layer has no dropout"),
})
task.edit("self.w_query(query)", {
    "query": ("the queries are not projected", _STEPS), "self.w_key(query)": ("the queries go through w_key", _STEPS),
    "self.w_query(query).detach()": ("the queries are cut off from the graph (`.detach()`, `no_grad`): w_query never "
                                     "learns", "what makes a tensor forget how it was computed?")})
task.edit("self.w_key(key)", {
    "key": ("the keys are not projected", _STEPS), "self.w_query(key)": ("the keys go through w_query", _STEPS)})
task.edit("self.w_value(value)", {
    "value": ("the values are not projected", _STEPS), "self.w_key(value)": ("the values go through w_key", _STEPS),
    "self.w_value(key)": ("the values are made from `key`, not from `value`", "what goes into w_value?"),
})
task.edit_places({"self.w_key(key)": "self.w_value(key)", "self.w_value(value)": "self.w_key(value)"},
                 "w_key and w_value change places", _STEPS)
task.edit_places({"self.w_key(key)": "self.w_key(value)", "self.w_value(value)": "self.w_value(key)"},
                 "`key` and `value` change places: the keys are made from `value`, the values from `key`",
                 "which argument goes into w_key?")
task.edit_places({"self.w_query(query)": "self.w_key(query)", "self.w_key(key)": "self.w_query(key)"},
                 "w_query and w_key change places", _STEPS)
task.edit_places({"self.w_query(query)": "query", "self.w_key(key)": "key"},
                 "queries and keys are not projected: the words themselves are compared", _STEPS)
task.edit_places({"self.w_key(key)": "self.w_key(query)", "self.w_value(value)": "self.w_value(query)"},
    "keys and values are made from `query`: this is self-attention only", "which arguments go into w_key and w_value?")
task.edit("(queries, ", {
    "(queries / self.num_heads**0.5, ": ("the scores are divided by the root of d_model; a head has d_k columns",
                                         "how wide is the query of one head?", "weights too flat"),
    "(queries * self.d_k**0.5, ": ("the scores are not divided", "as in exercise 04", "the weights are too extreme"),
    "(queries / self.d_k**0.5, ": (
        "the scores are divided twice: `scaled_dot_product_attention` divides already", "who divides?"),
    "(queries * (self.d_k / self.num_heads) ** 0.5, ": (
        "the scores are divided by the root of the number of heads", "how wide is a head's query?"),
})
task.edit("values, mask)", {
    "keys, mask)": ("the projected keys serve as values", "weights times values"),
    "values)": (MASK["scores"][0], "hand `mask` on to `scaled_dot_product_attention`; in a softmax of your own, set "
                "the hidden scores to -inf before it", MASK["scores"][2]),
    "values)\nweights = torch.softmax(queries @ keys.mT / self.d_k**0.5, -2)\nmixed = weights @ values":
        WEIGHTS["softmax(scores)"]["torch.softmax(scores, -2)"],
    "values)\nif mask is not None:\n    weights = torch.softmax(queries @ keys.mT / self.d_k**0.5 * mask, -1)\n"
    "    mixed = weights @ values": MASK["scores * mask"],
    "values, mask if mask is None else mask.unsqueeze(1))": (
        "a dimension is added to a mask that broadcasts to (batch, heads, m, n) as it is",
        "which dimension of the weights does each dimension of the mask stand for?"),
    "values, mask if mask is None else ~mask)": MASK["scores.masked_fill(mask, -math.inf)"],
    "values)\nweights = weights if mask is None else weights * mask\nmixed = weights @ values":
        MASK_AFTER["weights * mask"],
    "values, mask)\nweights = weights / weights.sum(-1, keepdim=True)\nmixed = weights @ values": (
        "softmax without the care of exercise 04: in a row whose keys are all hidden, e^-inf / 0 is 0 / 0", _EMPTY),
    "values, mask)\nif mask is not None:\n"
    "    weights = weights.masked_fill(~torch.atleast_2d(mask).any(-1, keepdim=True), 1 / weights.shape[-1])\n"
    "    mixed = weights @ values": ("-1e9 in the place of -inf: a query without keys attends to all of them alike",
                                     _EMPTY, "a query without keys gets the mean of the values"),
    "values, mask)\nif mask is not None:\n"
    "    weights = weights.masked_fill(~torch.atleast_2d(mask).all(-1, keepdim=True), 0.0)\n"
    "    mixed = weights @ values": ("the weights of a query become zeros as soon as one of its keys is hidden; "
        "they are zeros where all are", _EMPTY, "queries that may attend to some keys get zeros"),
    "values, mask if mask is None or mask.dim() < 3 else mask[..., :1, :, :])": (
        "every head gets the mask of head 0, where each head has a mask of its own",
        "a mask of shape (heads, m, n) holds one mask for each head"),
    "values, mask if mask is None or mask.dim() < 3 else mask.squeeze(1) if len(mask[0]) == 1 else mask[:, None])": (
        "a mask for each example becomes one for each head, or the other way round",
        "the mask broadcasts to (batch, heads, m, n) as it is"),
})
task.edit("mixed)), weights", {
    "mixed)), weights.mean(1)": ("the weights are averaged over the heads", _EACH),
    "mixed)), weights.mean(1, keepdim=True).expand_as(weights)": (
        "every head gets the mean of the weights of all heads", _EACH),
    "mixed)), queries @ keys.mT / self.d_k**0.5": (
        "the scores are returned, not the weights", "what comes out of softmax?"),
    "mixed))": ("only the output is returned", "the task asks for a pair"),
})
task.edit_all("bias=bias", {
    "bias=False": ("`bias` is not handed on: the layers never have one", _HAND_ON),
    "bias=True": ("`bias` is not handed on: the layers always have one", _HAND_ON),
})
task.edit("self.w_output = nn.Linear(d_model, d_model, bias=bias)", {
    "self.w_output = nn.Linear(d_model, d_model)": (
        "`bias` is not handed on to w_output: this layer always has one", _HAND_ON),
    "self.w_output = nn.Linear(d_model, d_model, bias=bias)\nfor layer in self.children():\n"
    "    nn.init.zeros_(layer.bias)": (
        "the biases are set to zero in any case: with bias=False `layer.bias` is None", "print the bias of an "
        "`nn.Linear` that was made without one")})
task.edit("bias: bool = True", {"bias: bool = False": (
    "`bias` is False when it is left out of the call", "compare the signature with that of the task")})
task.edit("self.w_value = nn.Linear(d_model, d_model, bias=bias)", {"self.w_value = self.w_key": (
    "one layer serves for keys and values", "four layers, each with its own weights")})
task.edit_all("self.w_", {"self.linear_": (
    "the layers have other names than in the task", "w_query, w_key, w_value, w_output")})
# fmt: on


def layer_of(cls, d_model, num_heads, bias=None, dtype=double):
    """Make a layer with known weights; `bias` may be left out of the call."""
    layer = built(cls, d_model, num_heads, dtype=dtype, **({} if bias is None else {"bias": bias}))
    wanted = {f"{name}.weight": (d_model, d_model) for name in PROJECTIONS}
    require_parameters(layer, wanted | {f"{name}.bias": (d_model,) for name in PROJECTIONS if bias is not False})
    sizes = {"d_model": d_model, "num_heads": num_heads, "d_k": d_model // num_heads}
    for name, right in sizes.items():
        if getattr(layer, name, None) != right:
            raise Finding(f"the attribute {name} is {getattr(layer, name, 'not there')}", f"{', '.join(sizes)} as "
                          "attributes", f"`self.{name}` is not set, or set to something else",
                          "set the three numbers in `__init__`")  # fmt: skip
    return layer


def attends(d_model, num_heads, bias=None, training=True, dtype=double):
    """Observe output and weights."""

    def observe(cls, *inputs):
        layer = layer_of(cls, d_model, num_heads, bias, dtype)
        layer.train(training)
        return layer(*inputs)

    return observe


def mask_then_none(cls, query, key, value, mask):
    """Observe a call without a mask, after one with a mask; 2 heads, d_model = 6."""
    layer = layer_of(cls, 6, 2)
    layer(query, key, value, mask)
    return layer(query, key, value)


def input_gradients(cls, *inputs):
    """Observe the gradient of the output with respect to query, key and value; 2 heads, d_model = 6."""
    return gradients(0)(layer_of(cls, 6, 2), *inputs)


input_gradients.words = gradients().words


def weight_gradients(cls, *inputs):
    """Observe the gradient of the output with respect to every parameter; 2 heads, d_model = 6."""
    return parameter_gradients(layer_of(cls, 6, 2), *inputs, position=0)


def inputs(batch, m, n, d_model, mask="", dtype=double):
    """Draw query, key, value and perhaps a mask."""
    return drawn("; ".join(f"{batch} {length} {d_model}" for length in (m, n, n)) + mask, dtype=dtype)


PAIR = "Concat(head_0, ..., head_{h-1}) W_O, and the weights of every head"
task.require(
    "four layers, and what the heads say through them",
    PAIR,
    [Case("batch 2, 3 queries, 5 keys, d_model = 12, 3 heads", inputs(2, 3, 5, 12), attends(12, 3)),
     Case("self-attention, 4 words, d_model = 8, 4 heads, evaluation mode",
          lambda draw: (draw(2, 4, 8, dtype=double),) * 3, attends(8, 4, training=False)),
     Case("float32, bias=True", inputs(2, 3, 4, 10, dtype=torch.float32), attends(10, 5, True, dtype=torch.float32))],
    [Case("one head", inputs(2, 4, 5, 6), attends(6, 1)), Case("heads of width 1", inputs(2, 3, 4, 5), attends(5, 5)),
     Case("batch of one", inputs(1, 5, 4, 15), attends(15, 3)),
     Case("as many of everything", inputs(3, 3, 3, 9), attends(9, 3)),
     Case("evaluation mode", inputs(2, 6, 3, 10), attends(10, 2, training=False))],
)  # fmt: skip
task.require(
    "no layer has a bias where `bias` is False",
    "four layers without a bias, and what the heads say through them",
    [Case("no bias, d_model = 6, 2 heads", inputs(2, 4, 4, 6), attends(6, 2, bias=False))],
    [Case("no bias", inputs(3, 4, 5, 8), attends(8, 2, False))],
)
task.require(
    "a mask hides keys, for every head or for one",
    PAIR,
    [Case("a mask of shape (3, 5)", inputs(2, 3, 5, 12, "; mask: 3 5"), attends(12, 3)),
     Case("a mask of shape (3, 1, 5, 7), one for each example", inputs(3, 5, 7, 12, "; mask: 3 1 5 7"), attends(12, 3)),
     Case("a mask for each head", inputs(2, 4, 6, 8, "; mask: 2 4 6"), attends(8, 2)),
     Case("a call without a mask, after one with a mask", inputs(2, 3, 4, 6, "; mask: 3 4"), mask_then_none)],
    [Case("a mask for each example and head", inputs(2, 5, 7, 12, "; mask: 2 3 5 7"), attends(12, 3)),
     Case("the same for all queries", inputs(3, 5, 7, 12, "; mask: 3 1 1 7"), attends(12, 3)),
     Case("one row for all", inputs(2, 5, 7, 12, "; mask: 7"), attends(12, 4))],
)  # fmt: skip
task.require(
    "gradients reach the inputs and every parameter",
    "the derivative of the formula",
    [Case("the gradients of the inputs", inputs(2, 3, 4, 6), input_gradients),
     Case("the gradients of the parameters", inputs(2, 3, 4, 6), weight_gradients)],
    [Case("the gradients of the inputs, a mask", inputs(3, 4, 5, 6, "; mask: 4 5"), input_gradients),
     Case("the gradients of the parameters, a mask", inputs(3, 4, 5, 6, "; mask: 4 5"), weight_gradients)],
)  # fmt: skip


def refused(*arguments, shapes=()):
    """Observe whether a constructor, or a call of a layer with d_model = 6 and 2 heads, refuses."""
    if arguments:
        return lambda cls: refuses()(cls, *arguments)
    return lambda cls: refuses()(layer_of(cls, 6, 2), *(torch.ones(shape).double() for shape in shapes))


task.limits(
    "a query without keys, one query, one key, and wrong input",
    [Case("a query that may attend to nothing", without_keys(1, "2 3 6; 2 5 6; 2 5 6; mask: 3 5"), attends(6, 2)),
     Case("one query", inputs(2, 1, 6, 9), attends(9, 3)), Case("one key", inputs(3, 5, 1, 8), attends(8, 4)),
     Case("three heads for eight columns", (), refused(8, 3), right=True),
     Case("no heads", (), refused(6, 0), right=True),
     Case("a query without a batch", (), refused(shapes=[(3, 6), (2, 4, 6), (2, 4, 6)]), right=True),
     Case("a key with other columns", (), refused(shapes=[(2, 3, 6), (2, 4, 5), (2, 4, 6)]), right=True)],
    "for a query without keys zeros of every head, so the bias of w_output; otherwise the formula",
)  # fmt: skip
