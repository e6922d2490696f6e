"""Languages so small that every sentence can be tried: what chapter 11 judges a search by.

Three words, and a sentence is cut after five tokens. What may follow depends on all words before, through random
logits: 121 beginnings of up to four words, 364 sentences.
"""

import itertools

import torch

from transformer_course.common.tokens import BOS, EOS
from transformer_course.rnn_encoder_decoder import Step

WORDS, LONGEST = (3, 4, 5), 5
# Cut after LONGEST words, or ended before.
SENTENCES = [
    [*words, *end]
    for length in range(LONGEST + 1)
    for words in itertools.product(WORDS, repeat=length)
    for end in ([[EOS]] if length < LONGEST else [[]])
]
START = torch.zeros(1, 1, dtype=torch.long)


def tiny_language(seed: int) -> Step:
    """Draw a language; its step is one for `beam_search`, which begins with the state `START`.

    The state is the beginning so far, as the number of a node in the tree of all beginnings.
    """
    table = torch.randn(364, 6, generator=torch.Generator().manual_seed(seed))  # (nodes, vocab_size)
    table[:, :2] = -torch.inf  # PAD and BOS never follow
    table[:, EOS] -= 2.0  # rarely end early, or there would be little to search

    def step(tokens, state):
        node = torch.where(tokens >= 3, 3 * state[:, 0] + tokens - 2, state[:, 0])  # (hypotheses,)
        return table[node], node.unsqueeze(1)

    return step


def log_probability(step: Step, sentence: list[int]) -> float:
    """Add up what a language says to each token of a sentence."""
    total, state, token = 0.0, START, BOS
    for following in sentence:
        logits, state = step(torch.tensor([token]), state)
        total, token = total + logits[0].log_softmax(dim=-1)[following].item(), following
    return total
