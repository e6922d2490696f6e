"""A small model drafts for the language model of chapter 13: `python -m experiments.speculative`. A minute.

Two drafts: a Transformer of one narrow block, trained for 8 CPU seconds, and counted sequences of four characters,
which need none. As a control, a draft that proposes every character alike.
"""

import torch
from torch import Tensor

from experiments.language.recipes import LENGTH, train
from experiments.results import Results
from experiments.speculative.drafts import Next, drawing, next_of, speculative_write
from transformer_course.data.shakespeare import load_shakespeare
from transformer_course.generation.kneser_ney import KneserNey

TARGET, DRAFT, ORDER = "the chapter's model", "a small model", 4
CPU_SECONDS, DRAFT_SECONDS = 20.0, 8.0
NUM_DRAFTED, SEEDS, PROMPT, NUM_TOKENS = (0, 1, 2, 4, 8), (0, 1, 2), "First Citizen:\n", LENGTH - 16
SETTINGS = {
    "target": TARGET,
    "cpu_seconds": CPU_SECONDS,
    "drafts": {"one narrow block": DRAFT_SECONDS, "counted": ORDER},
    "num_drafted": NUM_DRAFTED,
    "seeds": SEEDS,
    "num_tokens": NUM_TOKENS,
}


def counted(model: KneserNey) -> Next:
    """Let counted sequences say what comes next."""

    def after(tokens: list[int], last: int) -> Tensor:
        places = range(len(tokens) - last + 1, len(tokens) + 1)
        return torch.stack([model.next_probabilities(torch.tensor(tokens[:i])) for i in places]).float()

    return after


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results, data = Results("speculative", SETTINGS), load_shakespeare()
    if results.has(draft="all characters alike"):
        return
    target = next_of(train(TARGET, 0, data, cpu_seconds=CPU_SECONDS)[0])
    vocab_size = len(data.characters)
    drafts: dict[str, Next] = {
        "one narrow block": next_of(train(DRAFT, 0, data, cpu_seconds=DRAFT_SECONDS)[0]),
        "counted": counted(KneserNey(data.train, ORDER, vocab_size)),
        "all characters alike": lambda tokens, last: torch.full((last, vocab_size), 1 / vocab_size),
    }
    prompt = data.characters.encode(PROMPT).tolist()
    for name, draft in drafts.items():
        for number in NUM_DRAFTED:
            runs = [
                speculative_write(
                    target, draft, prompt, NUM_TOKENS, number, drawing(torch.Generator().manual_seed(seed))
                )
                for seed in SEEDS
            ]
            passes, drafted = sum(run.passes for run in runs), sum(run.drafted for run in runs)
            share = sum(run.accepted for run in runs) / drafted if drafted else None
            results.add(
                draft=name,
                num_drafted=number,
                tokens_a_pass=len(runs) * NUM_TOKENS / passes,
                accepted=share,
                text=data.characters.decode(torch.tensor(runs[0].tokens)),
            )


if __name__ == "__main__":
    main()
