"""Several heads of the small translators of chapter 12 at once: `python -m experiments.heads_together`.

The models, test sentences and pairs of sentences are those of `experiments.inside_seeds`, trained again. About half a
minute of CPU time for each.
"""

import torch

from experiments.inside_seeds import NUM_PATCHED, NUM_STEPS, NUM_TRAIN, SEEDS, unseen_pairs
from experiments.results import Results
from transformer_course.training import head_study
from transformer_course.training.heads_together import patching_together, silencing_layers
from transformer_course.training.small_translators import LONGEST, SETTINGS, SIZES, train_small_translator


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    amounts = {"num_train": NUM_TRAIN, "num_steps": NUM_STEPS, "num_test": 400, "longest": LONGEST}
    results = Results("heads_together", {**SETTINGS, **SIZES, **amounts, "num_patched": NUM_PATCHED})
    for seed in SEEDS:
        if results.has(seed=seed):
            continue
        small = train_small_translator(NUM_TRAIN, NUM_STEPS, seed)
        words = small.english, small.french
        candidates = head_study.minimal_pairs(unseen_pairs(small), 5 * NUM_PATCHED)
        patched = head_study.minds_changed(small.model, candidates, NUM_PATCHED, *words)
        sentences = head_study.in_batches(small.test, *words)
        run = {"seed": seed, "loss": head_study.nats_per_token(small.model, sentences)}
        for kind in head_study.KINDS:
            run[kind] = {
                "silenced": head_study.silencing(small.model, kind, sentences).tolist(),
                "layers silenced": silencing_layers(small.model, kind, sentences).tolist(),
                "patched": patching_together(small.model, kind, patched, *words).tolist(),
            }
        results.add(**run)


if __name__ == "__main__":
    main()
