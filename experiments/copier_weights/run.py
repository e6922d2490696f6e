"""The copiers of chapter 13 from their weights: `python -m experiments.copier_weights`.

About seven minutes, nearly all training. The models are those of `experiments.copier_circuit` (seeds 0 to 2), and six
more of each kind. The rules by which a head is named stand in SETTINGS. They were fixed on the seeds 0 to 2, before the
others were looked at, but for one: of a GPT only the positions 2j were looked at, and seed 4 writes elsewhere. Since
then `writing_pair` looks at all positions, and the seeds 6 to 8 were made after that.
"""

import torch
from torch import Tensor, nn

from experiments.copier_circuit.circuit import accuracy_without
from experiments.copier_weights import circuits, gpt, rebuilt
from experiments.induction.copying import NUM_HEADS, held_out_texts, measure, read, train
from experiments.results import Results
from transformer_course.language_model import induction_score

KINDS, SEEDS, RANDOM = ("attention only", "language model"), range(9), 25
# By the weights a head of layer 0 is a writer, and one of layer 1 a copier, which must do both: find and say.
WRITES = 0.5  # weight on the previous token, or in a GPT on letter j or j - 1 at position 2j
FINDS = 0.5  # share of letters whose query has its highest score with the note about this letter
COPIES = 0.5  # eigenvalues of the OV circuit: their sum over the sum of their magnitudes
NEAR = 38  # positions: 1 + 6 turns of the fastest pair of the rotation is 38.7, where the previous token comes again
SETTINGS = {
    "writes": WRITES,
    "finds": FINDS,
    "copies": COPIES,
    "random_draws": RANDOM,
    "near": NEAR,
    "texts": 16,
    "period": 24,
}


def above(values: Tensor, least: float) -> list[int]:
    """List the heads whose value is above the least."""
    return [head for head, value in enumerate(values.tolist()) if value > least]


def others(heads: list[int]) -> list[int]:
    """List the other heads of the layer."""
    return [head for head in range(NUM_HEADS) if head not in heads]


def right(logits: Tensor, texts: Tensor) -> float:
    """Say how many letters of the second half are right, but for its first: logits of all but the last letter."""
    period = texts.shape[1] // 2
    return (logits[:, period:].argmax(dim=-1) == texts[:, period + 1 :]).double().mean().item()


def mean_scores(weights: Tensor, tokens: Tensor) -> list[float]:
    """Give the mean induction score of each head, of ``(batch, heads, length, length)``."""
    return [
        sum(float(induction_score(weights[i, head], text)) for i, text in enumerate(tokens)) / len(tokens)
        for head in range(weights.shape[1])
    ]


def explained(predicted: Tensor, scores: Tensor) -> list[float]:
    """Say for each head how much of the variation of scores within the rows of the second half is predicted.

    Args:
        predicted: ``(batch, heads, length, length)``; what lies beyond the query does not count.
        scores: those of the model, in the same shape.

    Returns:
        The squared correlation after the mean of each row is subtracted.
    """
    kept = []
    for head in range(scores.shape[1]):
        rows = []
        for t in range((scores.shape[-1] + 1) // 2, scores.shape[-1]):
            pair = torch.stack([predicted[:, head, t, : t + 1], scores[:, head, t, : t + 1]])
            rows.append((pair - pair.mean(dim=-1, keepdim=True)).flatten(start_dim=1))
        ours, theirs = torch.cat(rows, dim=1)
        kept.append(((ours @ theirs) ** 2 / (ours @ ours) / (theirs @ theirs)).item())
    return kept


def of_copier(model: nn.Module, texts: Tensor) -> dict:
    """Study a copier that is attention alone."""
    tokens, length = texts[:, :-1], texts.shape[1] - 1
    # From the weights.
    by_distance = circuits.scores_by_distance(model, length)
    written = circuits.weight_on_previous(by_distance)
    writers = above(written, WRITES)
    note = circuits.notes(model)
    through_notes = note[writers].sum(dim=0)
    finds = circuits.on_diagonal(circuits.mean_finds(model, through_notes))
    at_one = [circuits.on_diagonal(circuits.finds(model, through_notes, at)) for at in circuits.DISTANCES]
    says = circuits.says(model)
    copies = circuits.copying_score(says)
    copiers = [head for head in above(finds, FINDS) if head in above(copies, COPIES)]
    divisor = circuits.divisor_of_layer_1(model, writers)
    # Controls: what the same measures give of something else.
    generator = torch.Generator().manual_seed(0)
    drawn = [circuits.random_parts(circuits.parts(model.attentions[1].layers), generator) for _ in range(RANDOM)]
    random_finds = torch.stack([circuits.on_diagonal(circuits.mean_finds(model, through_notes, of)) for of in drawn])
    random_says = torch.stack([circuits.says(model, of=of) for of in drawn])
    says_own, random_copies = circuits.on_diagonal(random_says), circuits.copying_score(random_says)
    first_says = circuits.says(model, layer=0)
    # What the weights predict of texts, without running the model.
    alone, _, _ = rebuilt.products_alone(model, tokens, writers, copiers, divisor)
    _, weights, scores = rebuilt.products_alone(model, tokens, writers, range(NUM_HEADS), divisor)
    from_weights = {
        "writes": written.tolist(),
        "rows_on_previous": circuits.rows_on_previous(by_distance).tolist(),
        "rows_on_previous_near": circuits.rows_on_previous(by_distance[..., :NEAR]).tolist(),
        "writers": writers,
        "finds": finds.tolist(),
        "finds_lowest": torch.stack(at_one).amin(dim=0).tolist(),
        "says": circuits.on_diagonal(says).tolist(),
        "copies": copies.tolist(),
        "copiers": copiers,
        "says_together": circuits.on_diagonal(says[copiers].sum(dim=0)).item(),
        "induction": mean_scores(weights, tokens),
    }
    controls = {
        "finds_notes_of_others": circuits.on_diagonal(
            circuits.mean_finds(model, note[others(writers)].sum(dim=0))
        ).tolist(),
        "finds_letters": circuits.on_diagonal(circuits.mean_finds(model, model.token.weight.detach())).tolist(),
        "says_of_layer_0": circuits.on_diagonal(first_says).tolist(),
        "copies_of_layer_0": circuits.copying_score(first_says).tolist(),
        "random_finds": [random_finds.mean().item(), random_finds.max().item()],
        "random_says": [says_own.mean().item(), says_own.max().item()],
        "random_copies": [random_copies.mean().item(), random_copies.max().item()],
    }
    # What the model does.
    whole = measure(model, texts)
    behaves = {
        "accuracy": whole.accuracy,
        "previous": whole.previous[0],
        "induction": whole.induction[1],
        "explained": explained(scores, rebuilt.scores_in_layer_1(model, tokens)),
        "without": {
            "writers": accuracy_without(model, 0, writers, texts),
            "others of layer 0": accuracy_without(model, 0, others(writers), texts),
            "copiers": accuracy_without(model, 1, copiers, texts),
            "others of layer 1": accuracy_without(model, 1, others(copiers), texts),
        },
    }
    # The model with the patterns that the weights name.
    before, after = rebuilt.previous_token(length), rebuilt.after_the_earlier(tokens)
    cut = torch.zeros(length, length)
    write = {(0, head): before for head in writers} | {(0, head): cut for head in others(writers)}
    copy = {(1, head): after for head in copiers} | {(1, head): cut for head in others(copiers)}
    wrong = {(0, head): before for head in others(writers)} | {(0, head): cut for head in writers}
    five_too_far = rebuilt.after_the_earlier(tokens, 5)
    elsewhere = write | copy | {(1, head): five_too_far for head in copiers}
    answers = rebuilt.logits_of(model, tokens, elsewhere)[:, texts.shape[1] // 2 :].argmax(dim=-1)
    attended = tokens.gather(1, five_too_far.argmax(dim=-1))[:, texts.shape[1] // 2 :]
    divisors = [None, *rebuilt.mean_divisors(model, tokens)[1:]]
    return {
        "from_weights": from_weights,
        "controls": controls,
        "behaves": behaves,
        "rebuilt": {
            "constant divisors": right(rebuilt.logits_of(model, tokens, divisors=divisors), texts),
            "previous token": right(rebuilt.logits_of(model, tokens, write), texts),
            "previous token, other heads": right(rebuilt.logits_of(model, tokens, wrong), texts),
            "both": right(rebuilt.logits_of(model, tokens, write | copy), texts),
            "both, five too far: that letter": (answers == attended).double().mean().item(),
            "products alone": right(alone, texts),
        },
    }


def of_gpt(model: nn.Module, texts: Tensor) -> dict:
    """Study a copier that is a small GPT."""
    tokens, length = texts[:, :-1], texts.shape[1] - 1
    period = texts.shape[1] // 2
    weights = gpt.weights_of_positions(model)
    letter, before, places = gpt.writing_pair(weights, period)
    reads = [gpt.read_there(weights, places, back) for back in (0, 1)]
    note = gpt.notes(model)
    says = gpt.says(model, note[letter])
    first, second = read(model, tokens)[1].mean(dim=0)  # of each layer: (heads, length, length)
    from_weights = {
        "reads": [each.tolist() for each in reads],
        "writers": [letter, before],
        "places": places.tolist(),
        "above": [above(each, WRITES) for each in reads],
        "finds_without_feed_forward": circuits.on_diagonal(gpt.finds(model, note[before], False)).tolist(),
        "finds": circuits.on_diagonal(gpt.finds(model, note[before], True)).tolist(),
        "says": circuits.on_diagonal(says).tolist(),
        "copies": circuits.copying_score(says).tolist(),
    }
    wrong = [head for head in range(NUM_HEADS) if head not in (letter, before)]
    controls = {
        "finds_notes_of_others": [circuits.on_diagonal(gpt.finds(model, note[head], True)).tolist() for head in wrong],
        "finds_notes_of_letter": circuits.on_diagonal(gpt.finds(model, note[letter], True)).tolist(),
        "says_of_others": [circuits.on_diagonal(gpt.says(model, note[head])).tolist() for head in (before, *wrong)],
    }
    measured = measure(model, texts)
    behaves = {
        "accuracy": measured.accuracy,
        "reads": [gpt.read_there(first, places, back).tolist() for back in (0, 1)],
        "induction": measured.induction[1],
        "induction_there": second[:, torch.arange(period, length), places].mean(dim=-1).tolist(),
        "without": {
            "writers": [accuracy_without(model, 0, [head], texts) for head in (letter, before)],
            "others of layer 0": [accuracy_without(model, 0, [head], texts) for head in wrong],
            "both others of layer 0": accuracy_without(model, 0, wrong, texts),
        },
    }
    told = {head: weights[head, :length, :length] for head in range(NUM_HEADS)}
    one_hot = dict.fromkeys(range(NUM_HEADS), torch.eye(length)[places])
    named = {head: told[head] for head in (letter, before)}
    return {
        "from_weights": from_weights,
        "controls": controls,
        "behaves": behaves,
        "rebuilt": {
            "writers by position": right(gpt.logits_with(model, tokens, [named, {}]), texts),
            "all of layer 0 by position": right(gpt.logits_with(model, tokens, [told, {}]), texts),
            "layer 1 at the notes": right(gpt.logits_with(model, tokens, [{}, one_hot]), texts),
            "both": right(gpt.logits_with(model, tokens, [named, one_hot]), texts),
        },
    }


def study(kind: str, model: nn.Module) -> dict:
    """Study one model."""
    return (of_copier if kind == "attention only" else of_gpt)(model, held_out_texts())


def main() -> None:
    """Run what is missing in the result file."""
    torch.set_num_threads(1)
    results = Results("copier_weights", SETTINGS)
    for kind in KINDS:
        for seed in SEEDS:
            if not results.has(kind=kind, seed=seed):
                model, _, _ = train(kind, 2, seed)
                results.add(kind=kind, seed=seed, **study(kind, model.half().float().eval()))
