"""Task `TransformerEmbedding` of exercise 08."""

import torch
from torch import nn
from torch.nn import functional as F

from course_checks.cases import Case, Draw, refuses
from course_checks.modules import built, parameter_gradients, require_parameters, shapes
from course_checks.positional_encoding.fixed_embedding import WORDS
from course_checks.positional_encoding.shared import UNIT, right_encoding
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding

task = Task("TransformerEmbedding", UNIT)
_SUM = "drop from the sum of token and place, with `nn.Dropout`"
_ROWS = "with start = 3 and 4 tokens the places are 3, 4, 5 and 6: which rows does your slice take?"
_PARAMETER = "the encoding is a parameter (`nn.Parameter`, or the weight of a layer), so training would change it"
_BY_HAND = "the encoding is a plain attribute that `forward` moves by hand (`.to(...)`); the task asks for a buffer"
_BUFFER = "a fixed tensor that belongs to a module is a buffer: see `register_buffer`"


@task.oracle
class Right(nn.Module):
    """Look up and add, with torch's functions."""

    def __init__(self, vocab_size, d_model, max_length=512, dropout=0.0, pad_id=0):
        super().__init__()
        self.token, self.probability, self.pad_id = nn.Embedding(vocab_size, d_model), dropout, pad_id
        self.register_buffer("places", right_encoding(max_length, d_model))

    def forward(self, tokens, start=0):
        """Embed."""
        words = F.embedding(tokens, self.token.weight, padding_idx=self.pad_id)
        summed = words * words.shape[-1] ** 0.5 + self.places[start + torch.arange(tokens.shape[1])]
        return F.dropout(summed, self.probability, self.training)


# fmt: off
_TRUE = "the row of the padding token is all that is special about it"
_NOT_USED = "numbers are dropped though dropout is 0"
_SCALED = "embedded * math.sqrt(embedded.shape[-1])"
task.edit(_SCALED, {
    "embedded / math.sqrt(embedded.shape[-1])": WORDS["divided"],
    "embedded": ("`forward` does not multiply by sqrt(d_model) (a factor on the table in `__init__` is gone when "
                 "weights are loaded)", *WORDS["no factor"][1:]),
    "embedded * math.sqrt(self.token.num_embeddings)": WORDS["vocabulary"],
    "embedded * embedded.shape[-1]": WORDS["d_model"],
    "embedded.detach() * math.sqrt(embedded.shape[-1])": (
        "the token's part is cut off from the graph", "use the module's output, not `.data`"),
    f"self.dropout({_SCALED})": ("dropout falls on the token's part alone, before the sum", _SUM),
})
task.edit("self.encoding[start:end]", {
    "self.encoding[start : start + len(tokens), None]": WORDS["batch"],
    "self.encoding[start : start + len(tokens)]": WORDS["sentences"],
    "self.encoding[start:end, None]": WORDS["column"],
    "self.encoding[start + 1 : end + 1]": WORDS["from 1"],
    "self.encoding[-tokens.shape[1] :]": WORDS["last"],
    "self.encoding[: end - start]": (
        "`start` is not used", "the first token stands at position `start`", "every call begins at position 0"),
    "self.encoding[start : end - start]": ("the rows of the encoding end at the length, not at start + length", _ROWS),
    "self.encoding[torch.arange(start, tokens.shape[1])]": (
        "the rows of the encoding end at the length, not at start + length", _ROWS),
    "self.encoding[:end]": ("the rows of the encoding begin at 0 and end at start + length", _ROWS),
    "(self.encoding[start:end] * (tokens != self.token.padding_idx)[..., None])": (
        "padding gets no encoding of its place, and the formula has no exception for it", _TRUE),
    "self.dropout(self.encoding[start:end])": (
        "dropout falls on the encoding alone, before the sum", _SUM),
})
task.edit(f"self.dropout({_SCALED} + self.encoding[start:end])", {
    f"self.dropout(({_SCALED.partition(' * ')[0]} + self.encoding[start:end]) * math.sqrt(embedded.shape[-1]))":
        WORDS["sum"],
    f"self.dropout({_SCALED})": WORDS["none"],
    f"self.dropout({_SCALED} * self.encoding[start:end])": WORDS["times"],
    f"self.dropout({_SCALED} + self.encoding[start:end]) * (tokens != self.token.padding_idx)[..., None]": (
        "the result is set to 0 at padding, and the formula has no exception for it", _TRUE),
    f"{_SCALED} + self.encoding[start:end]": (
        "dropout is not used", _SUM, "nothing is dropped in training mode"),
    f"self.dropout({_SCALED}) + self.encoding[start:end]": (
        "dropout falls on the token's part alone, before the sum", _SUM),
    f"{_SCALED} + self.dropout(self.encoding[start:end])": (
        "dropout falls on the encoding alone, before the sum", _SUM),
    f"self.dropout({_SCALED}) + self.dropout(self.encoding[start:end])": (
        "token and place are dropped apart, each before the sum: a number of the sum is 0 only where both parts are",
        _SUM),
    f"self.dropout(self.dropout({_SCALED} + self.encoding[start:end]))": ("dropout is applied twice", _SUM),
    f"nn.functional.dropout({_SCALED} + self.encoding[start:end], self.dropout.p)": (
        "dropout drops in evaluation mode too", "`nn.Dropout` knows the mode of the module, `F.dropout` has to be told",
        "numbers are missing in evaluation mode"),
    f"({_SCALED} + self.encoding[start:end]) * self.dropout(torch.ones_like(embedded[..., :1]))": (
        "whole tokens are dropped, not single numbers", _SUM),
})
task.edit_places({'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))':
                      "self.encoding = sinusoidal_encoding(max_length, d_model)",
                  "self.encoding[start:end]": "self.encoding[start:end].to(embedded.dtype)"}, _BY_HAND, _BUFFER)
task.edit_places({"end = start": "self.token.weight.data *= math.sqrt(self.token.embedding_dim)\nend = start",
                  "embedded * math.sqrt(embedded.shape[-1])": "embedded"},
                 "the table itself is multiplied in every call of `forward`, so that it grows from call to call",
                 "multiply what is looked up, and leave the parameter as it is")
task.edit("nn.Dropout(dropout)", {
    "nn.Dropout(1 - dropout if dropout else 0.0)": ("dropout is given the probability to keep: `1 - dropout`", _SUM),
    "nn.Dropout()": ("the argument `dropout` is not used: the probability is that of `nn.Dropout()` itself",
                     "which probability does `nn.Dropout()` take by itself?", _NOT_USED),
    "nn.Dropout(0.1)": ("the argument `dropout` is not used: a probability of 0.1 stands in the code",
                        "the probability is an argument of the class", _NOT_USED),
})
task.edit(", padding_idx=pad_id)", {
    ")": ("padding is an ordinary token: `padding_idx` is not given to nn.Embedding",
          "see `padding_idx` of nn.Embedding", "a gradient reaches the row of the padding token"),
    ", padding_idx=0)": ("`pad_id` is not used: token 0 is taken for the padding",
                         "the padding token is an argument of the class"),
    ", padding_idx=pad_id)\nnn.init.normal_(self.token.weight)": (
        "the table is drawn again after it was made, the row of the padding token too",
        "draw the other rows, or set this one to zero", "the row of padding holds numbers"),
})
task.edit('self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))', {
    "self.encoding = nn.Parameter(sinusoidal_encoding(max_length, d_model))": (_PARAMETER, _BUFFER),
    'self.register_buffer("encoding", sinusoidal_encoding(max_length - 1, d_model))': (
        "the encoding has one row too few for `max_length` positions", "count the rows: for which position is there "
        "none?"),
    'self.register_buffer("encoding", sinusoidal_encoding(512, d_model))': (
        "the encoding has not `max_length` rows: another argument, or a number, says how many", "how many positions "
        "does the task ask for?", "for a token at position 599 there is no row"),
    "self.encoding = sinusoidal_encoding(max_length, d_model)": (
        "the encoding is a plain attribute, which stays behind when the module moves", "see `register_buffer`",
        "the encoding does not follow the module to another dtype"),
})
# fmt: on


def made(cls, max_length=9, **options):
    """Make a module for 11 tokens and d_model = 6, with known weights and the learner's table of places in float64."""
    module = built(cls, 11, 6, max_length=max_length, **options)
    for name, shape in shapes(module).items():
        if name != "token.weight" and shape[-2:] == (max_length, 6):
            raise Finding(f"among the parameters there is {name}, with a row for every position",
                          "a single parameter, token.weight", _PARAMETER, _BUFFER, final=True)  # fmt: skip
    require_parameters(module, {"token.weight": (11, 6)})
    return module


def tokens(batch, length):
    """Draw token ids, padding among them."""
    return lambda draw: (draw.integers(0, 11, batch, length),)


def training(cls, ids, start=0, dropout=0.0):
    """Observe the module in training mode, or with dropout in evaluation mode."""
    module = made(cls, dropout=dropout)
    if dropout:
        unwrapped(module).eval()
    result = module(ids, start)
    return (result + _fixed_places(module)[start : start + ids.shape[1]]).float()  # places are computed in float32


def _fixed_places(module):
    """Say what turns the learner's table of places into the right one, so that a mistake in it costs only task 1."""
    places = _places(module)
    usual = places.shape == (9, 6) and places.abs().max() < 1.01 and not torch.allclose(places[0], places[1])
    return right_encoding(9, 6) - places if usual else torch.zeros(9, 6)


def _places(module):
    """Find out which place a module adds, by taking its tokens away; zeros where 9 tokens are too many for it."""
    raw = unwrapped(module)
    weight = raw.token.weight.detach().clone()
    with torch.no_grad():
        raw.token.weight.zero_()
        try:
            return module(torch.ones(1, 9, dtype=torch.long))[0].detach()
        except (RuntimeError, IndexError):
            return torch.zeros(9, 6)
        finally:
            raw.token.weight.copy_(weight)


def evaluation(cls, ids):
    """Observe the module in evaluation mode, with dropout."""
    return training(cls, ids, dropout=0.7)


def at_start(start):
    """Observe tokens that stand further on."""
    return lambda cls, ids: training(cls, ids, start)


def token_gradient(cls, ids):
    """Observe the gradient of the table, with padding token 3."""
    return parameter_gradients(made(cls, pad_id=3), ids)


def half(cls, ids):
    """Observe the module after it was moved to half precision."""
    module = made(cls)
    unwrapped(module).half()
    result = module(ids)
    return result + _fixed_places(module)[: ids.shape[1]].to(result.dtype)


SUM = "the token's row times sqrt(d_model), plus the encoding of its place"
task.require(
    "one table of token embeddings is all that learns; every token has its row, scaled, and its place",
    SUM,
    [Case("batch 2, length 5, d_model = 6", tokens(2, 5), training),
     Case("start = 3, batch 2, length 4", tokens(2, 4), at_start(3)),
     Case("evaluation mode, dropout = 0.7", tokens(3, 9), evaluation)],
    [Case("one token", tokens(1, 1), training), Case("as many sentences as words", tokens(5, 5), training),
     Case("the last position", tokens(2, 1), at_start(8)),
     Case("evaluation mode, other sentences", tokens(4, 9), evaluation)],
)  # fmt: skip
task.require(
    "padding gets no gradient, everything else does",
    "the derivative of the formula, and 0 for the row of the padding token",
    [Case("the gradient of the table, padding token 3", lambda draw: (torch.tensor([[3, 1, 4], [3, 3, 0]]),),
          token_gradient)],
    [Case("the gradient of the table, other tokens", tokens(3, 7), token_gradient)],
)  # fmt: skip
task.require(
    "the encoding follows the module to another dtype",
    "a result in the dtype of the module: the encoding is a buffer",
    [Case("the module in float16", tokens(2, 5), half)],
)


@task.probe(
    "dropout falls on the sum, in training mode",
    "in training mode each number of the sum is 0 with probability `dropout`, and the others are scaled up",
    "dropout is missing, falls on something else than the sum, or has another probability",
    _SUM,
)
def drops(cls):
    """Training mode, dropout = 0.25, 40 sentences of 9 tokens."""
    ids = Draw("drops").integers(1, 11, 40, 9)
    dropped, whole = made(cls, dropout=0.25)(ids), made(cls)(ids)
    if dropped.shape != whole.shape:
        return f"shape {tuple(dropped.shape)}"
    gone = dropped == 0
    share = gone.double().mean().item()
    if not gone.any():
        return _not_dropped(dropped, whole, _places(made(cls)))
    if not 0.17 < share < 0.33:  # 2160 numbers: eight standard deviations
        nearest = min((0, 6, 12, 44, 50, 75, 100), key=lambda percent: abs(percent - 100 * share))
        return f"about {nearest} % of the numbers are 0, not 25 %"
    if gone.all(-1).any() and gone.all(-1).double().mean() > 0.2:
        return "whole tokens are 0, not single numbers"
    if not torch.allclose(dropped[~gone], whole[~gone] / 0.75, atol=1e-5):
        return "the numbers that are left are not 4/3 of those without dropout"
    return None


def _not_dropped(dropped, whole, places):
    """Say what training mode does to a sum of which no number is 0."""
    for part, name in ((places.expand_as(whole), "place"), (whole - places, "token's row")):
        if torch.isclose(dropped, part.to(dropped.dtype), atol=1e-6).double().mean() > 0.1:
            return f"no number of the sum is 0, but some hold the {name} alone"
    changed = not torch.allclose(dropped, whole.to(dropped.dtype))
    return f"no number is 0, and training mode {'changes the numbers in another way' if changed else 'changes nothing'}"


@task.probe("the encoding is a buffer", "a buffer with the encoding of `max_length` positions", _BY_HAND, _BUFFER)
def is_a_buffer(cls):
    """The buffers of a module for 9 positions, d_model = 6."""
    buffers = unwrapped(made(cls)).buffers()
    held = max((each.numel() * (2 if each.is_complex() else 1) for each in buffers), default=0)
    return None if held >= 9 * 6 else "no buffer of the module holds 9 rows of 6 numbers"


@task.probe(
    "the row of the padding token starts at zero",
    "`nn.Embedding` sets the row of `padding_idx` to zero when it is made",
    "`padding_idx` is not given, or the table is drawn again after it was made",
    "print `module.token.weight` right after the module was made",
)
def padding_starts_at_zero(cls):
    """A new module with padding token 3."""
    row = unwrapped(cls(11, 6, pad_id=3)).token.weight[3]
    return None if not row.any() else "the row of padding holds numbers that are not 0"


def refusing(ids, start=0):
    """Make the case of tokens that are refused."""

    def observe(cls):
        return refuses()(made(cls), ids, start)

    return observe


def default_length(cls):
    """Observe how long a sentence may be when max_length is left out: 512 tokens, and not 513."""
    module = built(cls, 11, 6)
    longest = module(torch.ones(1, 512, dtype=torch.long)).shape
    if tuple(longest) != (1, 512, 6):
        raise Finding(f"shape {tuple(longest)}", "512 positions")
    return refuses()(module, torch.ones(1, 513, dtype=torch.long))


def far_on(cls):
    """Observe the last of more positions than usual."""
    module = built(cls, 11, 6, max_length=600)
    places = module(torch.tensor([[3]]), 599) - module(torch.tensor([[3]]), 0)
    small = "" if (places.abs() < 2.01).all() else ", numbers that no sines and cosines have"
    return f"an encoding of shape {tuple(places.shape)}{small}"


ids = torch.arange(10).view(1, 10) % 11
task.limits(
    "other lengths, and wrong input",
    [
        Case("max_length = 600, a token at position 599", (), far_on),
        Case("only the two sizes given, 512 and 513 tokens", (), default_length, right=True),
        Case("one token more than max_length", (), refusing(ids), right=True),
        Case("a start that leads beyond max_length", (), refusing(ids[:, :7], start=3), right=True),
        Case("a negative start", (), refusing(ids[:, :1], start=-1), right=True),
        Case("tokens without a batch", (), refusing(ids[0]), right=True),
        Case("floating-point tokens", (), refusing(ids.double()), right=True),
    ],
)
