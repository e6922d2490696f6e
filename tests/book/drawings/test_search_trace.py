"""The trace of a beam search is that of the search itself."""

import torch

from drawings.live import beam_stepper
from drawings.search_trace import traced_beam_search
from transformer_course.common.tokens import Vocabulary
from transformer_course.rnn_encoder_decoder import beam_search


def test_the_trace_ends_with_the_winner():
    table = 2 * torch.randn(6, 6, generator=torch.Generator().manual_seed(0))
    table[:, :2] = table[:, 3] = -30.0  # PAD, BOS and UNK hardly ever
    vocabulary = Vocabulary.from_sentences([["a", "b"]])
    assert len(vocabulary) == 6

    def step(tokens, state):
        return table[tokens], state

    start = torch.zeros(1, 1)
    steps = traced_beam_search(step, start, 2, 6, vocabulary, shown=4)
    tokens, score = beam_search(step, start, 2, 6)[0]
    words = [*vocabulary.decode(tokens), "</s>"]
    seen = {tuple(w): s for candidates in steps for w, s, kept in candidates if kept}
    assert abs(seen[tuple(words)] - score) < 1e-5
    assert all(sum(kept for *_, kept in candidates) == 2 for candidates in steps)
    beam_stepper(steps)  # refuses a trace that does not hang together
