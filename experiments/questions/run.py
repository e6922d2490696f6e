"""Questions about the built-in scenes, and matching, for chapter 16: `python -m experiments.questions`.

"questions": four models, for the same CPU seconds. "matching": two encoders and the contrastive loss, for less time.
"""

import argparse

import torch
from tqdm import tqdm

from experiments.questions import answering, matching
from experiments.results import Results

CPU_SECONDS, MATCHING_SECONDS, SEEDS = 75, 30, (0, 1, 2)
SETTINGS = {
    "cpu_seconds": CPU_SECONDS,
    "rate": answering.RATE,
    "batch": answering.BATCH,
    "matching": {"cpu_seconds": MATCHING_SECONDS, "rate": matching.RATE, "batch": matching.BATCH},
}


def answer(name: str, seed: int) -> dict:
    """Train a model that answers questions, and measure it."""
    torch.manual_seed(seed)
    model = answering.MODELS[name]()
    losses = answering.train_answerer(model, seed, cpu_seconds=CPU_SECONDS)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return {"updates": len(losses), "parameters": parameters, "right": answering.score_answers(model)}


def match(seed: int) -> dict:
    """Train a model that matches pictures and captions, and measure it."""
    torch.manual_seed(seed)
    model = matching.Matcher()
    before = matching.shown_cosines(model)
    losses = matching.train_matcher(model, seed, cpu_seconds=MATCHING_SECONDS)
    return {
        "updates": len(losses),
        "recall": matching.recall(model),
        "composition": matching.recall(model, "composition"),
        "told_apart": matching.tell_apart(model),
        "zero_shot": matching.zero_shot(model),
        "cosines": {"before": before, "after": matching.shown_cosines(model)},
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--models", nargs="*", choices=(*answering.MODELS, "matching"),
                        default=[*answering.MODELS, "matching"])  # fmt: skip
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("questions", SETTINGS)
    for seed in tqdm(options.seeds, desc="seeds"):
        for name in options.models:
            task = "matching" if name == "matching" else "questions"
            if not results.has(task=task, model=name, seed=seed):
                found = match(seed) if task == "matching" else answer(name, seed)
                results.add(task=task, model=name, seed=seed, **found)


if __name__ == "__main__":
    main()
