"""Beams of growing width against exact search, for the translator in the page: `python -m experiments.page_beams`.

The stored model of `experiments.page_translator`, which is nearly always right, on the first of the longer test
sentences, where it makes most of its mistakes. No length penalty. About ten minutes of CPU time. Kept for each
sentence: the most probable translation of all with its log probability, the log probability of the reference, and for
each width what was found where it is not that optimum.
"""

import torch
from tqdm import tqdm

from experiments.beams.exact_search import exact_search
from experiments.page_translator.page_weights import read_page_weights
from experiments.page_translator.run import PAGE
from experiments.results import Results
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.corpus import load_corpus
from transformer_course.data.sentences import SentencePair
from transformer_course.decoding import CachedDecoder
from transformer_course.rnn_encoder_decoder import beam_search
from transformer_course.training.models import Translator

WIDTHS = (1, 4, 8, 32, 100)
SPLIT, NUM_SENTENCES, MAX_LENGTH, MARGIN = "longer", 300, 60, 1e-2


def reference_total(translator: Translator, pair: SentencePair) -> float:
    """Return the log probability of the reference, EOS included."""
    labels = torch.tensor([[*translator.target_vocabulary.encode(pair.target), EOS]])
    inputs = torch.cat([torch.full((1, 1), BOS), labels[:, :-1]], dim=1)  # (1, length)
    logits = translator.model(translator.source([pair.source]), inputs)
    return logits.log_softmax(dim=-1).gather(2, labels.unsqueeze(2)).sum().item()


def searched(translator: Translator, pair: SentencePair) -> dict:
    """Search one sentence in all ways."""
    writer = CachedDecoder(translator.model)
    start = writer.start_decoding(translator.source([pair.source]))

    def kept(tokens: list[int], total: float) -> list:
        return [" ".join(translator.target_vocabulary.decode(tokens)), round(total, 4)]

    found = {width: kept(*beam_search(writer.decode_step, start, width, MAX_LENGTH)[0]) for width in WIDTHS}
    known = max(total for _, total in found.values())
    tokens, total, num_read = exact_search(writer.decode_step, start, MAX_LENGTH, known - MARGIN)
    exact = kept(tokens, total)
    return {
        "reference": [" ".join(pair.target), round(reference_total(translator, pair), 4)],
        "exact": exact,
        "prefixes": num_read,
        "other": {str(width): each for width, each in found.items() if each[0] != exact[0]},
    }


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    settings = {"widths": WIDTHS, "num_sentences": NUM_SENTENCES, "max_length": MAX_LENGTH, "model": "page_translator"}
    results, translator, corpus = Results("page_beams", settings), read_page_weights(PAGE), load_corpus()
    if not results.has(split=SPLIT):
        pairs = getattr(corpus, SPLIT)[:NUM_SENTENCES]
        with torch.inference_mode():
            results.add(split=SPLIT, sentences=[searched(translator, pair) for pair in tqdm(pairs, desc=SPLIT)])


if __name__ == "__main__":
    main()
