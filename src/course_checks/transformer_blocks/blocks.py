"""What the two blocks of exercise 09 share: torch's layer as the oracle, their mistakes, and the requirements."""

from itertools import combinations, product

import torch
from torch import nn
from torch.func import functional_call

from course_checks.cases import Case
from course_checks.modules import parameter_gradients, unwrapped
from course_checks.outcomes import same
from course_checks.programs import programs
from course_checks.transformer_blocks.shared import (
    ALONE,
    DROPOUT,
    INSIDE,
    LATER,
    UNIT,
    WITHIN,
    forgetting,
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
_SIGNATURE = "compare the signature with that of the task"


class TorchBlock(nn.Module):
    """torch's own layer, computed with the parameters of the task."""

    names, kind = ("self_attention", "feed_forward"), nn.TransformerEncoderLayer

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, activation="relu", norm_first=False):
        super().__init__()
        for number, name in enumerate(self.names, start=1):
            maps = {"linear_1": (d_model, d_ff), "linear_2": (d_ff, d_model)}
            maps = maps if name == "feed_forward" else dict.fromkeys(PROJECTIONS, (d_model, d_model))
            self.add_module(name, nn.ModuleDict({part: nn.Linear(*sizes) for part, sizes in maps.items()}))
            self.add_module(f"norm_{number}", nn.LayerNorm(d_model))
        self.heads = num_heads
        self.layer = [self.kind(d_model, num_heads, d_ff, dropout, activation, batch_first=True, norm_first=norm_first)]

    def forward(self, *inputs, **masks):
        """Compute torch's layer; its masks say what is hidden, for each sentence and head."""
        batch, length, _ = inputs[0].shape
        for name, mask in masks.items():
            about = inputs[-1].shape[1] if name == "memory_mask" else length
            masks[name] = None if mask is None else ~mask.expand(batch, self.heads, length, about).flatten(0, 1)
        weights = torch_names(dict(self.named_parameters()))
        return functional_call(self.layer[0].train(self.training), weights, inputs, masks)


RIGHT = {False: "norm(x + f(x))", True: "x + f(norm(x))"}
_BOTH = {
    "x + norm(f(x))": "what the sublayer says is normalised before it is added",
    "x + f(x)": "the norm is not used",
    "norm(x + f(norm(x)))": "the norm acts twice, before the sublayer and on the sum",
    "norm(x) + f(x)": "the norm acts on x alone, on the residual path",
    "norm(x) + f(norm(x))": "x is normalised before it is added, as after `x = norm(x)`: the residual starts from the "
    "normalised x",
}
_NO_RESIDUAL = "x is not added to what the sublayer says: the residual connection is missing"
RULES = {
    False: _BOTH | {"norm(f(x))": _NO_RESIDUAL, "x + norm(x + f(x))": "x is added once more, to the normalised sum"},
    True: _BOTH | {"f(norm(x))": _NO_RESIDUAL, "x + norm(f(norm(x)))": _BOTH["x + norm(f(x))"]},
}
_DROPS = {  # for both orders, at all sublayers or one: `say` is a sublayer without dropout
    "dropout falls on what {} reads, not on what it says": ("norm(x + say(drop(x)))", "x + say(drop(norm(x)))"),
    "dropout falls on what {} reads, as well as on what it says": ("norm(x + f(drop(x)))", "x + f(drop(norm(x)))"),
    "dropout is missing on what {} says": ("norm(x + say(x))", "x + say(norm(x))"),
    "dropout falls on the sum, with x in it, not on what {} says alone": (
        "norm(drop(x + say(x)))", "drop(x + say(norm(x)))"),
    "dropout falls behind the norm, not on what a sublayer says alone": (
        "drop(norm(x + say(x)))", "drop(x + say(norm(x)))"),
}  # fmt: skip


def add_mistakes(task, says):
    """Add what goes wrong in a block.

    Args:
        task: the task.
        says: for the name of each sublayer, what calls it with ``read``.
    """
    spoken, calls, last = [name.replace("_", "-") for name in says], list(says.values()), len(says) - 1
    places = range(len(says))
    lines = [line.strip() for line in programs(UNIT)[task.name].partition("if self.norm_first:\n")[2].splitlines()]
    lines[:2] = ["\n".join(lines[:2])]  # in front of the first sublayer a line makes what it reads
    line = {(order, place): lines[place + len(says) * (not order)] for order in RIGHT for place in places}

    def step(order, place, rule="", who=None, norm=None):
        call = calls[place if who is None else who]
        return (
            f"drop, norm = self.dropout, self.norm_{(place if norm is None else norm) + 1}\n"
            f"say, f = lambda read: {call}, lambda read: drop({call})\n"
            f"{'return' if place == last else 'x ='} {rule or RIGHT[order]}"
        )

    def add(order, cause, hint, steps, kept=None):  # in front of the sublayer `kept` the old x is
        changes = {} if kept is None else {line[order, kept]: f"old = x\n{line[order, kept]}"}
        changes |= {line[order, place]: step(order, place, *given) for place, given in steps.items()}
        task.edit_places(changes, f"with norm_first={order} {cause}", hint)

    for order, place in line:
        who, which = spoken[place], f"with norm_first={order}"
        wrong = {rule: (f"{which} {cause}, around the {who}", SILENT) for rule, cause in RULES[order].items()}
        silent = f"{which} the {who} is not called, or its result is not added", PARTS
        wrong |= dict.fromkeys(["x"] if order else ["x", "norm(x)"], silent)
        if order and place == last:
            behind = f"{which} a norm stands behind the last sum; in this order it belongs to the model"
            wrong["norm(x + f(norm(x)))"] = behind, SILENT
        shared = f"{which} norm_{{}} serves the {who} too, norm_{place + 1} is not used"
        task.edit(line[order, place], {step(order, place, rule): words for rule, words in wrong.items()} | {
            step(order, place, "", place, kept): (shared.format(kept + 1), PARTS) for kept in places if kept != place
        })  # fmt: skip
    for order in RIGHT:
        for rule, cause in RULES[order].items():
            add(order, cause, SILENT, {place: [rule] for place in places})
        for i, j in combinations(places, 2):
            pair = f"{spoken[i]} and {spoken[j]}"
            add(order, f"{pair} come in each other's place", PARTS, {i: ["", j, j], j: ["", i, i]})
            add(order, f"{pair} come in each other's place", PARTS, {i: ["", j, i], j: ["", i, j]})
            add(order, f"the norms of {pair} are exchanged", PARTS, {i: ["", i, j], j: ["", j, i]})
            stale = (f"the {spoken[j]} reads an x from before the {spoken[i]}: that x, or its normalised form, is used "
                     "again after x has changed")  # fmt: skip
            once = f"self.norm_{i + 1}(old)"
            for read in ("norm(old)", once, f"norm({once})") if order else ("old",):
                add(order, stale, PARTS, {j: [f"x + f({read})" if order else f"norm(x + f({read}))"]}, i)
        for j in places[1:]:
            start = f"the residual around the {spoken[j]} starts from the input of the block, not from the last sum"
            add(order, start, PARTS, {j: [RIGHT[order].replace("x + ", "old + ")]}, 0)
        if last > 1:
            beside = ["x + f(norm(old))" if order else "norm(x + f(old))"]
            add(order, "all sublayers read the input of the block", PARTS, dict.fromkeys(places[1:], beside), 0)
    for cause, rules in _DROPS.items():
        for group, who in [(places, "each sublayer"), *(((place,), f"the {spoken[place]}") for place in places)]:
            if "missing" not in cause if len(group) > 1 else "{}" in cause:
                changes = {line[order, place]: step(order, place, rules[order]) for order in RIGHT for place in group}
                task.edit_places(changes, cause.format(who), INSIDE)
    for (order, place), cause in product(line, [each for each in _DROPS if "missing" in each or "sum" in each]):
        who = "a sublayer" if order and "sum" in cause else f"the {spoken[place]}"  # with dropout = 1 all lose x
        words = f"with norm_first={order} {cause.format(who)}", INSIDE
        task.edit(line[order, place], {step(order, place, _DROPS[cause][order]): words})
    # fmt: off
    task.edit("nn.Dropout(dropout)", DROPOUT)
    task.edit("FeedForward(d_model, d_ff", {f"FeedForward(d_model, {width}": (
        "`d_ff` is not handed on to the feed-forward network: its width is another", _FEED)
        for width in ("4 * d_model", "2048", "d_model")})
    task.edit(", dropout, activation)", {
        ", dropout)": ("activation is not handed on to the feed-forward network, or not used there", _FEED),
        ', dropout, "gelu" if activation == "relu" else "relu")': (
            "inside feed_forward relu and gelu change places", ALONE),
        ", 0.0, activation)": ("dropout is not handed on to the feed-forward network", _FEED)})
    (task.edit_all if last > 1 else task.edit)("MultiHeadAttention(d_model, num_heads)", {
        "MultiHeadAttention(d_model, num_heads, dropout)": (
            "an extra argument was passed to MultiHeadAttention: its third one is `bias`",
            "give it d_model and num_heads alone"),
        "MultiHeadAttention(d_model, 1)": (
            "num_heads is not handed on to MultiHeadAttention", "compare with the task")})
    task.edit_places({f"self.norm_{place + 1} = LayerNorm(d_model)": f"self.norm_{place + 1} = self.norm_1"
                      for place in places[1:]},
                     "one LayerNorm serves several sublayers, or one is missing; each sublayer has its own",
                     "make each of them: `self.norm_1 = LayerNorm(d_model)`, and so on")
    task.edit("if self.norm_first:", {
        "if not self.norm_first:": ("norm_first is used the wrong way round", SILENT),
        "if False:": ("norm_first=True is not heeded: the norm always comes behind the sum", SILENT),
        "if True:": ("norm_first=False is not heeded: the norm always comes first", SILENT)})
    task.edit_all("self.feed_forward(", {f"(lambda z: {said})(": (cause, ALONE) for said, cause in WITHIN.items()})
    for argument, default in ("norm_first: bool = False", "True"), ('activation: str = "relu"', '"gelu"'), (
            "dropout: float = 0.0", "0.1"):
        name, other = argument.partition(":")[0], f"{argument.partition('=')[0]}= {default}"
        task.edit(argument, {other: (f"`{name}` has another default than in the task", _SIGNATURE)})
    task.edit("(y, y, y, ", {
        "(y, x, x, ": ("with norm_first=True only the queries of the self-attention are normalised, keys and values "
                       "are not", "give the normalised x to all three"),
        "(y, y, x, ": ("with norm_first=True the values of the self-attention are not normalised",
                       "give the normalised x to all three")})
    mask = says["self_attention"].split(", ")[-1]
    task.edit_all(mask, {mask.replace("[0]", "[1]"): (
        "the weights of the attention are added, not its output", "the output comes first")})
    # fmt: on


def making_block(right, sizes=(12, 3, 17), *more, speaking=None, **options):
    """Say how a block is made; ``speaking`` names the sublayers that say something, where not all do."""
    last = [f"{name}.{'linear_2' if name == 'feed_forward' else 'w_output'}" for name in right.names
            if speaking is not None and name not in speaking]  # fmt: skip

    def make(answer):
        module = making(right, *sizes, *more, **options)(answer)
        set_to(module, {f"{name}.{part}": 0.0 for name in last for part in ("weight", "bias")})
        return module

    return make


def dropped(right, inputs, dropout, norm_first, name):
    """Make the case that listens to one sublayer while dropout falls."""
    options = {"dropout": dropout, "norm_first": norm_first, "activation": "gelu"}

    def build(answer, *speaking):
        module = making_block(right, speaking=speaking, **options)(answer)
        if "feed_forward" in speaking:  # behind an identity all of its activations show
            set_to(module, {"feed_forward.linear_2.weight": torch.eye(12, 17), "feed_forward.linear_2.bias": 0.0})
        for number in range(1, 1 if norm_first else len(right.names) + 1):
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


# fmt: off
def require_block(task, right, inputs, masks):
    """Add the requirements of a block.

    Args:
        task: the task.
        right: the oracle.
        inputs: makes from sizes ``(batch, length, d_model, num_heads)`` and keywords what draws a block's arguments.
        masks: for each situation with masks, keywords of ``inputs``.
    """
    names, orders = right.names, (False, True)

    def case(situation, sizes=(2, 5), block=(12, 3, 17), *more, given=None, then=None, evaluate=False, words=None, **o):
        make = making_block(right, block, *more, **o)
        return Case(situation, inputs(*sizes, *block[:2], **given or {}), observing(make, then, evaluate, words))

    path = Wrong("on the path of x itself there is a norm too many or too few, or they come in another order",
                 "what comes out is not that", "follow x alone, line by line: what does it go through?")
    for norm_first, silent in ((False, "x after one norm after the other"), (True, "x itself, unchanged")):
        order, o = f"norm_first={norm_first}", {"norm_first": norm_first}
        steps = []
        for n, name in enumerate(names, start=1):
            words = Wrong(f"the step around {name}: what it reads, what is added to what, or where norm_{n} stands",
                          "with the sublayers before it everything was right", PARTS)
            who = "every sublayer says" if n == len(names) else f"only {' and '.join(names[:n])} say{'s' * (n == 1)}"
            steps.append(case(f"{order}, {who} something", speaking=names[:n], words=words, **o))
        task.require(
            f"{order}: {silent}, when the sublayers say nothing", silent,
            [case(f"{order}, the sublayers say nothing: their last layers are 0", speaking=[], words=path, **o)])
        task.require(
            f"{order}: what each sublayer reads, where it is added, what is normalised",
            f"for each sublayer in turn {'x + sublayer(norm(x))' if norm_first else 'norm(x + sublayer(x))'}",
            steps,
            [case(f"{order}, one head", (2, 4), (6, 1, 9), **o), case(f"{order}, one word", (2, 1), (8, 2, 11), **o),
             case(f"{order}, as many of everything", (4, 4), (4, 4, 4), **o)],
            PARTS)
    kept = Wrong("masks of an earlier call are kept for calls without them", "the result depends on the call before",
                 "where do the masks live?")
    task.require(
        "masks arrive where they belong, in every call anew",
        "the attention sees what its mask allows, and nothing else",
        [case(f"norm_first={order}, {words}", given=given, norm_first=order)
         for order, (words, given) in product(orders, masks.items())]
        + [case("a call without masks after one with them", then=forgetting, given=[*masks.values()][-1], words=kept)],
        [case(f"norm_first={order}, other sizes, {words}", (3, 4), (9, 3, 7), given=given, norm_first=order)
         for order, (words, given) in product(orders, masks.items())],
        "hand each mask on as it is")
    task.require(
        "activation and norm_first, by name, by position or left out", "the signature of the task, with its defaults",
        [case("activation='gelu'", activation="gelu"), case("norm_first and activation left out of the call"),
         case("all arguments by position", (2, 5), (12, 3, 17), 0.0, "gelu", True)],
        [case("gelu, one head", (2, 4), (6, 1, 9), activation="gelu", norm_first=True)])
    added = Wrong("dropout is missing on what a sublayer adds, or has another probability, or falls on x too",
                  "with dropout = 1 something else comes out than x and its norms", INSIDE)
    task.require(
        "dropout falls on what each sublayer adds and inside the feed-forward network, in training alone",
        "what a sublayer says is dropped before it is added; in evaluation mode nothing is",
        [case("dropout = 0.5, evaluation mode", evaluate=True, words=LATER, dropout=0.5),
         *(case(f"dropout = 1, training mode, norm_first={order}", dropout=1.0, norm_first=order, words=added)
           for order in orders), *(dropped(right, inputs, 0.2, *each) for each in product((True, False), names))],
        [case("dropout = 0.3, evaluation mode", (3, 4), (8, 2, 6), evaluate=True, words=LATER, dropout=0.3,
              norm_first=True), *(dropped(right, inputs, 0.4, True, name) for name in names)])
    task.require(
        "gradients reach the inputs and every parameter", "the derivative of the formula",
        [case(f"the gradients of the parameters, norm_first={order}", then=parameter_gradients, norm_first=order)
         for order in orders] + [case("the gradients of the inputs", then=gradients_of)],
        [case("the gradients of the inputs, norm_first=True", (3, 4), (8, 2, 9), then=gradients_of, norm_first=True)])
