"""How wide must the one vector be? `python -m experiments.one_vector`.

The plain encoder-decoder on the small language of chapters 01 and 03, sentences of 1 to 4 noun phrases. The encoder
hands over only the first entries of its last state; the decoder gets zeros for the others. Encoder and decoder keep
their sizes, so that only the width of what is handed over differs. Measured on sentences of the training set, and on
new ones, by the number of noun phrases. Some minutes.
"""

import argparse
import random

import torch
from torch import Tensor

from experiments.looks.scored_attention import train_small
from experiments.results import Results
from transformer_course.data.sentences import SentencePair
from transformer_course.data.toy_grammar import ENGLISH, FRENCH, as_tensors, draw_phrase_pair
from transformer_course.rnn_encoder_decoder import greedy_decode
from transformer_course.training.ladder.gru import GRUTranslator, State

WIDTHS, SEEDS = (64, 8, 16, 32), (0, 1)
SETTINGS = {"phrases": 4, "updates": 1_500, "learning_rate": 0.01, "num_train": 6_000, "num_test": 1_000}
SIZES = {"d_embedding": 20, "d_hidden": 64}


class NarrowTranslator(GRUTranslator):
    """The plain encoder-decoder, whose encoder hands over only the first entries of its last state.

    Args:
        source_vocab_size: number of source words.
        target_vocab_size: number of target words.
        d_vector: how many entries are handed over.
        d_embedding: width of an embedded word.
        d_hidden: width of the recurrent states.
    """

    def __init__(self, source_vocab_size: int, target_vocab_size: int, d_vector: int, d_embedding: int, d_hidden: int):
        super().__init__(source_vocab_size, target_vocab_size, d_embedding, d_hidden)
        self.d_vector = d_vector

    def start_decoding(self, source: Tensor) -> State:
        """Read the source sentences ``(batch, source_length)``; the state has sentences in dimension 0."""
        last = super().start_decoding(source)["hidden"].clone()  # (batch, d_hidden)
        last[:, self.d_vector :] = 0.0
        return {"hidden": last}


def draw() -> tuple[list[SentencePair], list[SentencePair]]:
    """Draw the training sentences, and new ones that are none of them."""
    rng = random.Random(0)
    train = [draw_phrase_pair(rng, SETTINGS["phrases"]) for _ in range(SETTINGS["num_train"])]
    known = {pair.source for pair in train}
    drawn = [draw_phrase_pair(rng, SETTINGS["phrases"]) for _ in range(SETTINGS["num_test"])]
    return train, [pair for pair in drawn if pair.source not in known]


@torch.no_grad()
def right_by_phrases(model: GRUTranslator, pairs: list[SentencePair]) -> dict[str, tuple[float, int]]:
    """Return the share of sentences without a mistake and the number of sentences, by number of noun phrases."""
    source, target = as_tensors(pairs)
    written = greedy_decode(model.decode_step, model.start_decoding(source), len(pairs), target.shape[1])
    hits: dict[str, list[bool]] = {}
    for row, pair in zip(written.tolist(), pairs, strict=True):
        hits.setdefault(str(pair.source.count("the")), []).append(tuple(FRENCH.decode(row)) == pair.target)
    return {phrases: (sum(right) / len(right), len(right)) for phrases, right in sorted(hits.items())}


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    train, new = draw()
    source, target = as_tensors(train)
    results = Results("one_vector", {"training": SETTINGS, "sizes": SIZES})
    for seed in options.seeds:
        for d_vector in WIDTHS:
            if results.has(d_vector=d_vector, seed=seed):
                continue
            torch.manual_seed(seed)
            model = NarrowTranslator(len(ENGLISH), len(FRENCH), d_vector, **SIZES)
            train_small(model, source, target, SETTINGS["updates"], SETTINGS["learning_rate"])
            results.add(
                d_vector=d_vector,
                seed=seed,
                new=right_by_phrases(model, new),
                seen_in_training=right_by_phrases(model, train[: SETTINGS["num_test"]]),
            )


if __name__ == "__main__":
    main()
