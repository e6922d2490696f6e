"""Beams of growing width against exact search, for three small translators: `python -m experiments.beams`.

The model and the data are those of chapter 11; seed 0 is the one that the chapter trains. About five minutes of CPU
time for each seed. Kept: for each width and length penalty the words that were found and their log probability, for
the references their log probability, and the most probable sentence of all.
"""

import torch

from experiments.beams.exact_search import exact_search
from experiments.inside_seeds.small_translators import LONGEST, SETTINGS, SIZES, train_small_translator
from experiments.results import Results
from transformer_course.common.tokens import EOS
from transformer_course.decoding import CachedDecoder
from transformer_course.rnn_encoder_decoder import beam_search, length_penalty
from transformer_course.training.models import Translator

NUM_TRAIN, NUM_STEPS = 8_000, 220
SEARCHES = [(width, 0.0) for width in (1, 2, 4, 8, 16, 32)] + [(width, 1.0) for width in (4, 16, 32)]
SEEDS, MAX_LENGTH = (0, 1, 2), 30


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    amounts = {"num_train": NUM_TRAIN, "num_steps": NUM_STEPS, "num_test": 400, "longest": LONGEST}
    results = Results("beams", {**SETTINGS, **SIZES, **amounts})
    for seed in SEEDS:
        if results.has(seed=seed):
            continue
        model, _, english, french, _, test, _ = train_small_translator(NUM_TRAIN, NUM_STEPS, seed)
        translator, writer = Translator("transformer", model, english, french), CachedDecoder(model)
        found = {}
        with torch.inference_mode():
            starts = [writer.start_decoding(translator.source([pair.source])) for pair in test]
            for width, alpha in SEARCHES:
                rows = []
                for start in starts:
                    tokens, score = beam_search(writer.decode_step, start, width, MAX_LENGTH, alpha)[0]
                    total = score * length_penalty(len(tokens), alpha)
                    rows.append([" ".join(french.decode(tokens)), round(total, 4), len(tokens)])
                found[f"beam {width}, alpha {alpha:g}"] = rows
            best_found = [max(rows[i][1] for rows in found.values()) for i in range(len(test))]
            exact, prefixes = [], []
            for start, known in zip(starts, best_found, strict=True):
                # A little below what a beam has found, so that the optimum itself is found again if it is the same.
                tokens, total, num_read = exact_search(writer.decode_step, start, MAX_LENGTH, known - 0.01)
                exact.append([" ".join(french.decode(tokens)), round(total, 4), len(tokens)])
                prefixes.append(num_read)
            references = []
            for pair in test:
                labels = torch.tensor([[*french.encode(pair.target), EOS]])
                inputs = torch.cat([torch.ones(1, 1, dtype=torch.long), labels[:, :-1]], dim=1)
                logits = model(translator.source([pair.source]), inputs)
                total = logits.log_softmax(dim=-1).gather(2, labels.unsqueeze(2)).sum().item()
                references.append(round(total, 4))
        results.add(seed=seed, found=found, exact=exact, prefixes=prefixes, references=references)


if __name__ == "__main__":
    main()
