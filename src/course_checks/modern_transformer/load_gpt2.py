"""Task `load_gpt2` of exercise 18."""

import torch

from course_checks.cases import Case, Draw, refuses
from course_checks.modern_transformer.published import GPT2, gpt2_state
from course_checks.modern_transformer.shared import UNIT, loaded, made
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("load_gpt2", UNIT)
_SHAPES = "print the shapes: which matrices are square, so that the wrong way round is not refused?"
_PIECES = "print the shape of each tensor that you load, of the pieces too: which are square?"
_THIRDS = "c_attn holds three matrices side by side: queries, keys, values, each d_model columns wide"
_NAMES = "go through the table of the task line by line: which name of theirs goes to which of ours?"
_GELU = 'compare `F.gelu(x)` with `F.gelu(x, approximate="tanh")` at x = 2'


@task.oracle
def right(state, num_heads):
    """Compute GPT-2 from its state dict."""
    return GPT2(state, num_heads, {})


@task.pipeline(
    gelu={
        "exact": Wrong("GELU is the exact one (`activation` is \"gelu\", or is not given: that is the default of the "
                       "class); GPT-2 was trained with its approximation by tanh", "", _GELU),
        "relu": Wrong("the feed-forward network uses ReLU", "", _GELU),
    },
    eps={
        "1e-12": Wrong("eps of the norms is 1e-12, as in BERT; GPT-2 has 1e-5", "", "what is eps of each norm?"),
        "1e-6": Wrong("eps of the norms is 1e-6; GPT-2 has 1e-5", "", "what is eps of each norm?"),
    },
    transposed={
        "not c_proj": Wrong("`attn.c_proj.weight` is not transposed: it is square, and loads silently", "", _SHAPES),
        "not c_attn": Wrong("the three pieces of `attn.c_attn.weight` are not transposed: once it is cut they are "
                            "square, and load silently", "", _PIECES),
        "neither": Wrong("neither `attn.c_proj.weight` nor the three pieces of `attn.c_attn.weight` are transposed: "
                         "all four are square, and load silently", "", _PIECES),
        "reshaped": Wrong("the matrices have got their new shape by `reshape` or `view`, which moves no number: that "
                          "is no transposition", "", "take a matrix of 2 x 3: compare `.reshape(3, 2)` with `.T`"),
    },
    thirds={
        "v, k, q": Wrong("queries and values are exchanged when `c_attn` is cut", "", _THIRDS),
        "k, q, v": Wrong("queries and keys are exchanged when `c_attn` is cut", "", _THIRDS),
        "q, v, k": Wrong("keys and values are exchanged when `c_attn` is cut", "", _THIRDS),
        "reshaped": Wrong("`c_attn` is cut by `reshape` to (3, d_model, d_model), which cuts between rows; the three "
                          "stand "
                          "side by side", "", _THIRDS),
        "per head": Wrong("`c_attn` is cut as if query, key and value of each head stood side by side", "", _THIRDS),
    },
    norms={
        "ln_f": Wrong("`ln_f` is forgotten: the last norm still has gain 1 and shift 0", "", _NAMES),
        "exchanged": Wrong("`ln_1` and `ln_2` are exchanged", "", _NAMES),
        "gains": Wrong("the gains of the norms are not loaded, only their shifts", "", _NAMES),
        "shifts": Wrong("the shifts of the norms are not loaded, only their gains", "", _NAMES),
        "blocks": Wrong("the norms of the blocks are not loaded: `strict=False` swallows a name that is misspelt", "",
                        "load without `strict=False`, and read what it says"),
        "none": Wrong("no norm is loaded: `strict=False` swallows a name that is misspelt", "",
                     "load without `strict=False`, and read what it says"),
    },
    biases={
        "none": Wrong("the biases of the linear layers are not loaded", "", _NAMES),
        "none at all": Wrong("no `.bias` of the blocks is loaded, neither of the linear layers nor of the norms "
                             "(`strict=False` says nothing of it)", "", _NAMES),
        "c_attn": Wrong("the bias of `c_attn` is not loaded", "", _NAMES),
        "c_proj": Wrong("the biases of the two `c_proj` are not loaded", "", _NAMES),
        "c_fc": Wrong("the bias of `c_fc` is not loaded", "", _NAMES),
    },
    layers={
        "sorted": Wrong("the blocks are sorted as text, so that h.10 comes before h.2", "with 11 blocks or more",
                        "sort numbers, not names"),
        "backwards": Wrong("the blocks come in reverse order", "", _NAMES),
        "first": Wrong("every block gets the weights of the first one", "", "print the names that you ask for"),
    },
    heads={
        "2": Wrong("`num_heads` is not used: the model always has 2 heads", "it is right for 2 heads, and for no "
                   "other number", "no tensor shows the number of heads; it is an argument"),
        "4": Wrong("`num_heads` is not handed on: the model has the 4 heads of the default", "",
                   "no tensor shows the number of heads; it is an argument"),
        "1": Wrong("the blocks have one head, whatever `num_heads` says", "",
                   "no tensor shows the number of heads; it is an argument"),
    },
)  # fmt: skip
def load_gpt2(
    state, num_heads, *, gelu="tanh", eps="1e-5", transposed="all", thirds="q, k, v", norms="all", biases="all",
    layers="in order", heads="num_heads",
):  # fmt: skip
    """Load with one choice for each step."""
    chosen = {"gelu": gelu, "eps": eps, "transposed": transposed, "thirds": thirds, "norms": norms, "biases": biases,
              "layers": layers, "heads": heads}  # fmt: skip
    return GPT2(state, num_heads, chosen)


def says(answer, state, num_heads, tokens):
    """Observe the logits of the model that a function makes."""
    with torch.no_grad():
        return made(loaded(answer, state, num_heads))(tokens)


def drawn(batch, length, num_heads=2, **sizes):
    """Draw a state dict, and tokens."""
    return lambda draw: (gpt2_state(draw, **sizes), num_heads, draw.integers(0, sizes.get("vocab_size", 29), batch,
                                                                             length))  # fmt: skip


@task.probe("every weight comes from the state dict", "the same logits from the same state dict",
            "a table or a layer keeps the random numbers with which it was made", _NAMES)  # fmt: skip
def nothing_left(answer):
    """The same state dict, loaded twice."""
    state, tokens, found = gpt2_state(Draw("twice")), torch.tensor([[3, 1, 4, 1, 5]]), []
    for seed in (1, 2):
        torch.manual_seed(seed)
        found.append(says(answer, state, 2, tokens))
    if not all(is_tensor(each) and each.shape == (1, 5, 29) for each in found):
        return None  # the comparison of numbers says more
    return None if same(found[1], found[0]) else "the second model says something else than the first"


@task.probe("no position sees a later token", "logits that stay: position t sees the tokens up to t",
            "the blocks get no causal mask", "take `LanguageModel`, which has one")  # fmt: skip
def future(answer):
    """A later token is changed."""
    state, tokens = gpt2_state(Draw("future")), torch.tensor([[3, 1, 4, 1, 5]])
    other = torch.tensor([[3, 1, 4, 1, 6]])
    before, after = says(answer, state, 2, tokens), says(answer, state, 2, other)
    if not is_tensor(before) or before.shape != (1, 5, 29):
        return None
    return (
        None if same(after[:, :4], before[:, :4]) else "the last token became another one, and logits before it moved"
    )


EXPECTED = "the logits of GPT-2 with these weights, to the fourth digit"
task.require(
    "the logits are those of GPT-2",
    EXPECTED,
    [Case("2 texts of 5 tokens, 2 blocks", drawn(2, 5), says), Case("as many tokens as positions", drawn(1, 10), says),
     Case("3 heads", drawn(2, 4, num_heads=3), says)],
    [Case("other sizes", drawn(3, 6, num_heads=4, d_model=16, d_ff=24, vocab_size=17, max_length=12), says),
     Case("as many hidden units as features", drawn(2, 5, d_ff=12), says),
     Case("one head, one block", drawn(1, 3, num_heads=1, num_layers=1), says)],
    _NAMES,
)  # fmt: skip
task.require(
    "the blocks come in their order, however many there are",
    EXPECTED,
    [Case("12 blocks", drawn(2, 4, num_layers=12, d_model=8, d_ff=10), says)],
    [Case("11 blocks", drawn(1, 6, num_layers=11, d_model=6, d_ff=8), says)],
    _NAMES,
)


def _changed(situation, change, words=""):
    def observe(answer):
        state = gpt2_state(Draw("refused"))
        return refuses(words)(answer, change(state), 2)

    return Case(situation, (), observe, right=True)


task.limits(
    "one token, and state dicts that are not those of a GPT-2",
    [
        Case("one token", drawn(1, 1), says),
        _changed("a name is missing", lambda s: {k: v for k, v in s.items() if k != "transformer.h.1.ln_2.bias"},
                 "ln_2.bias"),
        _changed("a name too many", lambda s: s | {"score.weight": torch.ones(2, 12)}, "score.weight"),
        _changed("a matrix the other way round",
                 lambda s: s | {"transformer.h.0.mlp.c_proj.weight": torch.ones(12, 20)}, "c_proj"),
    ],
)  # fmt: skip
