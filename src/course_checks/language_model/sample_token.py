"""Task `sample_token` of exercise 13: how often each token is drawn, and from where."""

import torch

from course_checks.cases import Case, Draw, refusal
from course_checks.language_model.filter_logits import right as filter_logits
from course_checks.language_model.shared import UNIT, frequencies
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("sample_token", UNIT)
_DIVIDE = "temperature 2 takes the square root of every probability: try it on 0.8 and 0.2"
_HAND_ON = "print what you hand to filter_logits"
_NOISE = "draw a million numbers of your noise: is their mean near 0.577?"
_BY_0 = "at temperature 0 the logits are divided by 0, which gives infinity and NaN", "treat 0 before you divide"
_EACH = "each row draws on its own: how many random numbers do three rows need?"
_TWO = "with top_k = 2, how many tokens are ever drawn?"
_ROWS = 20_000
_OFF = 0.027  # five standard deviations of the difference of two shares of 20 000 draws, and a little more


@task.oracle
def right(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Draw with torch, row by row equal in distribution."""
    if temperature == 0:
        return torch.tensor([row.index(max(row)) for row in logits.tolist()], dtype=torch.long)
    rows, places = logits.unique(dim=0, return_inverse=True)
    kept = filter_logits(rows / temperature, top_k, top_p)
    return torch.multinomial(kept.softmax(-1)[places], 1, generator=generator)[:, 0]


# fmt: off
task.edit("logits / temperature", {
    "logits": ("`temperature` changes nothing: it is not used; or probabilities are divided by it before they are "
               "normalised, or logits after the noise was added to them", _DIVIDE),
    "logits * temperature": ("the logits are multiplied by the temperature, not divided", _DIVIDE)})
_FILTERED, _COLD, _DRAWN = (
    "filter_logits(logits / temperature, top_k, top_p)", "if temperature == 0:\nreturn logits.argmax(dim=-1)",
    "torch.multinomial(probabilities, 1, generator=generator)")
task.edit(_FILTERED, {"(filter_logits(logits, top_k, top_p) / temperature)": (
    "the temperature comes after tokens were dropped", "the task says which comes first",
    "with top_p other tokens stay")})
task.edit(", top_k, top_p)", {
    ")": ("nothing is dropped: `top_k` and `top_p` are not handed on", _HAND_ON),
    ", top_k)": ("`top_p` is not handed on", _HAND_ON),
    ", None, top_p)": ("`top_k` is not handed on", _HAND_ON),
    ", top_k and top_k + 1, top_p)": ("one token more than `top_k` stays", _TWO),
    ", top_k and max(top_k - 1, 1), top_p)": ("one token fewer than `top_k` stays", _TWO),
    ", top_p, top_k)": ("`top_k` and `top_p` change places", _HAND_ON)})
task.edit(_DRAWN, {
    _DRAWN.replace("(probabilities", "(probabilities.sort(-1, descending=True, stable=True).values"): (
        "what is drawn is a place in the sorted row, not the id of a token",
        "which token stands at the drawn place? The order of the sort says it"),
    f"logits.shape[-1] - 1 - {_DRAWN}": (
        "tokens come with the probabilities of the vocabulary read backwards: what is counted stands on the other side",
        "let the first token be almost sure: which id comes?"),
    "(probabilities.log() - torch.rand(probabilities.shape, generator=generator).log()).argmax(-1, keepdim=True)": (
        "the noise that is added to the logits is -log(u); Gumbel noise has two logarithms, -log(-log(u))", _NOISE),
    "(probabilities.log() + (-torch.rand(probabilities.shape, generator=generator).log()).log()).argmax(-1, "
    "keepdim=True)": ("the Gumbel noise has the wrong sign: it is -log(-log(u))", _NOISE),
    "probabilities.argmax(dim=-1, keepdim=True)": (
        "the most probable token is always taken; nothing is drawn", "`torch.multinomial` draws"),
    _DRAWN.replace("(probabilities", "((probabilities > 0).double()"): (
        "all tokens that stay are drawn equally often", "draw by their probabilities"),
    f"{_DRAWN}[:1].expand(len(logits), 1)": (
        "one token is drawn for the whole batch", _EACH, "all rows get the same token"),
    "(probabilities.log() - (-torch.rand(probabilities.shape[-1], generator=generator).log()).log()).argmax(-1, "
    "keepdim=True)": ("all rows of the batch share their random numbers", _EACH)})
task.edit("softmax(dim=-1)", {
    "softmax(dim=0)": ("softmax runs over the rows, not over the tokens", "which dimension holds the tokens?")})
task.edit(_COLD, {
    "temperature = temperature or 1e-6": (
        "at temperature 0 the logits are divided by a very small number: equal ones are still drawn",
        "0 means that nothing is drawn", "of equal logits not always the first is taken"),
    "": _BY_0})
task.edit("logits.argmax(dim=-1)", {
    "(logits / temperature).argmax(dim=-1)": _BY_0,
    "((logits / temperature).softmax(-1).cumsum(-1) < 0.5).sum(-1)": _BY_0,
    "logits.shape[-1] - 1 - logits.flip(-1).argmax(dim=-1)": (
        "at temperature 0, of equal logits the higher id is taken", "`argmax` takes the first"),
    "torch.multinomial(logits.softmax(-1), 1, generator=generator)[:, 0]": (
        "at temperature 0 a token is drawn, as at temperature 1", "0 means the most probable"),
    "logits.argmin(dim=-1)": ("at temperature 0 the least probable token is taken", "0 means the most probable")})
task.edit(".squeeze(1)", {
    "": ("the result has shape (batch, 1), as `multinomial` gives it", "remove a dimension"),
    ".squeeze()": ("`squeeze()` removes every dimension of size 1, also the batch if it has one row",
                   "name the dimension that is to go", "for one row the result has no dimension")})
task.edit("generator=generator", {
    "generator=generator or torch.Generator().manual_seed(0)": (
        "where no generator is given, one with a fixed seed is made",
        "`torch.multinomial` takes None, too, and draws from torch's own then", "two calls draw the same tokens"),
    "generator=None": (
        "`generator` is not handed on, so the global one is drawn from", "`torch.multinomial` takes a generator")})
# fmt: on


def tokens_of(answer, logits, *arguments):
    """Call with a generator, and require a token for each row."""
    drawn = answer(logits, *arguments, torch.Generator().manual_seed(11))
    if not isinstance(drawn, torch.Tensor) or drawn.shape != logits.shape[:1] or drawn.dtype != torch.long:
        what = f"is a {type(drawn).__name__}"
        if isinstance(drawn, torch.Tensor):
            what = f"has shape {tuple(drawn.shape)} and dtype {drawn.dtype}"
        raise Finding(f"the result {what}", "int64 of shape (batch,)", "the return statement, or a dimension of "
                      "size 1 that `multinomial` leaves", "print the shape of what you return")  # fmt: skip
    return drawn


def often(answer, logits, *arguments):
    """Observe how often each token is drawn, where every row has the same logits."""
    drawn = tokens_of(answer, logits.expand(_ROWS, -1).clone(), *arguments)
    if (drawn == drawn[0]).all():
        raise Finding("all rows get the same token", "", "one draw, or one set of random numbers, serves the whole "
                      "batch; or a single token is left to draw from", _EACH)  # fmt: skip
    return frequencies(drawn, logits.shape[-1])


def of_rows(answer, *arguments):
    """Observe how often each token is drawn in rows with two different sets of logits."""
    drawn = answer(torch.tensor([[6.0, 0.0, 0.0], [0.0, 0.0, 6.0]]).repeat(_ROWS // 2, 1), *arguments)
    return torch.stack([frequencies(drawn[0::2], 3), frequencies(drawn[1::2], 3)])


def cold(answer, logits, *arguments):
    """Observe for each row which tokens come at temperature 0, if it stands there 4000 times."""
    drawn = tokens_of(answer, logits.repeat(4000, 1), 0, *arguments)
    return [sorted(set(drawn[row :: len(logits)].tolist())) for row in range(len(logits))]


cold.seen = lambda value: f"if each row stands there 4000 times, it gets the tokens {', '.join(map(str, value))}"
cold.words = lambda value, _: Wrong("at temperature 0 tokens are still drawn" if any(len(each) > 1 for each in value)
                                    else "another token is taken than the first of the largest logits")  # fmt: skip
LOGITS = torch.tensor([[0.05, 0.3, 0.15, 0.4, 0.1]], dtype=torch.float64).log() + 1.0
OTHER = torch.tensor([[1.2, -0.3, 0.4, 0.0, 2.0, -1.0]], dtype=torch.float64)


def drawing(situation, *arguments, logits=LOGITS):
    """Make the case of many draws."""
    return Case(situation, (logits, *arguments), often, within=_OFF)


EXPECTED = "each token as often as it is probable, after the temperature and after what is dropped"
task.require("tokens are drawn as often as they are probable", EXPECTED,
    [drawing("20 000 rows, temperature 1", 1.0, None, None), Case("rows that differ", (), of_rows, within=_OFF),
     Case("a batch of one row, one token far above the others", (torch.tensor([[0.0, 90.0, 0.0]]),))],
    [drawing("other logits", 1.0, None, None, logits=OTHER)])  # fmt: skip
task.require("the temperature divides the logits", EXPECTED,
    [drawing("temperature 2", 2.0, None, None), drawing("temperature 0.5", 0.5, None, None)],
    [drawing("temperature 3, other logits", 3.0, None, None, logits=OTHER)],
    _DIVIDE)  # fmt: skip
task.require("top_k and top_p drop tokens after the temperature", EXPECTED,
    [drawing("top_k 2", 1.0, 2, None), drawing("top_p 0.72", 1.0, None, 0.72),
     drawing("temperature 4, top_p 0.72", 4.0, None, 0.72),
     drawing("temperature 2, top_k 4, top_p 0.75", 2.0, 4, 0.75)],
    [drawing("temperature 0.4, top_p 0.9", 0.4, None, 0.9, logits=OTHER),
     drawing("top_k 3, temperature 2", 2.0, 3, None, logits=OTHER)])  # fmt: skip
COLD = torch.tensor([[0.3, 2.0, 2.0, -1.0], [5.0, 1.0, 5.0, 0.0], [-3.0, -2.0, -4.0, -1.0]])
task.require("temperature 0 takes the most probable token, of equal ones the lowest id",
    "the place of the largest logit in each row, the first of equal ones, int64 of shape (batch,)",
    [Case("3 rows of 4 tokens, temperature 0", (COLD, None, None), cold),
     Case("temperature 0 with top_k and top_p", (COLD, 3, 0.5), cold)],
    [Case("one row, temperature 0", (OTHER, None, None), cold)])  # fmt: skip


@task.probe("the generator is drawn from, and only it", "the same tokens for the same seed, and the global generator "
            "as it was", "`generator` is not handed on, or a seed is set inside",
            "`torch.multinomial` takes a generator")  # fmt: skip
def generators(answer):
    """The same seed twice, another seed, no generator, and torch's global one."""
    rows, before = Draw("rows")(60, 6), torch.get_rng_state()
    one, again, other = (answer(rows, 1.0, None, None, torch.Generator().manual_seed(seed)) for seed in (3, 3, 4))
    if not torch.equal(torch.get_rng_state(), before):
        return "the global generator has moved although a generator was given"
    torch.manual_seed(1)
    free = [answer(rows) for _ in range(2)]
    if torch.equal(*free):
        return "two calls without a generator drew the same 60 tokens"
    if not torch.equal(one, again):
        return "two calls with generators of the same seed drew different tokens"
    return "generators with different seeds drew the same 60 tokens" if torch.equal(one, other) else None


task.limits(
    "one token to choose from, and wrong input",
    [
        Case("one token", (torch.zeros(3, 1),)),
        refusal("a temperature below 0", (OTHER, -1.0), "temperature"),
        refusal("logits without a batch", (OTHER[0],), "logits"),
        refusal("top_k 0", (OTHER, 1.0, 0), "top_k"),
    ],
)
