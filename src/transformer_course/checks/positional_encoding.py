"""The checks of exercise 08. Each takes what the learner wrote and names the mistake that its results point to."""

from collections.abc import Callable, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build, give_weights, parameter_gradients, require_parameters
from transformer_course.checks.oracles_positions import right_embedding, right_encoding, right_gap, right_shift
from transformer_course.checks.position_experiments import (
    check_mended_embedding,
    check_order_gap,
    check_rotate,
    compare_order_gap,
)
from transformer_course.checks.position_mistakes import (
    embedding_mistakes,
    encoding_mistakes,
    shift_mistakes,
    wrong_embedding_parameters,
)
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import Mistake, draw, same

UNIT = "positional_encoding"
QUESTIONS, WORDS = ("no positions", "with positions", "dot product"), ("same", "different")

__all__ = [
    "answer",
    "check_mended_embedding",
    "check_order_gap",
    "check_predictions",
    "check_rotate",
    "check_shift_matrix",
    "check_sinusoidal_encoding",
    "check_transformer_embedding",
    "compare_order_gap",
    "default_dtype",
    "draw",
    "make",
    "own_table",
    "parameter_gradients",
    "require_buffer",
    "require_dropout",
    "right_embedding",
    "right_encoding",
    "right_gap",
    "right_shift",
]


def answer(function: Callable, name: str) -> Answer:
    """Wrap what the learner wrote for the checks of this unit."""
    return Answer(function, name, UNIT)


@contextmanager
def default_dtype(dtype: torch.dtype):
    """Make this dtype torch's default inside the ``with``."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def check_sinusoidal_encoding(sinusoidal_encoding: Callable) -> None:
    """Check all frequencies, an odd width, and the dtype."""
    subject = answer(sinusoidal_encoding, "sinusoidal_encoding")
    for situation, length, d_model in [
        ("9 positions, d_model = 8", 9, 8),
        ("5 positions, d_model = 7", 5, 7),
        ("1 position, d_model = 1", 1, 1),
    ]:
        right = right_encoding(length, d_model)
        result = subject.tensor(situation, length, d_model, like=right)
        requirement = "sines in the even columns, cosines in the odd ones, of position / 10000^(2i / d_model)"
        hint = "work out row 1 of `d_model = 4` on paper"
        subject.compare(situation, result, right, requirement, encoding_mistakes(length, d_model), hint)
        subject.passed(f"{situation}: all sines and cosines")
    with default_dtype(torch.float64):
        situation = "when float64 is torch's default dtype"
        subject.returns(situation, right_encoding(6, 4), 6, 4)
    subject.passed("the dtype is torch's default")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each of the three questions; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "task 3")


def check_shift_matrix(shift_matrix: Callable) -> None:
    """Check the matrix forward, backward and for no shift at all."""
    subject = answer(shift_matrix, "shift_matrix")
    for situation, offset, d_model in [
        ("offset 3, d_model = 8", 3, 8),
        ("offset -2, d_model = 6", -2, 6),
        ("offset 0, d_model = 4", 0, 4),
    ]:
        right = right_shift(offset, d_model)
        requirement = "M @ PE[p] is PE[p + offset], for every p"
        hint = "try it: `M @ sinusoidal_encoding(20, d_model)[5]` against row 5 + offset, one column pair at a time"
        result = subject.tensor(situation, offset, d_model, like=right)
        subject.compare(situation, result, right, requirement, shift_mistakes(offset, d_model), hint)
        subject.passed(f"{situation}: it moves every position")


def make(embedding_class: Callable, situation: str, vocab_size: int, d_model: int, seed: int, **options):
    """Build the learner's module in float64 with known weights: the module as an `Answer`, and its token table."""
    with default_dtype(torch.float64):
        built = build(answer(embedding_class, "TransformerEmbedding"), situation, vocab_size, d_model, **options)
        mistakes = wrong_embedding_parameters(vocab_size, d_model, options.get("max_length", 512))
        require_parameters(built, situation, {"token.weight": (vocab_size, d_model)}, mistakes)
        token, pad_id = getattr(built.function, "token", None), options.get("pad_id", 0)
        if not isinstance(token, nn.Embedding):
            cause = "the table is a tensor, or a module, of another kind"
            built.fail(situation, "`token` is no nn.Embedding", "an nn.Embedding", cause, "use nn.Embedding")
        if token.padding_idx != pad_id or not token.weight[pad_id].eq(0).all():
            built.fail(
                situation,
                "the row of the padding token is not zero, or will not stay zero",
                "an embedding of zeros for padding, from the beginning and through training",
                "`padding_idx` is not given; or the weights are drawn anew after it set the row to zero",
                "look at `padding_idx` in the documentation of nn.Embedding, and at `pad_id` of the task",
            )
        return built, give_weights(built, seed)["token.weight"]


def own_table(built: Answer, situation: str, max_length: int, d_model: int) -> Tensor:
    """Ask the learner's module what it adds at each position, with tokens whose embedding is zero."""
    weight = built.function.token.weight
    kept = weight.detach().clone()
    with torch.no_grad():
        weight.zero_()
    tokens, like = (
        torch.zeros(1, max_length, dtype=torch.int64),
        torch.zeros(1, max_length, d_model, dtype=weight.dtype),
    )
    table = built.tensor(f"{situation}, as many tokens as max_length", tokens, like=like).detach()[0]
    with torch.no_grad():
        weight.copy_(kept)
    return table


def check_transformer_embedding(embedding_class: Callable) -> None:
    """Check parameters, the sum, the start, the limit, dropout and the buffer."""
    situation = "11 tokens, d_model = 6, max_length = 9"
    built, table = make(embedding_class, situation, 11, 6, seed=20, max_length=9)
    built.passed("one table of parameters, with zeros for padding")
    with default_dtype(torch.float64):
        encoding = right_encoding(9, 6)
    tokens = torch.tensor([[3, 7, 1, 3, 10], [2, 2, 5, 9, 4]])
    situation = "batch 2, length 5"
    right = right_embedding(tokens, table, encoding)
    result = built.tensor(situation, tokens, like=right)
    requirement = "the token's embedding times sqrt(d_model), plus the encoding of its place"
    mistakes = embedding_mistakes(tokens, table, encoding)
    seen = result - (table[tokens] * 6**0.5)
    if not same(seen, encoding[:5].expand(2, 5, 6)) and same(seen[:1], seen[1:]):
        mistakes.append(
            Mistake(
                lambda _: True,
                "what is added to the token's part is the same for both sentences, but not the encoding of task 1",
                "sinusoidal_encoding is not right yet, or another table is added",
                "go back to the check of task 1 first",
            )
        )
    built.compare(situation, result, right, requirement, mistakes)
    built.passed("token times sqrt(d_model), plus encoding")

    situation = "start = 3"
    right = right_embedding(tokens, table, encoding, start=3)
    ignored = Mistake(
        right_embedding(tokens, table, encoding), "the result is that of start = 0", "start is not used", ""
    )
    ignored.hint = "the first token stands at position `start`"
    result = built.tensor(situation, tokens, start=3, like=right)
    built.compare(situation, result, right, "the encodings of positions 3, 4, ...", [ignored])
    built.refuses("positions beyond max_length", torch.ones(2, 10, dtype=torch.int64))
    built.refuses("a start that leads beyond max_length", tokens, start=5)
    built.passed("positions begin at start and end before max_length")

    require_dropout(embedding_class, "dropout = 0.25", 0.25)
    built.passed("dropout falls on the sum, in training alone")
    require_buffer(built, "the module in half precision", tokens, 9, 6)
    built.passed("the encoding is a buffer and follows .to()")


def require_dropout(embedding_class: Callable, situation: str, probability: float) -> None:
    """Require that in training entries of the sum are set to zero, and in evaluation none."""
    built, table = make(embedding_class, situation, 11, 6, seed=21, max_length=9, dropout=probability)
    tokens = torch.arange(36).view(4, 9) % 10 + 1
    built.function.eval()
    right = right_embedding(tokens, table, own_table(built, situation, 9, 6))
    result = built.tensor(f"{situation}, evaluation mode", tokens, like=right)
    requirement = "nothing is dropped in evaluation mode"
    built.compare(f"{situation}, evaluation mode", result, right, requirement, hint="use nn.Dropout")
    built.function.train()
    result = built.tensor(f"{situation}, training mode", tokens, like=right)
    expected = "each entry of the sum set to zero with this probability, the others divided by 1 - dropout"
    hint = "give a module that adds up both parts to an nn.Dropout: what stands inside its brackets?"
    where, keep = f"{situation}, training mode", 1 - probability
    if same(result, right):
        built.fail(where, "nothing is dropped", expected, "dropout is not used", hint)
    before = right - table[tokens] * table.shape[1] ** 0.5  # the encoding alone
    if same(result, before + torch.where((result - before).abs() < 1e-9, 0.0, (right - before) / keep)):
        cause = "dropout falls on the token's part, before the encoding is added"
        built.fail(where, "the token's part is missing in places, the encoding never is", expected, cause, hint)
    dropped = result == 0
    count, spread = right.numel(), (right.numel() * probability * keep) ** 0.5
    by_entry = (dropped.any(-1) & ~dropped.all(-1)).any()
    likely = abs(int(dropped.sum()) - count * probability) <= 6.5 * spread
    if not (by_entry and likely and same(result, torch.where(dropped, 0.0, right / keep))):
        cause = "dropout has another probability, works twice, on whole words, or on one of the two parts"
        built.fail(where, f"{int(dropped.sum())} of {count} numbers are zero", expected, cause, hint)


def require_buffer(built: Answer, situation: str, tokens: Tensor, max_length: int, d_model: int) -> None:
    """Require a buffer that holds the encoding and takes part in conversions."""
    if not any(buffer.numel() == max_length * d_model for buffer in built.function.buffers()):
        built.fail(
            situation,
            f"no buffer holds {max_length} times {d_model} numbers",
            "the encoding of max_length positions as a buffer",
            "it is a plain attribute, or computed anew in every call",
            "see `register_buffer` of nn.Module",
        )
    built.function.half()
    like = torch.zeros(*tokens.shape, d_model, dtype=torch.float16)
    result = built.tensor(situation, tokens, like=like)
    right = right_embedding(
        tokens, built.function.token.weight.detach(), own_table(built, situation, max_length, d_model)
    )
    built.compare(situation, result, right, "the same sum in half precision")
    built.function.double()
