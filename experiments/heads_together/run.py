"""Several heads of the small translators of chapter 12 at once: `python -m experiments.heads_together`.

The models, test sentences and pairs of sentences are those of `experiments.inside_seeds`, trained again. About half a
minute of CPU time for each.
"""

import torch

from experiments.heads_together.together import patching_together, silencing_layers
from experiments.inside_seeds import head_study
from experiments.inside_seeds.run import OF_RUNS, SEEDS, translator_and_pairs
from experiments.results import Results


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("heads_together", OF_RUNS)
    for seed in SEEDS:
        if results.has(seed=seed):
            continue
        small, patched = translator_and_pairs(seed)
        words = small.english, small.french
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
