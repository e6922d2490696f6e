"""The heads of three small translators that differ in their seed: `python -m experiments.inside_seeds`.

The model and the data are those of chapter 12; seed 0 is the one that the chapter trains. About two minutes of CPU time
for each.
"""

import torch

from experiments.results import Results
from transformer_course.common.tokens import Vocabulary
from transformer_course.data.batching import make_examples
from transformer_course.data.corpus import load_corpus
from transformer_course.training import head_study
from transformer_course.training.config import TrainingConfig
from transformer_course.training.loop import Trainer
from transformer_course.transformer import Transformer

SETTINGS = {"num_steps": 500, "learning_rate": 5e-3, "warmup_steps": 60}
SIZES = {"d_model": 64, "num_heads": 4, "num_encoder_layers": 2, "num_decoder_layers": 2, "d_ff": 256}
SEEDS = (0, 1, 2)


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    corpus = load_corpus(num_train=24_000, num_test=400)
    train, test = ([pair for pair in pairs if len(pair.source) <= 8] for pairs in (corpus.train, corpus.test))
    english = Vocabulary.from_sentences(pair.source for pair in train)
    french = Vocabulary.from_sentences(pair.target for pair in train)
    sentences = head_study.in_batches(test, english, french)
    results = Results("inside_seeds", {**SETTINGS, **SIZES, "num_train": 24_000, "num_test": 400, "longest": 8})
    for seed in SEEDS:
        if results.has(seed=seed):
            continue
        torch.manual_seed(seed)
        model = Transformer(len(english), len(french), **SIZES, dropout=0.0, norm_first=True, tie_weights=True)
        untrained = [head_study.maps_of(model.eval(), pair, english, french) for pair in test]
        model.train()
        Trainer(model, make_examples(train, english.encode, french.encode), TrainingConfig(**SETTINGS)).run()
        model.eval()
        maps = [head_study.maps_of(model, pair, english, french) for pair in test]
        run = {"seed": seed, "loss": head_study.nats_per_token(model, sentences)}
        for kind in head_study.KINDS:
            of_kind = [each[kind] for each in maps]
            run[kind] = {
                "entropy": head_study.mean_over_sentences(of_kind, head_study.width).tolist(),
                "entropy untrained": head_study.mean_over_sentences(
                    [each[kind] for each in untrained], head_study.width
                ).tolist(),
                "confidence": head_study.mean_over_sentences(of_kind, head_study.confidence).tolist(),
                "silenced": head_study.silencing(model, kind, sentences).tolist(),
                "mean": head_study.mean_ablation(model, kind, sentences).tolist(),
            }
        for shift, name in ((0, "to be written"), (1, "just read")):
            run[name] = head_study.alignment_errors([each["cross"] for each in maps], test, shift).tolist()
        results.add(**run)


if __name__ == "__main__":
    main()
