"""What the two blocks of exercise 09 share: torch's block as the oracle, a block with choices, and the requirements."""

from itertools import combinations, product

import torch
from torch import nn
from torch.func import functional_call

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
LAST = {"self_attention": "w_output", "cross_attention": "w_output", "feed_forward": "linear_2"}  # what each says
PROJECTIONS = ("w_query", "w_key", "w_value", "w_output")
SILENT = (
    "set weight and bias of w_output and linear_2 to zero, so that the sublayers say nothing: what must the block "
    "return, in this order of the norms?"
)
PARTS = "write down for each sublayer, in this order: what does it read, what is added, what is normalised?"
FEED = "see the order of FeedForward's arguments"


class Attention(nn.Module):
    """Attend with the parameters of the course's `MultiHeadAttention`."""

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.num_heads = num_heads
        for name in PROJECTIONS:
            setattr(self, name, nn.Linear(d_model, d_model, bias=bool(bias)))

    def forward(self, *inputs, mask=None):
        """Attend with query, key and value; return a pair as the course's class does."""
        query, key, value = (
            getattr(self, name)(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for name, x in zip(PROJECTIONS, inputs, strict=False)
        )
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -torch.inf), -1)
        return self.w_output((weights @ value).transpose(1, 2).flatten(2)), weights


class Parts(nn.Module):
    """The parts of a block, under the names of the task."""

    names = ("self_attention", "feed_forward")
    made = dropping = ""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        for name in self.names[:-1]:
            setattr(self, name, Attention(d_model, num_heads, *[dropout] * (self.made == "third argument")))
        network = feed_forward.make(dropping=self.dropping if self.dropping in DROPOUT else "right")
        handed_on = 0.0 if self.dropping == "not handed on" else dropout
        self.feed_forward = network(d_model, d_ff, handed_on, "relu" if self.made == "relu" else activation)
        for number in range(1, len(self.names) + 1):
            setattr(self, f"norm_{number}", nn.LayerNorm(d_model))
        if self.made == "one norm":
            for number in range(2, len(self.names) + 1):
                setattr(self, f"norm_{number}", self.norm_1)
        if self.made == "one attention":
            self.cross_attention = self.self_attention
        self.dropout, self.norm_first = Dropout(dropout, self.dropping if self.dropping in DROPOUT else ""), norm_first


class TorchBlock(Parts):
    """torch's own layer, computed with the parameters of the task."""

    kind = nn.TransformerEncoderLayer

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__(d_model, num_heads, d_ff)
        self.layer = [self.kind(d_model, num_heads, d_ff, dropout, activation, batch_first=True, norm_first=norm_first)]

    def forward(self, *inputs, **masks):
        """Compute torch's layer; its masks say what is hidden, for each sentence and head."""
        length, heads = inputs[0].shape[1], self.self_attention.num_heads
        for name, mask in masks.items():
            memory = inputs[-1].shape[1] if name == "memory_mask" else length
            if mask is not None:
                masks[name] = ~mask.expand(len(inputs[0]), heads, length, memory).flatten(0, 1)
        weights = torch_names(dict(self.named_parameters()))
        return functional_call(self.layer[0].train(self.training), weights, inputs, masks)


BOTH = {
    "answer": (lambda x, f, norm: x + norm(f(x)), "what the sublayer says is normalised before it is added"),
    "no norm": (lambda x, f, norm: x + f(x), "the norm is not used"),
    "two norms": (lambda x, f, norm: norm(x + f(norm(x))), "the norm acts twice, in front of the sublayer and behind "
                  "the sum"),
    "other path": (lambda x, f, norm: norm(x) + f(x), "the norm acts on x alone, on the residual path"),
    "copy": (lambda x, f, norm: norm(x) + f(norm(x)), "x is normalised before it is added, as after `x = norm(x)`: "
             "the residual starts from the normalised x"),
}  # fmt: skip
RULES = {
    False: {"right": (lambda x, f, norm: norm(x + f(x)), "")} | BOTH | {
        "no residual": (lambda x, f, norm: norm(f(x)), "x is not added to what the sublayer says: the residual "
                        "connection is missing"),
        "x twice": (lambda x, f, norm: x + norm(x + f(x)), "x is added once more, to the normalised sum"),
    },
    True: {"right": (lambda x, f, norm: x + f(norm(x)), "")} | BOTH | {
        "no residual": (lambda x, f, norm: f(norm(x)), "x is not added to what the sublayer says: the residual "
                        "connection is missing"),
        "both normalised": (lambda x, f, norm: x + norm(f(norm(x))), "what the sublayer says is normalised once more "
                            "before it is added"),
    },
}  # fmt: skip


def choices(names):
    """Name the ways in which a block of these sublayers goes wrong."""
    places, spoken = range(len(names)), [name.replace("_", "-") for name in names]
    rules, wiring = {}, {}
    for norm_first, rule in RULES.items():
        for name, (_, cause) in list(rule.items())[1:]:
            order = f"with norm_first={norm_first} "
            rules[norm_first, name, -1] = Wrong(order + cause, "", SILENT)
            rules |= {
                (norm_first, name, i): Wrong(f"{order}{cause}, around the {spoken[i]}", "", SILENT) for i in places
            }
    for i, j in combinations(places, 2):
        pair = f"{spoken[i]} and {spoken[j]}"
        swapped = Wrong(f"{pair} come in each other's place", "", PARTS)
        wiring |= {("order", i, j): swapped, ("sublayers", i, j): swapped}
        wiring["norms", i, j] = Wrong(f"the norms of {pair} are exchanged", "", PARTS)
        for kept, lost in ((i, j), (j, i)):
            wiring["shared", kept, lost] = Wrong(
                f"norm_{kept + 1} is called for the {spoken[lost]} too, norm_{lost + 1} is not", "", PARTS
            )
        stale = Wrong(
            f"the {spoken[j]} reads an x from before the {spoken[i]}: that x, or its normalised form, is used again "
            "after x has changed", "", "after each sum, which names still hold an x from before it?",
        )  # fmt: skip
        wiring |= {("stale", j, i, how): stale for how in ("once", "anew", "again")}
    for i in places:
        gone = Wrong(f"the {spoken[i]} is not called, or its result is not added", "", PARTS)
        wiring |= {("gone", i): gone, ("silent", i): gone}
    wiring["start"] = Wrong("every residual starts from the input of the block, not from what the sublayer before it "
                            "has made", "", PARTS)  # fmt: skip
    wiring["beside"] = Wrong("all sublayers read the input of the block", "", PARTS)
    wiring["behind"] = Wrong("with norm_first=True a norm stands behind the last sum; in this order it belongs to the "
                             "model", "", SILENT)  # fmt: skip
    dropping = DROPOUT | {
        "not handed on": Wrong("dropout is not handed on to the feed-forward network", "", FEED),
        "sum": Wrong("dropout falls on the sum, with x in it; it falls on what a sublayer says, before x is added", "",
                     INSIDE),
        "result": Wrong("dropout falls on the result of each step, with x in it; it falls on what a sublayer says", "",
                        INSIDE),
        "read": Wrong("dropout falls on what a sublayer reads, not on what it says", "", INSIDE),
        "read too": Wrong("dropout falls on what a sublayer reads, as well as on what it says", "", INSIDE),
        "before the norm": Wrong("with norm_first=True dropout falls on x before the norm", "", INSIDE),
    } | {i: Wrong(f"dropout is missing on what the {spoken[i]} says", "", INSIDE) for i in places}  # fmt: skip
    made = {
        "third argument": Wrong("an extra argument was passed to MultiHeadAttention: its third one is `bias`", "",
                                "give it d_model and num_heads alone"),
        "one norm": Wrong("one LayerNorm serves several sublayers, or one is missing; each sublayer has its own", "",
                          "make each of them: `self.norm_1 = LayerNorm(d_model)`, and so on"),
        "relu": Wrong("activation is not handed on to the feed-forward network", "", FEED),
    }  # fmt: skip
    order = {
        "inverted": Wrong("norm_first is used the wrong way round", "", SILENT),
        False: Wrong("norm_first=True is not heeded: the norm always comes behind the sum", "", SILENT),
        True: Wrong("norm_first=False is not heeded: the norm always comes first", "", SILENT),
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

    order = asks = rule = ""
    wiring = ("",)

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=None):
        norm_first = self.order == "default" if norm_first is None else norm_first
        super().__init__(d_model, num_heads, d_ff, dropout, activation, norm_first)
        if self.order == "inverted":
            self.norm_first = not norm_first
        elif self.order in (False, True) and self.order != "":
            self.norm_first = self.order

    def attend(self, attention, read, memory, mask, x):
        """Ask with what is read, by default about itself."""
        about = read if memory is None else memory
        key = value = about
        if memory is None and self.norm_first and self.asks in ("query", "value"):
            key, value = (x if self.asks == "query" else read), x
        return attention(read, key, value, mask=mask)[self.asks == "weights"]

    def run(self, x, say):
        """Take the steps; ``say`` holds for each name what the sublayer makes of what it reads and of x."""
        kind, *which = self.wiring if isinstance(self.wiring, tuple) else (self.wiring,)
        names, norms = list(self.names), [getattr(self, f"norm_{i + 1}") for i in range(len(self.names))]
        for parts, kinds in ((names, ("order", "sublayers")), (norms, ("order", "norms"))):
            if kind in kinds:
                i, j = which
                parts[i], parts[j] = parts[j], parts[i]
        if kind == "shared":
            norms[which[1]] = norms[which[0]]
        if kind == "gone":
            del names[which[0]], norms[which[0]]
        states = [x]
        for place, (name, norm) in enumerate(zip(names, norms, strict=True)):
            states.append(self._step(place, say[name], norm, norms, states, kind, which))
        last = states[-1]
        return norms[-1](last) if kind == "behind" and self.norm_first else last

    def _step(self, place, sublayer, norm, norms, states, kind, which):
        x, pre, drop = states[-1], self.norm_first, self.dropout
        here = which[:1] == [place]
        on_sum = self.dropping in ("sum", "result") or (self.dropping == "before the norm" and pre)

        def f(read):
            if kind == "stale" and here:
                before = states[which[1]]
                once, anew = (norms[which[1]](before), norm(before)) if pre else (before, before)
                read = {"once": once, "anew": anew, "again": norm(once) if pre else before}[which[2]]
            if kind == "beside":
                read = norm(states[0]) if pre else states[0]
            said = sublayer(drop(read) if self.dropping in ("read", "read too") else read, x)
            if not on_sum and self.dropping not in ("read", place):
                said = drop(said)
            said = said * 0 if kind == "silent" and here else said
            return said + states[0] - x if kind == "start" else said

        before_norm = (self.dropping == "sum" and not pre) or (self.dropping == "before the norm" and pre)
        each = (lambda y: norm(drop(y))) if before_norm else norm
        norm_first, name, where = self.rule or (pre, "right", -1)
        name = name if norm_first == pre and where in (-1, place) else "right"
        result = RULES[pre][name][0](x, f, each)
        return drop(result) if on_sum and not before_norm else result


def shapes(names, d_model, num_heads, d_ff):
    """Name the parameters of a block, with their shapes."""
    found = feed_forward.shapes(d_model, d_ff, "feed_forward.")
    for attention in names[:-1]:
        for name in PROJECTIONS:
            found |= {f"{attention}.{name}.weight": (d_model, d_model), f"{attention}.{name}.bias": (d_model,)}
    for number in range(1, len(names) + 1):
        found |= {f"norm_{number}.weight": (d_model,), f"norm_{number}.bias": (d_model,)}
    return found


def making_block(names, sizes=(12, 3, 17), *more, speaking=None, **options):
    """Say how a block is made; ``speaking`` names the sublayers that say something, where not all do."""
    build = making(*sizes, *more, shapes=shapes(names, *sizes), **options)
    silent = [] if speaking is None else [name for name in names if name not in speaking]

    def make(answer):
        module = build(answer)
        set_to(module, {f"{name}.{LAST[name]}.{part}": 0.0 for name in silent for part in ("weight", "bias")})
        return module

    return make


def without_norms(module, names):
    """Put identities in the place of the norms, so that post-norm shows what is added."""
    for number in range(1, len(names) + 1):
        setattr(unwrapped(module), f"norm_{number}", nn.Identity())
    return module


def dropped(names, inputs, dropout):
    """Make the case that listens to one sublayer after the other while dropout falls."""

    def look(answer, x, *more):
        for norm_first, name in product((True, False), names):
            options = {"dropout": dropout, "norm_first": norm_first, "activation": "gelu"}
            if not norm_first:
                silent = without_norms(making_block(names, speaking=[], **options)(answer), names)
                if not same(silent.eval()(x, *more), x):
                    continue  # the block does not take its norms by their names
            module = making_block(names, speaking=[name], **options)(answer)
            if name == "feed_forward":
                set_to(module, {f"{name}.linear_2.weight": torch.eye(12, 17), f"{name}.linear_2.bias": 0.0})
            if not norm_first:
                without_norms(module, names)
            said, seen = module.eval()(x, *more) - x, module.train()(x, *more) - x
            times = 2 if name == "feed_forward" else 1  # on its activations, and on what it adds
            require_dropped(seen, said, 1 - dropout, times, f"norm_first={norm_first}: the numbers that {name} adds")

    return Case(f"dropout = {dropout}, training mode, one sublayer speaks", inputs(6, 20), look, right=None)


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

    def step(name, norm_first):
        norm = f"norm_{names.index(name) + 1}"
        words = Wrong(f"the step around {name}: what it reads, what is added to what, or where {norm} stands",
                      f"only {name} says something", PARTS)  # fmt: skip
        return case(f"norm_first={norm_first}, only {name} says something", speaking=[name], norm_first=norm_first,
                    words=words)  # fmt: skip

    for norm_first, silent in ((False, "x after one norm after the other"), (True, "x itself, unchanged")):
        order, o = f"norm_first={norm_first}", {"norm_first": norm_first}
        task.require(
            f"{order}: when the sublayers say nothing, {silent} comes out",
            silent,
            [
                case(
                    f"{order}, the sublayers say nothing (weights and biases of their last layers are 0)",
                    speaking=[],
                    **o,
                )
            ],
            hint="follow x alone, line by line: which operations does it go through?",
        )
        task.require(
            f"{order}: what each sublayer reads, where it is added, what is normalised",
            f"for each sublayer in turn {'x + sublayer(norm(x))' if norm_first else 'norm(x + sublayer(x))'}",
            [*(step(name, norm_first) for name in names), case(f"{order}, d_model = 12, 3 heads, d_ff = 17", **o)],
            [case(f"{order}, one head", (2, 4), (6, 1, 9), **o), case(f"{order}, one word", (2, 1), (8, 2, 11), **o),
             case(f"{order}, as many of everything", (4, 4), (4, 4, 4), **o)],
            PARTS,
        )  # fmt: skip
    task.require(
        "masks arrive where they belong, in every call anew",
        "the attention sees what its mask allows, and nothing else",
        [case(f"norm_first={order}, {words}", given=given, norm_first=order)
         for order in (False, True) for words, given in masks.items()]
        + [case("a call without masks after one with them", then=forgetting, given=list(masks.values())[-1])],
        [case(f"norm_first={order}, other sizes, {words}", (3, 4), (9, 3, 7), given=given, norm_first=order)
         for order in (False, True) for words, given in masks.items()],
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
         dropped(names, inputs, 0.2)],
        [case("dropout = 0.3, evaluation mode", (3, 4), (8, 2, 6), evaluate=True, words=LATER, dropout=0.3,
              norm_first=True), dropped(names, inputs, 0.4)],
    )  # fmt: skip
    task.require(
        "gradients reach the inputs and every parameter",
        "the derivative of the formula",
        [case(f"the gradients of the parameters, norm_first={order}", then=parameter_gradients, norm_first=order)
         for order in (False, True)] + [case("the gradients of the inputs", then=gradients_of)],
        [case("the gradients of the inputs, norm_first=True", (3, 4), (8, 2, 9), then=gradients_of, norm_first=True)],
    )  # fmt: skip


def forgetting(module, *inputs):
    """Call with masks, and observe a second call without them."""
    module(*inputs)
    return module(*(x for x in inputs if x is not None and x.is_floating_point()))
