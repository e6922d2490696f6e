"""Task `MultiHeadAttention` of exercise 07."""

import math

import torch
from torch import nn

from course_checks.cases import Case, gradients, refuses
from course_checks.modules import built, parameter_gradients, require_parameters
from course_checks.multi_head_attention.shared import MERGE, READY_MADE, SPLIT, UNIT, merge, split
from course_checks.scaled_dot_product_attention.shared import MASK, masked_weights, right_softmax
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("MultiHeadAttention", UNIT, READY_MADE)
PROJECTIONS = ("w_query", "w_key", "w_value", "w_output")
_STEPS = "project, cut into heads, attend, glue together, project: which line of yours does which?"


@task.oracle
class Right(nn.Module):
    """Let torch's function do it, which gives one weight matrix a head."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
        for name in PROJECTIONS:
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, query, key, value, mask=None):
        """Attend."""
        layers = [getattr(self, name) for name in PROJECTIONS]
        no_bias = layers[0].bias is None
        if mask is not None:
            wide = mask.expand(len(query), self.num_heads, query.shape[1], key.shape[1])
            return self._masked(query, key, value, wide)
        output, weights = nn.functional.multi_head_attention_forward(
            query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1), self.d_model, self.num_heads,
            torch.cat([layer.weight for layer in layers[:3]]),
            None if no_bias else torch.cat([layer.bias for layer in layers[:3]]),
            None, None, False, 0.0, layers[3].weight, layers[3].bias, training=False, average_attn_weights=False,
        )  # fmt: skip
        return output.transpose(0, 1), weights

    def _masked(self, query, key, value, mask):
        """Attend head by head; torch's function knows no query without keys."""
        outputs, every = [], []
        for head in range(self.num_heads):
            own = slice(head * self.d_k, (head + 1) * self.d_k)
            q, k, v = (
                layer(x)[..., own]
                for layer, x in zip((self.w_query, self.w_key, self.w_value), (query, key, value), strict=True)
            )
            scores = torch.einsum("bmd,bnd->bmn", q, k) / math.sqrt(self.d_k)
            every.append(right_softmax(scores.masked_fill(~mask[:, head], -math.inf)))
            outputs.append(every[-1] @ v)
        return self.w_output(torch.cat(outputs, -1)), torch.stack(every, 1)


@task.builds(
    split_how={name: SPLIT[name] for name in ("viewed", "interleaved")},
    merge_how=MERGE,
    order={
        "cut first": Wrong("the inputs are cut into heads before the projection: each head sees a piece of the word",
                           "", "a head reads all d_model columns of a word, through its own rows of the projection"),
        "no output": Wrong("the heads are not sent through w_output", "", _STEPS),
        "no value": Wrong("the values are not projected", "", _STEPS),
        "no query": Wrong("the queries are not projected", "", _STEPS),
        "no key": Wrong("the keys are not projected", "", _STEPS),
        "key and value": Wrong("w_key and w_value change places", "", _STEPS),
        "query and key": Wrong("w_query and w_key change places", "", _STEPS),
        "query by w_key": Wrong("the queries go through w_key", "", _STEPS),
        "key by w_query": Wrong("the keys go through w_query", "", _STEPS),
        "value by w_key": Wrong("the values go through w_key", "", _STEPS),
        "neither": Wrong("queries and keys are not projected: the words themselves are compared", "", _STEPS),
        "key twice": Wrong("the projected keys serve as values", "", "weights times values"),
        "value is key": Wrong("the values are made from `key`, not from `value`", "", "what goes into w_value?"),
        "all query": Wrong("keys and values are made from `query`: this is self-attention only", "",
                           "which arguments go into w_key and w_value?"),
    },
    scale={
        "d_model": Wrong("the scores are divided by the root of d_model; a head has d_k columns", "weights too flat",
                         "how wide is the query of one head?"),
        "none": Wrong("the scores are not divided", "the weights are too extreme", "as in exercise 04"),
        "twice": Wrong("the scores are divided twice: `scaled_dot_product_attention` divides already", "",
                       "who divides?"),
        "heads": Wrong("the scores are divided by the root of the number of heads", "", "how wide is a head's query?"),
    },
    masking={name: MASK[name] for name in ("not used", "inverted", "after")}
    | {"example as head": Wrong("a mask for each example becomes one for each head, or the other way round", "",
                                "the mask broadcasts to (batch, heads, m, n) as it is")},
    weights_back={
        "averaged": Wrong("the weights are averaged over the heads", "", "the task asks for those of every head"),
        "mean each": Wrong("every head gets the mean of the weights of all heads", "",
                           "the task asks for those of every head"),
        "scores": Wrong("the scores are returned, not the weights", "", "what comes out of softmax?"),
        "alone": Wrong("only the output is returned", "", "the task asks for a pair"),
    },
    layers={
        "no bias ever": Wrong("`bias` is not handed on: the layers never have one", "", "see `nn.Linear`"),
        "bias always": Wrong("`bias` is not handed on: the layers always have one", "", "see `nn.Linear`"),
        "shared": Wrong("one layer serves for keys and values", "", "four layers, each with its own weights"),
        "other name": Wrong("the layers have other names than in the task", "", "w_query, w_key, w_value, w_output"),
    },
    bias_of_keys={"empty": Wrong("a query without keys gets the output 0, not the bias of w_output", "",
                                 "zeros of every head go through w_output: what is left?")},
    added={"residual": Wrong("the query is added to the output, as the block around it will", "",
                             "this layer returns what the heads say")},
    dropped={"weights": Wrong("dropout falls on the weights in training mode", "", "this layer has no dropout")},
)  # fmt: skip
def make(
    split_how="right", merge_how="right", order="right", scale="d_k", masking="filled", weights_back="each",
    layers="four", bias_of_keys="right", added="nothing", dropped="nothing",
):  # fmt: skip
    """Make a class with one choice for each step."""

    class MultiHead(nn.Module):
        def __init__(self, d_model, num_heads, bias=True):
            super().__init__()
            self.d_model, self.num_heads, self.d_k = d_model, num_heads, d_model // num_heads
            bias = {"no bias ever": False, "bias always": True}.get(layers, bias)
            for name in PROJECTIONS:
                if layers == "shared" and name == "w_value":
                    self.w_value = self.w_key
                elif layers == "other name":
                    setattr(self, name.replace("w_", "linear_"), nn.Linear(d_model, d_model, bias=bias))
                else:
                    setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

        def heads(self, x, layer, skip):
            if order == "cut first":
                return self.by_pieces(x, layer)
            left = order == skip or (order == "neither" and skip != "no value")
            return split(x if left else layer(x), self.num_heads, split_how)

        def by_pieces(self, x, layer):
            pieces = []
            for i in range(self.num_heads):
                own = slice(i * self.d_k, (i + 1) * self.d_k)
                bias = 0 if layer.bias is None else layer.bias[own]
                pieces.append(x[..., own] @ layer.weight[own, own].T + bias)
            return torch.stack(pieces, 1)

        def forward(self, query, key, value, mask=None):
            w_query, w_key, w_value = self.w_query, self.w_key, self.w_value
            w_key, w_value = (w_value, w_key) if order == "key and value" else (w_key, w_value)
            w_query, w_key = (w_key, w_query) if order == "query and key" else (w_query, w_key)
            w_query = w_key if order == "query by w_key" else w_query
            w_key = w_query if order == "key by w_query" else w_key
            w_value = w_key if order in ("value by w_key", "key twice") else w_value
            value = key if order in ("value is key", "key twice") else value
            key, value = (query, query) if order == "all query" else (key, value)
            q, k = self.heads(query, w_query, "no query"), self.heads(key, w_key, "no key")
            v = self.heads(value, w_value, "no value")
            root = {"d_model": self.d_model, "none": 1, "heads": self.num_heads, "twice": self.d_k**2}.get(
                scale, self.d_k
            )
            scores = q @ k.transpose(-2, -1) / root**0.5
            if masking == "example as head" and mask is not None and mask.dim() > 2:
                mask = mask.squeeze(1) if mask.dim() == 4 else mask[:, None]
            weights = masked_weights(scores, mask, "filled" if masking == "example as head" else masking)
            used = nn.functional.dropout(weights, 0.1, self.training) if dropped == "weights" else weights
            mixed = merge(used @ v, merge_how)
            output = mixed if order == "no output" else self.w_output(mixed)
            if bias_of_keys == "empty" and mask is not None:
                output = output.masked_fill(~mask.any(-1).expand(*scores.shape[:-1])[:, 0, :, None], 0.0)
            weights = weights.mean(1) if weights_back == "averaged" else scores if weights_back == "scores" else weights
            weights = weights.mean(1, keepdim=True).expand_as(scores) if weights_back == "mean each" else weights
            output = output + query if added == "residual" else output
            return output if weights_back == "alone" else (output, weights)

    return MultiHead


def layer_of(cls, d_model, num_heads, bias=True, dtype=torch.float64):
    """Make a layer with known weights."""
    layer = built(cls, d_model, num_heads, bias=bias, dtype=dtype)
    wanted = {f"{name}.weight": (d_model, d_model) for name in PROJECTIONS}
    require_parameters(layer, wanted | {f"{name}.bias": (d_model,) for name in PROJECTIONS if bias})
    sizes = {"d_model": d_model, "num_heads": num_heads, "d_k": d_model // num_heads}
    for name, right in sizes.items():
        if getattr(layer, name, None) != right:
            raise Finding(f"the attribute {name} is {getattr(layer, name, 'not there')}", f"{', '.join(sizes)} as "
                          "attributes", f"`self.{name}` is not set, or set to something else",
                          "set the three numbers in `__init__`")  # fmt: skip
    return layer


def attends(d_model, num_heads, bias=True, training=True, dtype=torch.float64):
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


def inputs(batch, m, n, d_model, mask=None, nothing=None, dtype=torch.float64):
    """Draw query, key, value and a mask of a shape; ``nothing`` is a query without keys."""

    def make(draw):
        drawn = tuple(draw(batch, length, d_model, dtype=dtype) for length in (m, n, n))
        if mask is None:
            return drawn
        allowed = draw.mask(*mask)
        if nothing is not None:
            allowed[..., nothing, :] = False
        return *drawn, allowed

    return make


PAIR = "Concat(head_1, ..., head_h) W_O, and the weights of every head"
task.require(
    "four layers, and what the heads say through them",
    PAIR,
    [Case("batch 2, 3 queries, 5 keys, d_model = 12, 3 heads", inputs(2, 3, 5, 12), attends(12, 3)),
     Case("self-attention, 4 words, d_model = 8, 4 heads, evaluation mode",
          lambda draw: (draw(2, 4, 8, dtype=torch.float64),) * 3, attends(8, 4, training=False)),
     Case("no bias, d_model = 6, 2 heads", inputs(2, 4, 4, 6), attends(6, 2, bias=False)),
     Case("float32", inputs(2, 3, 4, 10, dtype=torch.float32), attends(10, 5, dtype=torch.float32))],
    [Case("one head", inputs(2, 4, 5, 6), attends(6, 1)), Case("heads of width 1", inputs(2, 3, 4, 5), attends(5, 5)),
     Case("no bias", inputs(3, 4, 5, 8), attends(8, 2, False)),
     Case("batch of one", inputs(1, 5, 4, 15), attends(15, 3)),
     Case("as many of everything", inputs(3, 3, 3, 9), attends(9, 3)),
     Case("evaluation mode", inputs(2, 6, 3, 10), attends(10, 2, training=False))],
)  # fmt: skip
task.require(
    "a mask hides keys, for every head or for one",
    PAIR,
    [Case("a mask of shape (3, 5)", inputs(2, 3, 5, 12, (3, 5)), attends(12, 3)),
     Case("a mask of shape (3, 1, 5, 7), one for each example", inputs(3, 5, 7, 12, (3, 1, 5, 7)), attends(12, 3)),
     Case("a mask for each head", inputs(2, 4, 6, 8, (2, 4, 6)), attends(8, 2)),
     Case("a call without a mask, after one with a mask", inputs(2, 3, 4, 6, (3, 4)), mask_then_none)],
    [Case("a mask for each example and head", inputs(2, 5, 7, 12, (2, 3, 5, 7)), attends(12, 3)),
     Case("the same for all queries", inputs(3, 5, 7, 12, (3, 1, 1, 7)), attends(12, 3)),
     Case("one row for all", inputs(2, 5, 7, 12, (7,)), attends(12, 4))],
)  # fmt: skip
task.require(
    "gradients reach the inputs and every parameter",
    "the derivative of the formula",
    [Case("the gradients of the inputs", inputs(2, 3, 4, 6), input_gradients),
     Case("the gradients of the parameters", inputs(2, 3, 4, 6), weight_gradients)],
    [Case("the gradients of the inputs, a mask", inputs(3, 4, 5, 6, (4, 5)), input_gradients),
     Case("the gradients of the parameters, a mask", inputs(3, 4, 5, 6, (4, 5)), weight_gradients)],
)  # fmt: skip


def refused(*arguments, shapes=()):
    """Observe whether a constructor, or a call of a layer with d_model = 6 and 2 heads, refuses."""
    if arguments:
        return lambda cls: refuses()(cls, *arguments)
    return lambda cls: refuses()(layer_of(cls, 6, 2), *(torch.ones(shape).double() for shape in shapes))


task.limits(
    "a query without keys, one query, one key, and wrong input",
    [
        Case("a query that may attend to nothing", inputs(2, 3, 5, 6, (3, 5), nothing=1), attends(6, 2)),
        Case("one query", inputs(2, 1, 6, 9), attends(9, 3)),
        Case("one key", inputs(3, 5, 1, 8), attends(8, 4)),
        Case("three heads for eight columns", (), refused(8, 3), right=True),
        Case("no heads", (), refused(6, 0), right=True),
        Case("a query without a batch", (), refused(shapes=[(3, 6), (2, 4, 6), (2, 4, 6)]), right=True),
        Case("a key with other columns", (), refused(shapes=[(2, 3, 6), (2, 4, 5), (2, 4, 6)]), right=True),
        Case("a value of another length", (), refused(shapes=[(2, 3, 6), (2, 4, 6), (2, 3, 6)]), right=True),
    ],
    "for a query without keys zeros of every head, so the bias of w_output; otherwise the formula",
)
