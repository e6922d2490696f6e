"""Writing several tokens with one pass of a large model: a small one drafts them, the large one accepts or refuses.

Source: Leviathan et al. (2023), "Fast Inference from Transformers via Speculative Decoding", section 2.3 and theorem
3.5; Chen et al. (2023), "Accelerating Large Language Model Decoding with Speculative Sampling", found the same.

Dimension names: ``drafted`` tokens; ``vocab_size`` tokens to choose from.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from transformer_course.common.validation import require_floating, require_not_negative, require_positive, require_shape
from transformer_course.language_model import filter_logits

Next = Callable[[list[int], int], Tensor]
"""``next(tokens, last)``: what comes after each of the last tokens of a text, ``(last, vocab_size)``, in one pass."""
Choose = Callable[[Tensor], int]


@dataclass(frozen=True)
class Drafted:
    """A text, and what it took.

    Args:
        tokens: of the text, the prompt first.
        passes: of the large model.
        drafted: tokens that the small model proposed.
        accepted: of these, those that stayed.
    """

    tokens: list[int]
    passes: int
    drafted: int
    accepted: int


def residual_distribution(target: Tensor, draft: Tensor) -> Tensor:
    """Say what is drawn in the place of a token that was refused: what the draft proposes too seldom.

    Source: Leviathan et al. (2023), section 2.3, ``norm(max(0, p - q))``.

    Args:
        target: probabilities ``(vocab_size,)`` of the large model.
        draft: those of the small one.

    Returns:
        Probabilities ``(vocab_size,)``; those of the target where both are the same, when no token can be refused.

    >>> residual_distribution(torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.7, 0.1, 0.2]))
    tensor([0., 1., 0.])
    """
    left = (target - draft).clamp(min=0)
    total = left.sum()
    return left / total if total > 0 else target


def accept(target: Tensor, draft: Tensor, tokens: list[int], choose: Choose) -> list[int]:
    """Keep the drafted tokens up to the first that is refused, and add one of the large model's own.

    Token x stays with probability ``min(1, p(x) / q(x))``. Where all stay, the pass has said what comes after them too.
    Whatever the draft is, each token that comes out is distributed as the large model says.

    Source: Leviathan et al. (2023), section 2.3, algorithm 1.

    Args:
        target: probabilities ``(drafted + 1, vocab_size)``, what the large model says after the text before the draft,
            and after each drafted token.
        draft: probabilities ``(drafted, vocab_size)``, from which the tokens were drawn.
        tokens: the drafted ones.
        choose: draws an index from probabilities.

    Returns:
        One token more than stayed.

    Raises:
        ValueError: if the shapes do not fit.
    """
    require_floating("target", target)
    require_shape("target", target, (len(tokens) + 1, "vocab_size"))
    require_shape("draft", draft, (len(tokens), target.shape[1]))
    for i, token in enumerate(tokens):
        stays = (target[i, token] / draft[i, token]).clamp(max=1)
        if choose(torch.stack([1 - stays, stays])) == 0:
            return [*tokens[:i], choose(residual_distribution(target[i], draft[i]))]
    return [*tokens, choose(target[-1])]


def speculative_write(
    target: Next, draft: Next, prompt: list[int], num_tokens: int, num_drafted: int, choose: Choose
) -> Drafted:
    """Go on with a text, so that it is distributed as if the large model alone had written it.

    Source: Leviathan et al. (2023), section 2.

    Args:
        target: the large model.
        draft: the small model.
        prompt: the text, at least one token.
        num_tokens: how many are appended.
        num_drafted: how many are drafted for each pass; with 0 the large model writes alone.
        choose: draws an index from probabilities.

    Returns:
        The text, and what it took.

    Raises:
        ValueError: if the prompt is empty or a number is out of range.
    """
    require_positive("length of the prompt", len(prompt))
    require_not_negative("num_tokens", num_tokens)
    require_not_negative("num_drafted", num_drafted)
    text, passes, drafted, accepted = list(prompt), 0, 0, 0
    while (left := len(prompt) + num_tokens - len(text)) > 0:
        proposed, rows = [], []
        for _ in range(min(num_drafted, left - 1)):
            rows.append(draft([*text, *proposed], 1)[0])
            proposed.append(choose(rows[-1]))
        says = target([*text, *proposed], len(proposed) + 1)  # (drafted + 1, vocab_size), in one pass
        new = accept(says, torch.stack(rows) if rows else says[:0], proposed, choose)
        text += new
        passes, drafted, accepted = passes + 1, drafted + len(proposed), accepted + len(new) - 1
    return Drafted(text, passes, drafted, accepted)


def expected_tokens(acceptance: float, num_drafted: int) -> float:
    """Give the mean number of tokens of a pass, if each drafted token stays with this probability on its own.

    Source: Leviathan et al. (2023), equation 1.

    >>> expected_tokens(0.5, 2)  # 1 + 1/2 + 1/4
    1.75
    """
    return sum(acceptance**i for i in range(num_drafted + 1))


def next_of(model: nn.Module, temperature: float = 1.0, top_p: float | None = None) -> Next:
    """Let a language model say what comes next.

    Args:
        model: ``model(tokens (1, length)) -> logits (1, length, vocab_size)``, in eval mode.
        temperature: divides the logits.
        top_p: as in ``filter_logits``. Both models may be sharpened in this way, each in its own.
    """

    @torch.no_grad()
    def after(tokens: list[int], last: int) -> Tensor:
        logits = model(torch.tensor([tokens]))[0, -last:] / temperature  # (last, vocab_size)
        return filter_logits(logits, top_p=top_p).softmax(-1)

    return after


def drawing(generator: torch.Generator | None = None) -> Choose:
    """Draw from probabilities with a generator."""
    return lambda probabilities: int(torch.multinomial(probabilities, 1, generator=generator))
