"""Task `LanguageModel` of exercise 13: what may move which logits first, the numbers after that."""

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, Draw, refuses
from course_checks.language_model.shared import UNIT
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.outcomes import is_tensor, same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.transformer_blocks.blocks import TorchBlock
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


@task.oracle
class Model(nn.Module):
    """torch's encoder under a mask, between one table of tokens and itself."""

    def __init__(
        self, vocab_size, d_model=128, num_heads=4, num_layers=2, d_ff=512, max_length=128, dropout=0.0
    ):  # fmt: skip
        super().__init__()
        self.token, self.position = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList(
            TorchBlock(d_model, num_heads, d_ff, dropout, "gelu", True) for _ in range(num_layers)
        )
        self.norm, self.drop = nn.LayerNorm(d_model), nn.Dropout(dropout)

    def forward(self, tokens):
        """Read and compare with every token."""
        length = tokens.shape[1]
        x = self.drop(self.token(tokens) + self.position.weight[:length])
        for block in self.blocks:
            x = block(x, src_mask=torch.ones(length, length).tril().bool())
        return F.linear(self.norm(x), self.token.weight)


# fmt: off
_SHARED = ("the blocks are one object several times, as `[block] * n` makes it: they share their weights", _NEW)
_PLAIN = ("the blocks are kept in a plain list, which nn.Module does not see", "`nn.ModuleList(...)` holds modules "
          "that the model shall know of")  # fmt: skip
_NUMBER = ("the number of blocks does not follow `num_layers`", _NEW)
_APART = ("token and position are dropped apart, each before the sum: a number of the sum is 0 only where both are",
          _FOLLOW)  # fmt: skip
_PLACES = "print the positions that you look up"
_INVERTED = "the causal mask is inverted: it hides the past and shows the future", _ROW
task.edit("causal_mask(length)", {
    "None": ("no causal mask: the blocks get None, or a mask that is True everywhere", _LAST),
    "~causal_mask(length) | torch.eye(length, dtype=torch.bool)": _INVERTED, "~causal_mask(length)": _INVERTED,
    "causal_mask(length).T": ("the causal mask is transposed: each position sees itself and what comes later", _ROW),
    "causal_mask(length + 1)[1:, 1:].tril(-1) | torch.eye(length, dtype=torch.bool)[:1]": (
        "the causal mask is one step off: a position does not see itself", _ROW),
    "torch.ones(length, length).tril(1).bool()": (
        "the causal mask is one step off: each position sees the next token, its own label", _ROW),
})
_ONE = "every token gets one and the same position vector", _PLACES
task.edit("self.position(torch.arange(length))", {
    "0": ("the positions are not added", _SUM),
    "self.position((torch.arange(length) + 1).clamp(max=self.max_length - 1))": (
        "the positions begin at 1, not at 0", _PLACES),
    "self.position.weight[-length:]": ("the last rows of the table are used, not the first", _PLACES),
    "self.position(torch.arange(length).flip(0))": ("the positions run backwards", _PLACES),
    "self.position(torch.full((length,), length - 1))": _ONE, "self.position(0 * torch.arange(length))": _ONE,
    "self.position(tokens % self.max_length)": (
        "the position table is asked for the tokens, not for their places", _PLACES),
})
task.edit("self.dropout(self.token(tokens) + self.position(torch.arange(length)))", {
    "self.token(tokens) + self.position(torch.arange(length))": (
        "dropout does not fall on the sum of token and position", _FOLLOW),
    "self.dropout(self.token(tokens)) + self.position(torch.arange(length))": (
        "dropout falls on the token embedding alone, not on the sum of token and position", _FOLLOW),
    "self.token(tokens) + self.dropout(self.position(torch.arange(length)))": (
        "dropout falls on the position embedding alone, not on the sum of token and position", _FOLLOW),
    "self.dropout(self.token(tokens)) + self.dropout(self.position(torch.arange(length)))": _APART,
})
task.edit("self.token(tokens)", {
    "self.token(tokens) * self.token.embedding_dim**0.5": (
        "the token embedding is multiplied by sqrt(d_model), as in unit 10; here it is not", _SUM),
})
task.edit("x = block(x, mask)", {
    "x = block(x + self.position.weight[:length], mask)": (
        "the positions are added again in front of every block", _SUM),
    "return self.norm(block(x, mask)) @ self.token.weight.T": (
        "only the first block runs: a `return` inside the loop, or no loop", "print something in the loop: how often "
        "does it appear?"),
    "x = self.norm(block(x, mask))": ("`norm` is called behind every block, not behind the last alone", _LINES),
})
task.edit("for block in self.blocks:", {
    "for block in reversed(self.blocks):": ("the blocks run from the last to the first", _LINES),
    "x, start = x, x\nfor block in self.blocks:\n    x = start": (
        "each block reads the embeddings, not what the block before it returned", _LINES),
})
task.edit("mask = ", {
    "x = self.norm(x)\nmask = ": ("`norm` stands before the blocks as well as behind the last one", _LINES)})
task.edit_places({"mask = ": "x = self.norm(x)\nmask = ", "self.norm(x) @": "x @"},
                 "`norm` stands before the blocks, not behind the last one", _LINES)
task.edit_places({"x = block(x, mask)": "x = self.norm(block(x, mask))", "self.norm(x) @": "x @"},
                 "`norm` is called behind every block, inside the loop; it belongs behind the last one alone", _LINES)
task.edit("self.norm(x) @ self.token.weight.T", {
    "x @ self.token.weight.T": ("the last norm exists, but nothing calls it", _LINES),
    "self.norm(self.norm(x)) @ self.token.weight.T": ("the last norm is called twice", _LINES),
    "self.norm(x) @ self.token.weight.detach().T": (
        "the token table is cut off from the graph at the output (`.data`, `.detach()`)",
        "which gradient has token.weight, for a token that stands in no text?"),
    "self.norm(x) @ self.token.weight.T / x.shape[-1] ** 0.5": ("the logits are divided by sqrt(d_model)", _TABLE),
    "(self.norm(x) @ self.token.weight.T).softmax(-1)": (
        "softmax at the end; logits are wanted", "the loss applies it itself", "each row sums to 1"),
    "(self.norm(x) @ self.token.weight.T).log_softmax(-1)": (
        "log_softmax at the end; logits are wanted", "the loss applies it itself", "logarithms of probabilities"),
    "self.norm(x)[:, -1] @ self.token.weight.T": (
        "only the logits of the last position are returned", "training needs all of them"),
})
task.edit("EncoderBlock(d_model, num_heads, d_ff, dropout", {
    "EncoderBlock(d_model, num_layers, d_ff, dropout": (
        "the number of layers is handed to the blocks as the number of heads", _FOLLOW),
    "EncoderBlock(d_model, 1, d_ff, dropout": ("`num_heads` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, 4 * d_model, dropout": ("`d_ff` does not reach the blocks", _FOLLOW),
    "EncoderBlock(d_model, num_heads, d_ff, 0.0": ("`dropout` does not reach the blocks", _FOLLOW),
})
task.edit(", norm_first=True", {
    "": ("the blocks normalise behind each sublayer: `norm_first=True` is missing", _FOLLOW)})
task.edit(', activation="gelu"', {"": ('the blocks use ReLU: `activation="gelu"` is missing', _FOLLOW)})
task.edit("range(num_layers)", {"range(1)": _NUMBER})
task.edit("self.blocks = nn.ModuleList(", {"self.blocks = list(": _PLAIN})
task.edit("self.norm = nn", {"self.blocks = nn.ModuleList([self.blocks[0]] * num_layers)\nself.norm = nn": _SHARED})
task.edit("nn.Embedding(vocab_size, d_model)", {
    "nn.Embedding(vocab_size, d_model, padding_idx=0)": (
        "the token table has a `padding_idx`: token 0 is a character like others, and its row gets no gradient from "
        "the texts in which it stands", "a text without padding needs none"),
})
task.edit("nn.Dropout(dropout)", {"nn.Dropout(0.0)": ("`dropout` does not reach any layer", _FOLLOW)})
_OWN = ("the output has a matrix of its own; it is to be that of the token embedding", _TABLE)
task.edit_places({"for table": "self.output = nn.Linear(d_model, vocab_size, bias=False)\nfor table",
                  "self.norm(x) @ self.token.weight.T": "self.output(self.norm(x))"}, *_OWN)
task.edit_places({"for table": "self.bias = nn.Parameter(torch.zeros(vocab_size))\nfor table",
                  "@ self.token.weight.T": "@ self.token.weight.T + self.bias"}, "the output has a bias", _TABLE)
# fmt: on


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
        if type(blocks) in (list, tuple):
            found = f"blocks is a {type(blocks).__name__}", _PLAIN
        elif isinstance(blocks, nn.ModuleList) and len({id(block) for block in blocks}) < len(blocks):
            found = f"{len(blocks)} blocks are one and the same", _SHARED
        elif isinstance(blocks, nn.ModuleList) and len(blocks) != number:
            found = f"blocks holds {len(blocks)} blocks, where num_layers is {number}", _NUMBER
        else:
            require_parameters(raw, shapes(Model(11, **(SIZES | {"num_layers": number}))))
            continue
        raise Finding(found[0], "a new block for every layer, in an nn.ModuleList", *found[1])
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
            *_APART)  # fmt: skip
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
