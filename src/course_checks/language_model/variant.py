"""What a variant of exercise 13 is drawn from."""

import torch
from torch import Tensor

from course_checks.language_model.filter_logits import right as filtered
from course_checks.language_model.predictions import predictions
from course_checks.predictions import tendency
from course_checks.variants import Bug, Hunt, Question, Questions

hunt = Hunt(
    "`fixed_loss(model, tokens, length)` goes through a text `(num_tokens,)` window by window and returns the mean "
    "loss over **all** predictions: every token of the text except the first is predicted exactly once, from the "
    "tokens before it in its window, and every prediction counts the same. The windows begin at places 0, `length`, "
    "2 `length` and so on, and each shows the model `length` tokens, the last one perhaps fewer. The result is a "
    "tensor without dimensions.",
    (
        Bug(
            "for start in range(0, len(tokens) - 1, length):",
            "for start in range(0, len(tokens) - 1, length + 1):",
            "a prediction is left out between two windows",
        ),
        Bug(
            "for start in range(0, len(tokens) - 1, length):",
            "for start in range(0, max(1, len(tokens) - length), length):",
            "the rest at the end is left out",
        ),
        Bug(
            "window = tokens[start : start + length + 1]",
            "window = tokens[: start + length + 1]",
            "each window begins at the beginning of the text",
        ),
        Bug(
            "window = tokens[start : start + length + 1]",
            "window = tokens[start : start + length + 2]",
            "the windows overlap",
        ),
        Bug(
            "inputs, labels = window[:-1], window[1:]",
            "inputs, labels = window[1:], window[1:]",
            "the model sees what it should predict",
        ),
        Bug(
            "inputs, labels = window[:-1], window[1:]",
            "inputs, labels = window[:-1], window[:-1]",
            "the labels are not shifted",
        ),
        Bug(
            "logits = model(inputs.unsqueeze(0))[0]",
            "logits = model(inputs.unsqueeze(0))[0].softmax(dim=-1)",
            "softmax stands before cross_entropy, which applies it itself",
        ),
        Bug(
            "return torch.cat(losses).mean()",
            "return torch.cat(losses).sum() / len(tokens)",
            "divided by the number of tokens, of which the first is not predicted",
        ),
        Bug(
            "return torch.cat(losses).mean()",
            "return torch.cat(losses).median()",
            "the median in the place of the mean",
        ),
    ),
)


LOGITS = torch.tensor([3.0, 2.2, 1.6, 1.0, 0.5, 0.1, -0.4, -1.0, -1.5, -2.2])


def _filter(logits: Tensor, top_k: int | None = None, top_p: float | None = None) -> Tensor:
    return filtered(logits.double().reshape(1, -1), top_k, top_p)


def _filtered(key: str, text: str, before: str, after: str, how: str = "kept") -> Question:
    names = {"some": LOGITS, "filter_logits": _filter, "torch": torch,
             "kept": lambda logits, **cut: (_filter(logits, **cut) > -torch.inf).sum().item(),
             "largest": lambda logits, **cut: _filter(logits, **cut).softmax(-1).max().item()}  # fmt: skip
    before, after = f"{how}({before})", f"{how}({after})"
    shows = f'print(f"{key}: {{{before}:.3g}} -> {{{after}:.3g}}")'
    return Question(key, text, lambda: tendency(eval(before, names), eval(after, names)), shows)


_ROW = "the number of tokens that stay"
_MOST = "the probability of the most probable token, after what stays has been normalised"
questions = Questions(
    predictions,
    "A model that writes does not always take the most probable character: characters are *drawn*. Three numbers "
    "change what can be drawn. The **temperature** divides the logits; **top-k** keeps the k most probable tokens; "
    "**top-p** keeps the fewest tokens that together have at least probability p. Take a row of ten logits whose "
    "probabilities, at temperature 1, are 0.49, 0.22, 0.12, 0.07, 0.04, 0.03 and four smaller ones, 0.03 "
    "together. What happens to",
    'Answer each with `"rises"`, `"stays"` or `"falls"`. The cell after task 4 measures it with your own function; you '
    "may come back. If you change a word afterwards, leave your first guess beside it as a comment: what surprised you "
    "is what you have learned.",
    "run-filter",
    """some = torch.tensor([3.0, 2.2, 1.6, 1.0, 0.5, 0.1, -0.4, -1.0, -1.5, -2.2])


def kept(logits, **how):
    return (filter_logits(logits, **how) > -torch.inf).sum().item()


def largest(logits, **how):
    return filter_logits(logits, **how).softmax(-1).max().item()


ROWS""",
    (
        _filtered("top_k, colder", f"{_ROW}, with `top_k=5`, when the temperature goes from 1 to 0.5",
                  "some, top_k=5", "some / 0.5, top_k=5"),
        _filtered("top_p, colder", f"{_ROW}, with `top_p=0.8`, when the temperature goes from 1 to 0.5",
                  "some, top_p=0.8", "some / 0.5, top_p=0.8"),
        _filtered("small top_p, hotter", f"{_ROW}, with `top_p=0.4`, when the temperature goes from 1 to 2",
                  "some, top_p=0.4", "some / 2, top_p=0.4"),
        _filtered("all logits higher", f"{_ROW}, with `top_p=0.8`, when 2 is added to all logits",
                  "some, top_p=0.8", "some + 2, top_p=0.8"),
        _filtered("top_p after a large top_k", f"{_ROW}, with `top_p=0.8`, when a `top_k=8` is added; it comes first, "
                  "and `top_p` sums the probabilities of what is left, normalised", "some, top_p=0.8",
                  "some, top_k=8, top_p=0.8"),
        _filtered("every token twice, top_p", f"{_ROW}, with `top_p=0.8`, when each token gets an equal twin",
                  "some, top_p=0.8", "some.repeat(2), top_p=0.8"),
        _filtered("every token twice, top_k", f"{_ROW}, with `top_k=5`, when each token gets a twin with the same "
                  "logit plus 0.01", "some, top_k=5", "torch.cat([some, some + 0.01]), top_k=5"),
        _filtered("largest, top_k", f"{_MOST}, when `top_k` goes from 2 to 5", "some, top_k=2", "some, top_k=5",
                  "largest"),
        _filtered("largest, top_p", f"{_MOST}, when `top_p` goes from 0.6 to 0.9", "some, top_p=0.6", "some, top_p=0.9",
                  "largest"),
        _filtered("largest, colder", f"{_MOST}, with `top_k=3`, when the temperature goes from 2 to 1",
                  "some / 2, top_k=3", "some, top_k=3", "largest"),
    ),
)  # fmt: skip
