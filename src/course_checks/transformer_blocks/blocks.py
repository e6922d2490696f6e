"""What the two blocks of exercise 09 share: torch's layer as the oracle, a block with choices, and the requirements."""

from itertools import combinations, product

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

from course_checks.cases import Case
from course_checks.modules import parameter_gradients, unwrapped
from course_checks.outcomes import same
from course_checks.transformer_blocks import feed_forward
from course_checks.transformer_blocks.shared import (
    DROPOUT,
    INSIDE,
    LATER,
    Dropout,
    gradients_of,
    making,
    observing,
    require_dropped,
    set_to,
)
from course_checks.words import Wrong
from transformer_course.common.torch_names import torch_names

READY_MADE = ("multi_head_attention", "transformer_encoder_layer")
PROJECTIONS = ("w_query", "w_key", "w_value", "w_output")
SILENT = (
    "set weight and bias of w_output and linear_2 to zero, so that the sublayers say nothing: what must the block "
    "return, in this order of the norms?"
)
PARTS = "write down for each sublayer, in this order: what does it read, what is added, what is normalised?"
_FEED = "see the order of FeedForward's arguments"


class Attention(nn.Module):
    """The parameters of the course's `MultiHeadAttention`, and torch's attention; returns the output alone."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.num_heads = num_heads
        for name in PROJECTIONS:
            setattr(self, name, nn.Linear(d_model, d_model, bias=bool(bias)))

    def forward(self, *inputs, mask=None):
        """Attend with query, key and value."""
        pairs = zip(PROJECTIONS, inputs, strict=False)
        heads = [getattr(self, name)(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for name, x in pairs]
        return self.w_output(F.scaled_dot_product_attention(*heads, attn_mask=mask).transpose(1, 2).flatten(2))


class Parts(nn.Module):
    """The parts of a block, under the names of the task; a subclass sets the choices that are wrong."""

    names = ("self_attention", "feed_forward")
    made = dropping = ""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        for name in self.names[:-1]:
            heads = 1 if self.made == "one head" else num_heads
            setattr(self, name, Attention(d_model, heads, *[dropout] * (self.made == "third argument")))
        handed_on = 0.0 if self.dropping == "not handed on" else dropout, "relu" if self.made == "relu" else activation
        self.feed_forward = feed_forward.make()(d_model, d_ff, *handed_on)
        self.norm_1 = nn.LayerNorm(d_model)
        for number in range(2, len(self.names) + 1):
            setattr(self, f"norm_{number}", self.norm_1 if self.made == "one norm" else nn.LayerNorm(d_model))
        self.dropout, self.norm_first = Dropout(dropout, self.dropping), norm_first

    @property
    def norms(self):
        """List the norms."""
        return [getattr(self, f"norm_{number}") for number in range(1, len(self.names) + 1)]


class TorchBlock(Parts):
    """torch's own layer, computed with the parameters of the task."""

    kind = nn.TransformerEncoderLayer

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__(d_model, num_heads, d_ff)
        self.layer = [self.kind(d_model, num_heads, d_ff, dropout, activation, batch_first=True, norm_first=norm_first)]

    def forward(self, *inputs, **masks):
        """Compute torch's layer; its masks say what is hidden, for each sentence and head."""
        (batch, length, _), heads = inputs[0].shape, self.self_attention.num_heads
        for name, mask in masks.items():
            about = inputs[-1].shape[1] if name == "memory_mask" else length
            masks[name] = None if mask is None else ~mask.expand(batch, heads, length, about).flatten(0, 1)
        weights = torch_names(dict(self.named_parameters()))
        return functional_call(self.layer[0].train(self.training), weights, inputs, masks)


BOTH = {
    "answer": (lambda x, f, norm: x + norm(f(x)), "what the sublayer says is normalised before it is added"),
    "no norm": (lambda x, f, norm: x + f(x), "the norm is not used"),
    "two norms": (lambda x, f, norm: norm(x + f(norm(x))), "the norm acts twice, before the sublayer and on the sum"),
    "other path": (lambda x, f, norm: norm(x) + f(x), "the norm acts on x alone, on the residual path"),
    "copy": (lambda x, f, norm: norm(x) + f(norm(x)), "x is normalised before it is added, as after `x = norm(x)`: "
             "the residual starts from the normalised x"),
}  # fmt: skip
_NO_RESIDUAL = "x is not added to what the sublayer says: the residual connection is missing"
RULES = {
    False: {
        "right": (lambda x, f, norm: norm(x + f(x)), ""),
        **BOTH,
        "no residual": (lambda x, f, norm: norm(f(x)), _NO_RESIDUAL),
        "x twice": (lambda x, f, norm: x + norm(x + f(x)), "x is added once more, to the normalised sum"),
    },
    True: {
        "right": (lambda x, f, norm: x + f(norm(x)), ""),
        **BOTH,
        "no residual": (lambda x, f, norm: f(norm(x)), _NO_RESIDUAL),
        "both": (lambda x, f, norm: x + norm(f(norm(x))), "what the sublayer says is normalised before it is added"),
    },
}


def choices(names):
    """Name the ways in which a block of these sublayers goes wrong."""
    places, spoken = range(len(names)), [name.replace("_", "-") for name in names]
    rules = {
        (norm_first, name, place): Wrong(f"with norm_first={norm_first} {cause}{where}", "", SILENT)
        for norm_first, rules in RULES.items()
        for name, (_, cause) in rules.items()
        for place, where in enumerate(["", *(f", around the {each}" for each in spoken)], start=-1)
        if cause
    }
    wiring = {("beside",): "all sublayers read the input of the block"} if len(names) > 2 else {}
    for i, who in enumerate(spoken):
        wiring["gone", i] = wiring["silent", i] = f"the {who} is not called, or its result is not added"
        wiring["start", i] = f"the residual around the {who} starts from the input of the block, not from the last sum"
    del wiring["start", 0]
    for i, j in combinations(places, 2):
        pair = f"{spoken[i]} and {spoken[j]}"
        wiring["order", i, j] = wiring["sublayers", i, j] = f"{pair} come in each other's place"
        wiring["norms", i, j] = f"the norms of {pair} are exchanged"
        for kept, lost in ((i, j), (j, i)):
            wiring["shared", kept, lost] = f"norm_{kept + 1} serves the {spoken[lost]} too, norm_{lost + 1} is not used"
        for how in ("once", "anew", "again"):
            wiring["stale", j, i, how] = (
                f"the {spoken[j]} reads an x from before the {spoken[i]}: that x, or its normalised form, is used "
                "again after x has changed"
            )
    wiring = {
        (order, *key): Wrong(f"with norm_first={order} {cause}", "", PARTS)
        for order, (key, cause) in product((False, True), wiring.items())
        if order or key[-1] not in ("anew", "again")  # without a norm in between these are one mistake
    }
    wiring[True, "behind"] = Wrong(
        "with norm_first=True a norm stands behind the last sum; in this order it belongs to the model", "", SILENT
    )
    dropping = DROPOUT | {
        "not handed on": Wrong("dropout is not handed on to the feed-forward network", "", _FEED),
        ("sum", -1): Wrong("dropout falls on the sum, with x in it, not on what a sublayer says alone", "", INSIDE),
        ("result", -1): Wrong("dropout falls behind the norm, not on what a sublayer says alone", "", INSIDE),
    }
    for i, who in enumerate(["each sublayer", *(f"the {each}" for each in spoken)], start=-1):
        dropping |= {
            ("read", i): Wrong(f"dropout falls on what {who} reads, not on what it says", "", INSIDE),
            ("read too", i): Wrong(f"dropout falls on what {who} reads, as well as on what it says", "", INSIDE),
        }
        if i >= 0:
            dropping["missing", i] = Wrong(f"dropout is missing on what {who} says", "", INSIDE)
    made = {
        "third argument": Wrong("an extra argument was passed to MultiHeadAttention: its third one is `bias`", "",
                                "give it d_model and num_heads alone"),
        "one norm": Wrong("one LayerNorm serves several sublayers, or one is missing; each sublayer has its own", "",
                          "make each of them: `self.norm_1 = LayerNorm(d_model)`, and so on"),
        "one head": Wrong("num_heads is not handed on to MultiHeadAttention", "", "compare with the task"),
        "relu": Wrong("activation is not handed on to the feed-forward network", "", _FEED),
    }  # fmt: skip
    order = {
        "inverted": Wrong("norm_first is used the wrong way round", "", SILENT),
        "post": Wrong("norm_first=True is not heeded: the norm always comes behind the sum", "", SILENT),
        "pre": Wrong("norm_first=False is not heeded: the norm always comes first", "", SILENT),
        "default": Wrong("norm_first is True when it is left out of the call", "", "compare the signature"),
    }
    asks = {
        "query": Wrong("with norm_first=True only the queries of the self-attention are normalised, keys and values "
                       "are not", "", "give the normalised x to all three"),
        "value": Wrong("with norm_first=True the values of the self-attention are not normalised", "",
                       "give the normalised x to all three"),
        "weights": Wrong("the weights of the attention are added, not its output", "", "the output comes first"),
    }  # fmt: skip
    return {"made": made, "order": order, "asks": asks, "wiring": wiring, "dropping": dropping, "rule": rules}


class Block(Parts):
    """A block with one choice for each step; a subclass sets the choices that are wrong."""

    order = asks = ""
    wiring, rule = (None, ""), (None, "", 0)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=None):
        norm_first = self.order == "default" if norm_first is None else norm_first
        norm_first = {"inverted": not norm_first, "post": False, "pre": True}.get(self.order, norm_first)
        super().__init__(d_model, num_heads, d_ff, dropout, activation, norm_first)

    def attend(self, attention, read, mask, x):
        """Attend to what is read."""
        if self.asks == "weights":
            return read.new_zeros(len(read), attention.num_heads, read.shape[1], read.shape[1])
        raw = x if self.norm_first else read
        key, value = {"query": (raw, raw), "value": (read, raw)}.get(self.asks, (read, read))
        return attention(read, key, value, mask=mask)

    def run(self, x, say):
        """Take the steps; ``say`` holds for each name what the sublayer makes of what it reads and of x."""
        order, kind, *which = self.wiring
        kind = kind if order == self.norm_first else ""
        names, norms, states = list(self.names), self.norms, [x]
        for parts, kinds in ((names, ("order", "sublayers")), (norms, ("order", "norms"))):
            if kind in kinds:
                i, j = which
                parts[i], parts[j] = parts[j], parts[i]
        if kind == "shared":
            norms[which[1]] = norms[which[0]]
        if kind == "gone":
            del names[which[0]], norms[which[0]]
        for place in range(len(names)):
            states.append(self._step(place, say[names[place]], norms, states, (kind, *which)))
        return norms[-1](states[-1]) if kind == "behind" else states[-1]

    def _step(self, place, sublayer, norms, states, wiring):
        kind, where, earlier, how = (*wiring, None, None, None)[:4]
        x, norm, drop, pre = states[-1], norms[place], self.dropout, self.norm_first
        dropping, at = self.dropping if isinstance(self.dropping, tuple) else ("", 0)
        dropping = dropping if at in (-1, place) else ""

        def say(read):
            if kind == "stale" and where == place:
                before = states[earlier]
                once = norms[earlier](before) if pre else before
                read = {"once": once, "anew": norm(before), "again": norm(once)}[how]
            if kind == "beside":
                read = norm(states[0]) if pre else states[0]
            said = sublayer(drop(read) if dropping in ("read", "read too") else read, x)
            said = said if dropping in ("missing", "sum", "result", "read") else drop(said)
            said = said * 0 if kind == "silent" and where == place else said
            return said + states[0] - x if kind == "start" and where == place else said

        norm_first, name, where_else = self.rule
        rule, _ = RULES[pre][name if norm_first == pre and where_else in (-1, place) else "right"]
        result = rule(x, say, (lambda y: norm(drop(y))) if dropping == "sum" and not pre else norm)
        return drop(result) if dropping == "result" or (dropping == "sum" and pre) else result


def making_block(names, sizes=(12, 3, 17), *more, speaking=None, **options):
    """Say how a block is made; ``speaking`` names the sublayers that say something, where not all do."""
    d_model, _, d_ff = sizes
    shapes = feed_forward.shapes(d_model, d_ff, "feed_forward.")
    for attention, name in product(names[:-1], PROJECTIONS):
        shapes |= {f"{attention}.{name}.weight": (d_model, d_model), f"{attention}.{name}.bias": (d_model,)}
    for number, part in product(range(1, len(names) + 1), ("weight", "bias")):
        shapes[f"norm_{number}.{part}"] = (d_model,)
    build = making(*sizes, *more, shapes=shapes, **options)
    last = [f"{name}.{'linear_2' if name == 'feed_forward' else 'w_output'}" for name in names
            if speaking is not None and name not in speaking]  # fmt: skip

    def make(answer):
        module = build(answer)
        set_to(module, {f"{name}.{part}": 0.0 for name in last for part in ("weight", "bias")})
        return module

    return make


def dropped(names, inputs, dropout, norm_first, name):
    """Make the case that listens to one sublayer while dropout falls."""
    options = {"dropout": dropout, "norm_first": norm_first, "activation": "gelu"}

    def build(answer, *speaking):
        module = making_block(names, speaking=speaking, **options)(answer)
        if "feed_forward" in speaking:  # behind an identity all of its activations show
            set_to(module, {"feed_forward.linear_2.weight": torch.eye(12, 17), "feed_forward.linear_2.bias": 0.0})
        for number in range(1, 1 if norm_first else len(names) + 1):
            setattr(unwrapped(module), f"norm_{number}", nn.Identity())  # so that post-norm shows what is added
        return module

    def look(answer, x, *more):
        if not norm_first and not same(build(answer).eval()(x, *more), x):
            return  # the block keeps its norms elsewhere as well, and does not show what is added
        module = build(answer, name)
        said, seen = module.eval()(x, *more) - x, module.train()(x, *more) - x
        keep = (1 - dropout) ** (2 if name == "feed_forward" else 1)  # also on its activations
        require_dropped(seen, said, keep, f"the numbers that {name} adds")

    situation = f"dropout = {dropout}, training mode, norm_first={norm_first}, only {name} says something"
    return Case(situation, inputs(4, 12), look, right=None)


def forgetting(module, *inputs):
    """Call with masks, and observe a second call without them."""
    module(*inputs)
    return module(*(x for x in inputs if x is not None and x.is_floating_point()))


def require_block(task, names, inputs, masks):
    """Add the requirements of a block.

    Args:
        task: the task.
        names: of the sublayers, in their order.
        inputs: makes from sizes ``(batch, length, d_model, num_heads)`` and keywords what draws a block's arguments.
        masks: for each situation with masks, keywords of ``inputs``.
    """

    def case(situation, sizes=(2, 5), block=(12, 3, 17), *more, given=None, then=None, evaluate=False, words=None, **o):
        make = making_block(names, block, *more, **o)
        return Case(situation, inputs(*sizes, *block[:2], **given or {}), observing(make, then, evaluate, words))

    path = Wrong("on the path of x itself there is a norm too many or too few, or they come in another order",
                 "what comes out is not that", "follow x alone, line by line: what does it go through?")  # fmt: skip
    for norm_first, silent in ((False, "x after one norm after the other"), (True, "x itself, unchanged")):
        order, o = f"norm_first={norm_first}", {"norm_first": norm_first}
        steps = []
        for n, name in enumerate(names, start=1):
            words = Wrong(f"the step around {name}: what it reads, what is added to what, or where norm_{n} stands",
                          "with the sublayers before it everything was right", PARTS)  # fmt: skip
            who = "every sublayer says" if n == len(names) else f"only {' and '.join(names[:n])} say{'s' * (n == 1)}"
            steps.append(case(f"{order}, {who} something", speaking=names[:n], words=words, **o))
        task.require(
            f"{order}: {silent}, when the sublayers say nothing",
            silent,
            [case(f"{order}, the sublayers say nothing: their last layers are 0", speaking=[], words=path, **o)],
        )
        task.require(
            f"{order}: what each sublayer reads, where it is added, what is normalised",
            f"for each sublayer in turn {'x + sublayer(norm(x))' if norm_first else 'norm(x + sublayer(x))'}",
            steps,
            [case(f"{order}, one head", (2, 4), (6, 1, 9), **o), case(f"{order}, one word", (2, 1), (8, 2, 11), **o),
             case(f"{order}, as many of everything", (4, 4), (4, 4, 4), **o)],
            PARTS,
        )  # fmt: skip
    kept = Wrong("masks of an earlier call are kept for calls without them", "the result depends on the call before",
                 "where do the masks live?")  # fmt: skip
    task.require(
        "masks arrive where they belong, in every call anew",
        "the attention sees what its mask allows, and nothing else",
        [case(f"norm_first={order}, {words}", given=given, norm_first=order)
         for order, (words, given) in product((False, True), masks.items())]
        + [case("a call without masks after one with them", then=forgetting, given=[*masks.values()][-1], words=kept)],
        [case(f"norm_first={order}, other sizes, {words}", (3, 4), (9, 3, 7), given=given, norm_first=order)
         for order, (words, given) in product((False, True), masks.items())],
        "hand each mask on as it is",
    )  # fmt: skip
    task.require(
        "activation and norm_first, by name, by position or left out",
        "the signature of the task, with its defaults",
        [case("activation='gelu'", activation="gelu"), case("norm_first and activation left out of the call"),
         case("all arguments by position", (2, 5), (12, 3, 17), 0.0, "gelu", True)],
        [case("gelu, one head", (2, 4), (6, 1, 9), activation="gelu", norm_first=True)],
    )  # fmt: skip
    added = Wrong("dropout is missing on what a sublayer adds, or has another probability, or falls on x too",
                  "with dropout = 1 something else comes out than x and its norms", INSIDE)  # fmt: skip
    task.require(
        "dropout falls on what each sublayer adds and inside the feed-forward network, in training alone",
        "what a sublayer says is dropped before it is added; in evaluation mode nothing is",
        [case("dropout = 0.5, evaluation mode", evaluate=True, words=LATER, dropout=0.5),
         *(case(f"dropout = 1, training mode, norm_first={order}", dropout=1.0, norm_first=order, words=added)
           for order in (False, True)),
         *(dropped(names, inputs, 0.2, *each) for each in product((True, False), names))],
        [case("dropout = 0.3, evaluation mode", (3, 4), (8, 2, 6), evaluate=True, words=LATER, dropout=0.3,
              norm_first=True), *(dropped(names, inputs, 0.4, True, name) for name in names)],
    )  # fmt: skip
    task.require(
        "gradients reach the inputs and every parameter",
        "the derivative of the formula",
        [case(f"the gradients of the parameters, norm_first={order}", then=parameter_gradients, norm_first=order)
         for order in (False, True)] + [case("the gradients of the inputs", then=gradients_of)],
        [case("the gradients of the inputs, norm_first=True", (3, 4), (8, 2, 9), then=gradients_of, norm_first=True)],
    )  # fmt: skip
