"""Task `load_gpt2` of exercise 18."""

import torch

from course_checks.cases import Case, Draw, refusal
from course_checks.modern_transformer.published import GPT2, gpt2_state
from course_checks.modern_transformer.shared import UNIT, loaded, made
from course_checks.outcomes import is_tensor, same
from course_checks.task import Task

task = Task("load_gpt2", UNIT)
_SHAPES = "print the shapes: which matrices are square, so that the wrong way round is not refused?"
_PIECES = "print the shape of each tensor that you load, of the pieces too: which are square?"
_THIRDS = "c_attn holds three matrices side by side: queries, keys, values, each d_model columns wide"
_NAMES = "go through the table of the task line by line: which name of theirs goes to which of ours?"
_GELU = 'compare `F.gelu(x)` with `F.gelu(x, approximate="tanh")` at x = 2'


task.oracle(GPT2)

# fmt: off
_EPS, _HEADS = "what is eps of each norm?", "no tensor shows the number of heads; it is an argument"
_STRICT = "load without `strict=False`, and read what it says"
_CUT = "tensor.dim() == 2:"
_LEFT_OUT = "load_state_dict({{name: x for name, x in renamed.items() if not ({})}}, strict=False)"
_SET_EPS = "for each in model.modules():\n    if hasattr(each, 'eps'):\n        each.eps = {}\nreturn model.eval()"
task.edit(', activation="gelu_tanh"', {
    "": ("GELU is the exact one (`activation` is \"gelu\", or is not given: that is the default of the class); GPT-2 "
         "was trained with its approximation by tanh", _GELU),
    ', activation="relu"': ("the feed-forward network uses ReLU", _GELU)})
task.edit("return model.eval()", {
    _SET_EPS.format(1e-12): ("eps of the norms is 1e-12, as in BERT; GPT-2 has 1e-5", _EPS),
    _SET_EPS.format(1e-6): ("eps of the norms is 1e-6; GPT-2 has 1e-5", _EPS)})
task.edit(_CUT, {
    f"'w_output' not in name and {_CUT}": (
        "`attn.c_proj.weight` is not transposed: it is square, and loads silently", _SHAPES),
    f"not {{'w_query', 'w_key', 'w_value'}} & set(name.split('.')) and {_CUT}": ("the three pieces of "
        "`attn.c_attn.weight` are not transposed: once it is cut they are square, and load silently", _PIECES),
    f"'self_attention' not in name and {_CUT}": ("neither `attn.c_proj.weight` nor the three pieces of "
        "`attn.c_attn.weight` are transposed: all four are square, and load silently", _PIECES)})
task.edit("tensor.T", {
    "tensor.reshape(tensor.shape[::-1])": ("the matrices have got their new shape by `reshape` or `view`, which moves "
        "no number: that is no transposition", "take a matrix of 2 x 3: compare `.reshape(3, 2)` with `.T`")})
task.edit('("w_query", "w_key", "w_value")', {
    '("w_value", "w_key", "w_query")': ("queries and values are exchanged when `c_attn` is cut", _THIRDS),
    '("w_key", "w_query", "w_value")': ("queries and keys are exchanged when `c_attn` is cut", _THIRDS),
    '("w_query", "w_value", "w_key")': ("keys and values are exchanged when `c_attn` is cut", _THIRDS)})
task.edit("chunk(3, dim=-1)", {
    "chunk(3, dim=0)": ("`c_attn` is cut between its rows", _THIRDS),
    "reshape(3, -1, d_model).squeeze(1)": ("`c_attn` is cut by `reshape` to (3, d_model, d_model), which cuts between "
        "rows; the three stand side by side", _THIRDS),
    "unflatten(-1, (num_heads, 3, -1)).transpose(-2, -3).flatten(-2).unbind(-2)": (
        "`c_attn` is cut as if query, key and value of each head stood side by side", _THIRDS)})
task.edit('state[f"{theirs}.attn.c_attn.{kind}"]', {
    'state[f"{theirs}.attn.c_attn.weight" if kind == "weight" else "transformer.h.0.attn.c_attn.bias"]': (
        "every block gets the bias of `c_attn` of the first one", "print the names that you ask for")})
task.edit("ln_{number}", {"ln_{3 - number}": ("`ln_1` and `ln_2` are exchanged", _NAMES)})
task.edit("load_state_dict(renamed)", {_LEFT_OUT.format(which): words for which, words in {
    "name.startswith('norm')": ("`ln_f` is forgotten: the last norm still has gain 1 and shift 0", _NAMES),
    "'norm' in name and 'weight' in name": ("the gains of the norms are not loaded, only their shifts", _NAMES),
    "'norm' in name and 'bias' in name": ("the shifts of the norms are not loaded, only their gains", _NAMES),
    "'.norm_' in name": (
        "the norms of the blocks are not loaded: `strict=False` swallows a name that is misspelt", _STRICT),
    "'norm' in name": ("no norm is loaded: `strict=False` swallows a name that is misspelt", _STRICT),
    "'norm' not in name and 'bias' in name": ("the biases of the linear layers are not loaded", _NAMES),
    "'blocks' in name and 'bias' in name": ("no `.bias` of the blocks is loaded, neither of the linear layers nor of "
        "the norms (`strict=False` says nothing of it)", _NAMES),
    "name.endswith(('query.bias', 'key.bias', 'value.bias'))": ("the bias of `c_attn` is not loaded", _NAMES),
    "name.endswith(('output.bias', 'linear_2.bias'))": ("the biases of the two `c_proj` are not loaded", _NAMES),
    "name.endswith('linear_1.bias')": ("the bias of `c_fc` is not loaded", _NAMES)}.items()})
task.edit('state[f"{theirs}.{their_name}.{kind}"]', {
    'state[f"{theirs}.{their_name}.{kind}"] if kind == "bias" or "attn" in their_name else '
    'state[f"{theirs}.mlp." + ("c_proj" if "c_fc" in their_name else "c_fc") + ".weight"].T': (
        "the weights of `c_fc` and `mlp.c_proj` are exchanged: without a transposition they have each other's shape, "
        "and load silently", _NAMES)})
task.edit('sum(name.endswith(".ln_1.bias") for name in state)', {
    'sum(name.endswith(".ln_1.bias") for name in state) - 1': (
        "there is one block too few: their numbers begin at 0", "print how many blocks your model has"),
    '1 + int(max(name.split(".")[2] for name in state if ".ln_1.bias" in name))': (
        "the numbers of the blocks are compared as text, where 9 comes after 11: blocks from number 10 on are left out",
        'compare `"9" < "11"` with `9 < 11`', "it is wrong with 11 blocks or more, and right with fewer")})
task.edit("transformer.h.{i}", {
    "transformer.h.{sorted(map(str, range(num_layers)))[i]}": ("the blocks are sorted as text, so that h.10 comes "
        "before h.2", "sort numbers, not names", "with 11 blocks or more"),
    "transformer.h.{num_layers - 1 - i}": ("the blocks come in reverse order", _NAMES),
    "transformer.h.0": ("every block gets the weights of the first one", "print the names that you ask for")})
task.edit("d_model, num_heads, num_layers", {
    "d_model, 2, num_layers": ("`num_heads` is not used: the model always has 2 heads", _HEADS,
                               "it is right for 2 heads, and for no other number"),
    "d_model, 4, num_layers": ("`num_heads` is not handed on: the model has the 4 heads of the default", _HEADS),
    "d_model, 1, num_layers": ("the blocks have one head, whatever `num_heads` says", _HEADS)})
# fmt: on


def says(answer, state, num_heads, tokens):
    """Observe the logits of the model that a function makes."""
    with torch.no_grad():
        return made(loaded(answer, state, num_heads))(tokens)


def drawn(batch, length, num_heads=2, **sizes):
    """Draw a state dict, and tokens."""
    vocab_size = sizes.get("vocab_size", 29)
    return lambda draw: (gpt2_state(draw, **sizes), num_heads, draw.integers(0, vocab_size, batch, length))


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
    state = gpt2_state(Draw("future"))
    before, after = (says(answer, state, 2, torch.tensor([[3, 1, 4, 1, last]])) for last in (5, 6))
    if not is_tensor(before) or before.shape != (1, 5, 29) or same(after[:, :4], before[:, :4]):
        return None
    return "the last token became another one, and logits before it moved"


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


def but(name, tensor=None):
    """Draw a state dict without a name, or with another tensor under it."""
    changed = {} if tensor is None else {name: tensor}
    return lambda draw: ({each: x for each, x in gpt2_state(draw).items() if each != name} | changed, 2)


task.limits(
    "one token, and state dicts that are not those of a GPT-2",
    [
        Case("one token", drawn(1, 1), says),
        refusal("a name is missing", but("transformer.h.1.ln_2.bias"), "ln_2.bias"),
        refusal("a name too many", but("score.weight", torch.ones(2, 12)), "score.weight"),
        refusal("a matrix the other way round", but("transformer.h.0.mlp.c_proj.weight", torch.ones(12, 20)), "c_proj"),
    ],
)
