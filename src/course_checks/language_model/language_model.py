"""Task `LanguageModel` of exercise 13: what may move which logits first, the numbers after that."""

import torch
from torch import nn

from course_checks.cases import Case, Draw, refuses
from course_checks.language_model.shared import UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor, same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import TorchBlock
from course_checks.transformer_blocks.encoder_block import make
from course_checks.words import Finding, Wrong

task = Task("LanguageModel", UNIT, ("multi_head_attention_forward", "transformer_encoder_layer"))
SIZES = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20, "max_length": 9}
_LAST = "change the last token, and see which logits move"
_ROW = "print the mask for three tokens and read its first row; True means `may be attended to`"
_NEW = "make a new block in each turn of a loop or comprehension"
_FOLLOW = "follow the argument from `__init__` to every layer that takes it"
_LINES = "write down what each line of `forward` reads, and compare with the task"
_TABLE = "`self.token.weight` has a row for each token: which product compares x with every row?"
_SUM = "token and position are looked up and added, nothing else"


class Model(nn.Module):
    """A language model with the choices in ``wrong``; without any, it is right: torch's encoder under a mask."""

    wrong: dict[str, str] = {}
    block = TorchBlock
    mask_name = "src_mask"

    def __init__(
        self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0
    ):  # fmt: skip
        super().__init__()
        chose = self.chose
        self.max_length = max_length
        self.token = nn.Embedding(vocab_size, d_model, padding_idx=0 if chose("sizes", "padding") else None)
        self.position = nn.Embedding(max_length, d_model)
        inside = 0.0 if chose("dropout", "blocks", "nowhere") else dropout
        heads, width = 1 if chose("sizes", "one head") else num_heads, 4 * d_model if chose("sizes", "d_ff") else d_ff
        heads = num_layers if chose("sizes", "layers as heads") else heads
        activation = "relu" if chose("blocks", "relu") else "gelu"
        number = 1 if chose("blocks", "one") else num_layers
        blocks = [
            self.block(d_model, heads, width, inside, activation, not chose("blocks", "post")) for _ in range(number)
        ]
        blocks = blocks[:1] * number if chose("blocks", "one object") else blocks
        self.blocks = blocks if chose("blocks", "plain list") else nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(0.0 if chose("dropout", "embedding", "nowhere") else dropout)
        if chose("output", "own layer"):
            self.output = nn.Linear(d_model, vocab_size, bias=False)
        if chose("output", "bias"):
            self.bias = nn.Parameter(torch.zeros(vocab_size))

    def chose(self, dimension, *choices):
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices

    def _mask(self, length):
        allowed = torch.ones(length, length, dtype=torch.bool)
        masks = {"none": allowed, "inverted": ~allowed.tril(), "transposed": allowed.triu(),
                 "one ahead": allowed.tril(1), "strict": allowed.tril(-1)}  # fmt: skip
        mask = masks.get(self.wrong.get("future"), allowed.tril())
        if self.chose("future", "strict"):
            return mask  # the first position sees nothing: what comes of that is the block's affair
        return mask | torch.eye(length, dtype=torch.bool) & ~mask.any(1, keepdim=True)

    def _embed(self, tokens):
        length, chose = tokens.shape[1], self.chose
        places = torch.arange(length)
        if chose("positions", "from 1"):
            places = (places + 1).clamp(max=self.max_length - 1)
        elif chose("positions", "from the end"):
            places = self.max_length - length + places
        elif chose("positions", "backwards"):
            places = places.flip(0)
        found = self.position(places)
        if chose("positions", "none"):
            found = found * 0
        elif chose("positions", "by token"):
            found = self.position(tokens % self.max_length)
        x = self.token(tokens)
        x = x * x.shape[-1] ** 0.5 if chose("positions", "scaled") else x
        if chose("dropout", "apart"):
            return self.drop(x) + self.drop(found)
        if chose("dropout", "token", "position"):
            return self.drop(x) + found if chose("dropout", "token") else x + self.drop(found)
        return self.drop(x + found)

    def forward(self, tokens):
        """Read and compare with every token."""
        chose, start = self.chose, self._embed(tokens)
        x, mask = start, self._mask(tokens.shape[1])
        blocks = list(self.blocks)[::-1] if chose("blocks", "backwards") else list(self.blocks)
        x = self.norm(x) if chose("norm", "in front") else x
        for block in blocks[:1] if chose("blocks", "first only") else blocks:
            x = x + self.position.weight[: tokens.shape[1]] if chose("positions", "in every block") else x
            x = block(start if chose("blocks", "not chained") else x, **{self.mask_name: mask})
            x = self.norm(x) if chose("norm", "between") else x
        x = x if chose("norm", "not called", "in front", "between") else self.norm(x)
        x = self.norm(x) if chose("norm", "twice") else x
        table = self.token.weight.detach() if chose("output", "detached") else self.token.weight
        logits = self.output(x) if chose("output", "own layer") else x @ table.T
        logits = logits + self.bias if chose("output", "bias") else logits
        logits = logits * x.shape[-1] ** -0.5 if chose("output", "scaled") else logits
        logits = logits[:, -1] if chose("output", "last position") else logits
        return {"softmax": logits.softmax(-1), "log_softmax": logits.log_softmax(-1)}.get(
            self.wrong.get("output"), logits
        )


task.oracle(Model)


CHOICES = dict(
    future={
        "none": Wrong("no causal mask: the blocks get None, or a mask that is True everywhere", "", _LAST),
        "inverted": Wrong("the causal mask is inverted: it hides the past and shows the future", "", _ROW),
        "transposed": Wrong("the causal mask is transposed: each position sees itself and what comes later", "", _ROW),
        "one ahead": Wrong("the causal mask is one step off: each position sees the next token, its own label", "",
                           _ROW),
        "strict": Wrong("the causal mask is one step off: a position does not see itself", "", _ROW),
    },
    positions={
        "none": Wrong("the positions are not added", "", _SUM),
        "from 1": Wrong("the positions begin at 1, not at 0", "", "print the positions that you look up"),
        "from the end": Wrong("the last rows of the table are used, not the first", "",
                              "print the positions that you look up"),
        "backwards": Wrong("the positions run backwards", "", "print the positions that you look up"),
        "in every block": Wrong("the positions are added again in front of every block", "", _SUM),
        "by token": Wrong("the position table is asked for the tokens, not for their places", "",
                          "print the positions that you look up"),
        "scaled": Wrong("the token embedding is multiplied by sqrt(d_model), as in unit 10; here it is not", "", _SUM),
    },
    blocks={
        "post": Wrong("the blocks normalise behind each sublayer: `norm_first=True` is missing", "", _FOLLOW),
        "relu": Wrong("the blocks use ReLU: `activation=\"gelu\"` is missing", "", _FOLLOW),
        "one": Wrong("the number of blocks does not follow `num_layers`", "", _NEW),
        "one object": Wrong("the blocks are one object several times, as `[block] * n` makes it: they share their "
                            "weights", "", _NEW),
        "plain list": Wrong("the blocks are kept in a plain list, which nn.Module does not see", "",
                            "`nn.ModuleList(...)` holds modules that the model shall know of"),
        "backwards": Wrong("the blocks run from the last to the first", "", _LINES),
        "first only": Wrong("only the first block runs: a `return` inside the loop, or no loop", "",
                            "print something in the loop: how often does it appear?"),
        "not chained": Wrong("each block reads the embeddings, not what the block before it returned", "", _LINES),
    },
    norm={
        "not called": Wrong("the last norm exists, but nothing calls it", "", _LINES),
        "twice": Wrong("the last norm is called twice", "", _LINES),
        "in front": Wrong("`norm` stands before the blocks, not behind the last one", "", _LINES),
        "between": Wrong("`norm` is called behind every block, not behind the last alone", "", _LINES),
    },
    output={
        "own layer": Wrong("the output has a matrix of its own; it is to be that of the token embedding", "", _TABLE),
        "bias": Wrong("the output has a bias", "", _TABLE),
        "detached": Wrong("the token table is cut off from the graph at the output (`.data`, `.detach()`)", "",
                          "which gradient has token.weight, for a token that stands in no text?"),
        "scaled": Wrong("the logits are divided by sqrt(d_model)", "", _TABLE),
        "softmax": Wrong("softmax at the end; logits are wanted", "each row sums to 1", "the loss applies it itself"),
        "log_softmax": Wrong("log_softmax at the end; logits are wanted", "logarithms of probabilities",
                             "the loss applies it itself"),
        "last position": Wrong("only the logits of the last position are returned", "", "training needs all of them"),
    },
    sizes={
        "layers as heads": Wrong("the number of layers is handed to the blocks as the number of heads", "", _FOLLOW),
        "padding": Wrong("the token table has a `padding_idx`: token 0 is a character like others, and its row gets no "
                         "gradient from the texts in which it stands", "", "a text without padding needs none"),
        "one head": Wrong("`num_heads` does not reach the blocks", "", _FOLLOW),
        "d_ff": Wrong("`d_ff` does not reach the blocks", "", _FOLLOW),
    },
    dropout={
        "embedding": Wrong("dropout does not fall on the sum of token and position", "", _FOLLOW),
        "blocks": Wrong("`dropout` does not reach the blocks", "", _FOLLOW),
        "token": Wrong("dropout falls on the token embedding alone, not on the sum of token and position", "",
                       _FOLLOW),
        "position": Wrong("dropout falls on the position embedding alone, not on the sum of token and position", "",
                          _FOLLOW),
        "apart": Wrong("token and position are dropped apart, each before the sum: a number of the sum is 0 only where "
                       "both are", "", _FOLLOW),
        "nowhere": Wrong("`dropout` does not reach any layer", "", _FOLLOW),
    },
)  # fmt: skip


@task.builds(**CHOICES)
def language_model(**chosen):
    """Make the class with these mistakes."""
    return type("LanguageModel", (Model,), {"wrong": chosen, "block": make(), "mask_name": "mask"})


def made(answer, vocab_size=11, train=False, **options):
    """Make a model with known weights."""
    model = built(answer, vocab_size, **(SIZES | options))
    unwrapped(model).train(train)
    return model


def said(answer, tokens, options):
    """Observe the logits."""
    return made(answer, **options)(tokens)


def left_out(answer, tokens):
    """Observe the logits of a model for which nothing but the vocabulary was said, in training mode."""
    model = built(answer, 11)
    unwrapped(model).train()
    return {"sizes": shapes(model), "logits": model(tokens)}


left_out.words = Wrong("a default of the constructor is not that of the task", "another model is made",
                       "compare the first lines of `__init__` with those of the first version")  # fmt: skip


def slopes(answer, tokens, options):
    """Observe the gradients of the parameters."""
    return parameter_gradients(made(answer, **options), tokens)


def drawn(batch, length, **options):
    """Draw tokens."""
    return lambda draw: (draw.integers(0, options.get("vocab_size", 11), batch, length), options)


@task.probe("every layer is there, with its size", "the parameters that the task names, in its sizes",
            "a layer that is missing, has another name, or is one too many",
            "print `dict(model.named_parameters()).keys()`, and compare with the names in the task")  # fmt: skip
def layers(answer):
    """The layers of a model with 2 and with 3 blocks."""
    for number in (2, 3):
        raw = unwrapped(made(answer, num_layers=number))
        blocks = getattr(raw, "blocks", None)
        known = CHOICES["blocks"]
        if type(blocks) in (list, tuple):
            found = f"blocks is a {type(blocks).__name__}", known["plain list"]
        elif isinstance(blocks, nn.ModuleList) and len({id(block) for block in blocks}) < len(blocks):
            found = f"{len(blocks)} blocks are one and the same", known["one object"]
        elif isinstance(blocks, nn.ModuleList) and len(blocks) != number:
            found = f"blocks holds {len(blocks)} blocks, where num_layers is {number}", known["one"]
        else:
            require_parameters(raw, shapes(Model(11, **(SIZES | {"num_layers": number}))))
            continue
        raise Finding(found[0], "a new block for every layer, in an nn.ModuleList", found[1].cause, found[1].hint)
    return None


@task.probe("no position sees a later token", "logits that stay: position t sees the tokens up to t",
            "no causal mask, or one that hides the wrong side or is one step off",
            "change the last token, and see which logits move")  # fmt: skip
def future(answer):
    """A later token is changed."""
    model, tokens = made(answer), torch.tensor([[3, 1, 4, 1, 5, 9], [2, 6, 5, 3, 5, 8]])
    other = tokens.clone()
    other[0, 4] = 10
    before, after = model(tokens), model(other)
    if not is_tensor(before) or before.shape != (2, 6, 11):
        return None  # the comparison of numbers says more
    moved = [t for t in range(4) if not same(after[0, t], before[0, t])]
    if moved:
        return f"the token at position 4 became another one, and the logits at {moved} before it moved"
    return None if not same(after[0, 4], before[0, 4]) else "the token at position 4 became another one, and its " \
        "own logits did not move"  # fmt: skip


@task.probe("in evaluation mode nothing is dropped", "the same result from the same call",
            "dropout stays on in evaluation mode, or something else is drawn at random",
            "nn.Dropout layers follow the mode of the model")  # fmt: skip
def at_random(answer):
    """Two calls in evaluation mode, dropout=0.5."""
    model, tokens = made(answer, dropout=0.5), torch.tensor([[3, 1, 4, 1, 5]])
    return None if same(model(tokens), model(tokens)) else "two calls give different logits"


EXPECTED = "at each position one logit a token, from the tokens up to it"
task.require(
    "the logits are those of encoder blocks under a causal mask",
    EXPECTED,
    [Case("2 texts of 6 tokens", drawn(2, 6), said), Case("one token", drawn(3, 1), said),
     Case("as many tokens as max_length", drawn(2, 9), said)],
    [Case("one head, one block", drawn(2, 5, num_heads=1, num_layers=1), said),
     Case("3 blocks, another vocabulary", drawn(4, 4, num_layers=3, vocab_size=7), said),
     Case("other sizes", drawn(3, 8, d_model=8, num_heads=4, d_ff=10, max_length=30), said)],
    "compare with the steps of the task, one after the other: print x behind each of them",
)  # fmt: skip
task.require(
    "sizes that are left out are those of the task",
    "the defaults of the first version of the cell",
    [Case("nothing but vocab_size is given", lambda draw: (draw.integers(0, 11, 1, 3),), left_out)],
)
task.require(
    "dropout falls on the embeddings and in the blocks, in training alone",
    "with dropout=1 nothing but the shift of the last norm is left, in training",
    [Case("dropout=1, training mode", drawn(2, 6, dropout=1.0, train=True), said)],
    [Case("dropout=1, training mode, other sizes", drawn(2, 4, dropout=1.0, train=True, num_layers=1), said)],
)


@task.probe("dropout falls on the sum of token and position", "each number of the sum is dropped as one, in training",
            CHOICES["dropout"]["apart"].cause, _FOLLOW)  # fmt: skip
def on_the_sum(answer):
    """dropout=0.5, training mode, and blocks that add nothing."""
    model = made(answer, d_model=8, num_heads=2, dropout=0.5, train=True)
    with torch.no_grad():
        parameters = dict(unwrapped(model).named_parameters())
        for name, parameter in parameters.items():
            if name.startswith(("blocks.", "norm.")):
                parameter.fill_(float(name == "norm.weight"))
        logits = model(Draw("dropped").integers(0, 11, 40, 9))
        if not is_tensor(logits) or logits.shape != (40, 9, 11):
            return None
        normed = torch.linalg.lstsq(parameters["token.weight"], logits.flatten(0, 1).T).solution.T  # (360, 8)
    alike = torch.isclose(normed[:, :, None], normed[:, None], atol=1e-6).sum(-1).amax(-1)  # dropped numbers are equal
    few = alike.double().mean() / 8 < 0.4  # of the sum about a half; of the two parts apart about a quarter
    return "about a quarter of the sum is 0, where a half should be" if few else None


task.require(
    "gradients reach every parameter",
    "the derivative of the logits with respect to every parameter",
    [Case("the gradients, 2 texts of 6 tokens", drawn(2, 6), slopes)],
    [Case("the gradients, one block", drawn(2, 9, num_layers=1), slopes)],
)


def refusing(situation, tokens, **options):
    """Make the case of a call that is refused."""
    return Case(situation, (), lambda answer: refuses()(made(answer, **options), tokens), right=True)


task.limits(
    "wrong input",
    [
        refusing("more tokens than max_length", torch.zeros(1, 10, dtype=torch.long)),
        refusing("tokens without a batch", torch.zeros(4, dtype=torch.long)),
        refusing("tokens that are no integers", torch.zeros(1, 4)),
    ],
)
