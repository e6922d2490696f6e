"""A beam search that notes what it sees, for the live figure of chapter 11."""

from typing import Any

import torch
from torch import Tensor

from transformer_course.common.tokens import EOS, Vocabulary
from transformer_course.rnn_encoder_decoder import Step, beam_search

Candidate = tuple[list[str], float, bool]


@torch.no_grad()
def traced_beam_search(
    step: Step, state: Any, width: int, max_length: int, vocabulary: Vocabulary, shown: int = 7
) -> list[list[Candidate]]:
    """Run `beam_search`, and keep the best candidates of each step as `figures.live.beam_stepper` wants them.

    Args:
        step: as for `beam_search`.
        state: with 1 hypothesis in dimension 0.
        width: of the beam.
        max_length: longest sentence.
        vocabulary: names the tokens.
        shown: how many candidates to keep, at least width.

    Returns:
        For each step its candidates, best first: the words so far, the sum of log probabilities, and whether it stays.
    """
    steps: list[list[Candidate]] = []

    def noting_step(tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        history = torch.cat([state["history"], tokens.unsqueeze(1)], dim=1)  # (hypotheses, length + 1), BOS first
        total = state["total"] + state["following"].gather(1, tokens.unsqueeze(1))  # (hypotheses, 1)
        logits, inner = step(tokens, state["inner"])
        following = logits.log_softmax(dim=-1)  # (hypotheses, vocab_size)
        ranked = (total + following).flatten().topk(max(shown, width))
        candidates = []
        for rank, (score, index) in enumerate(zip(ranked.values.tolist(), ranked.indices.tolist(), strict=True)):
            parent, token = divmod(index, logits.shape[1])
            words = [vocabulary.words[t] if t != EOS else "</s>" for t in [*history[parent, 1:].tolist(), token]]
            candidates.append((words, score, rank < width))
        steps.append(candidates)
        return logits, {"inner": inner, "history": history, "total": total, "following": following}

    before = {"history": torch.zeros(1, 0, dtype=torch.long), "total": torch.zeros(1, 1)}
    # What BOS adds to the sum: nothing.
    before |= {"following": torch.zeros(1, len(vocabulary))}
    beam_search(noting_step, before | {"inner": state}, width, max_length)
    return steps
