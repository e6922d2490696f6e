"""Who judges grammar how well: `python -m experiments.judges`.

The masked model of chapter 14, the same network under a causal mask, and n-grams, all on the same text; the causal
model on the text with few clauses, too; a fifth construction, in which the first noun is not the subject; and a linear
layer on frozen vectors, fitted to the end.
Resumable; about three CPU minutes a seed.
"""

import argparse

import torch
from torch import Tensor

from experiments.judges.judging import (
    CausalModel,
    by_counts,
    by_model,
    fit_head,
    of_pairs,
    pretrain_causal,
    sentence_vectors,
)
from experiments.masked_language.pretraining import (
    Text,
    accuracy,
    fine_tune,
    labelled_tensors,
    prefers_the_right_form,
)
from experiments.masked_language.run import (
    FINE_TUNING,
    KEPT,
    LONG,
    MIDDLE,
    NUM_TEST,
    PRETRAINING,
    SEEDS,
    SIZES,
    TEXT,
    pretrained,
    ranked_right,
    sentences,
)
from experiments.masked_language.run import SETTINGS as PRETRAINING_SETTINGS
from experiments.results import Results
from transformer_course.data.agreement_pairs import Group, draw_owner_groups
from transformer_course.masked_language_model import (
    MaskedLanguageModel,
    SentenceClassifier,
    pseudo_log_likelihood,
)

ORDERS, NUM_OWNERS = (3, 5), 63
FEWER = round(PRETRAINING["probability"] * LONG)
"""Updates after which a causal model, asked about each word, has been asked as often as the masked model."""
NUM_LABELS, STRENGTHS = (500, 2000), (1.0, 100.0)
SETTINGS = {
    "sizes": SIZES,
    "text": TEXT,
    "pretraining": {name: PRETRAINING[name] for name in ("learning_rate", "max_tokens")},
    "updates": LONG,
    "fine_tuning": FINE_TUNING,
    "num_test": NUM_TEST,
    "num_owners": NUM_OWNERS,
}


def new_groups(few_clauses: bool = False) -> tuple[list[Group], list[Group]]:
    """Give the test of the chapter, and groups of the fifth construction."""
    text, _, test = sentences(few_clauses)
    return test, draw_owner_groups(NUM_OWNERS, 1, set(text.words))


def shares(right: Tensor, groups: list[Group]) -> dict[str, float]:
    """Give the share of pairs that are judged rightly, for each frame."""
    frames = [group.frame for group in groups for _ in group.pairs]
    return {
        frame: round(right[torch.tensor([each == frame for each in frames])].double().mean().item(), 4)
        for frame in dict.fromkeys(frames)
    }


def judged(verb: Tensor, right: Tensor, wrong: Tensor, groups: list[Group]) -> dict:
    """Sum up a judge: at the verb, by the whole sentence, and any right sentence of the test against any wrong one."""
    in_test = torch.tensor([group.frame != "owner" for group in groups for _ in group.pairs])
    return {
        "verb": shares(verb, groups),
        "sentence": shares(right > wrong, groups),
        "verb_all": round(verb[in_test].double().mean().item(), 4),
        "sentence_all": round((right > wrong)[in_test].double().mean().item(), 4),
        "ranked": round(ranked_right(right[in_test], wrong[in_test]), 4),
    }


def one_form(verb: Tensor, groups: list[Group]) -> dict[str, float]:
    """Give for each frame the share of groups in which a judge prefers one form of the verb for both subjects.

    Then it has one of the two pairs right, whatever the subjects are.
    """
    same = verb.view(-1, 2).sum(dim=1) == 1  # a group has two pairs
    return shares(same.repeat_interleave(2), groups)


def causal(seed: int, text: Text, updates: int, few_clauses: bool = False) -> tuple[CausalModel, float]:
    """Train the network from left to right, from the same first weights as the masked model, or load what was kept."""
    torch.manual_seed(seed)
    model, file = CausalModel(len(text.vocabulary), **SIZES), KEPT / f"causal {updates}{' few' * few_clauses} {seed}.pt"
    if file.exists():
        model.load_state_dict(torch.load(file))
        return model.eval(), 0.0
    run = pretrain_causal(model, text.train, updates, seed, **SETTINGS["pretraining"])
    KEPT.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), file)
    return model, run.seconds


def masked_scores(model: MaskedLanguageModel, groups: list[Group], text: Text) -> tuple[Tensor, Tensor, Tensor]:
    """Judge by the hidden verb, and by the pseudo-log-likelihood of right and of wrong sentences."""
    pairs = [pair for group in groups for pair in group.pairs]
    both = [text.encode([pair[side] for pair in pairs]) for side in (0, 1)]
    right, wrong = (pseudo_log_likelihood(model, tokens, text.mask_id) for tokens in both)
    return prefers_the_right_form(model, groups, text), right, wrong


def heads(model: MaskedLanguageModel, seed: int, train: list[Group], test: list[Group], text: Text, results: Results):
    """Fit a linear layer on frozen vectors to the end."""
    tokens, labels = labelled_tensors(train, text)
    new_tokens, new_labels = labelled_tensors(test, text)
    for number in NUM_LABELS:
        first = (seed * number // 4) % (len(train) - number // 4 + 1)
        rows = slice(4 * first, 4 * first + number)
        vectors = sentence_vectors(model, tokens[rows])
        for strength in STRENGTHS:
            share_right = fit_head(vectors, labels[rows], strength)
            found = {
                "on_its_labels": share_right(vectors, labels[rows]),
                "accuracy": share_right(sentence_vectors(model, new_tokens), new_labels),
            }
            results.add(kind="frozen head", seed=seed, labels=number, strength=strength, **found)


def tuned_on_owners(model: MaskedLanguageModel, seed: int, train: list[Group], owners: list[Group], text: Text) -> dict:
    """Fine-tune with 500 labels of the four frames, as the chapter does, and judge the fifth."""
    torch.manual_seed(seed)
    classifier = SentenceClassifier(model, SIZES["d_model"], 2)
    tokens, labels = labelled_tensors(train, text)
    first = (seed * 500 // 4) % (len(train) - 500 // 4 + 1)
    rows = slice(4 * first, 4 * first + 500)
    settings = {key: FINE_TUNING[key] for key in ("learning_rate", "batch")}
    fine_tune(classifier, tokens[rows], labels[rows], FINE_TUNING["num_updates"], seed, **settings)
    _, _, test = sentences()
    return {
        "accuracy": accuracy(classifier, *labelled_tensors(test, text)),
        "owners": accuracy(classifier, *labelled_tensors(owners, text)),
    }


def main() -> None:
    """Run what is missing in the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    parser.add_argument("--judges", nargs="*", choices=("n-grams", "causal", "masked"), default=["causal", "masked"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    results = Results("judges", SETTINGS)
    text, train, _ = sentences()
    test, owners = new_groups()
    groups = test + owners
    for order in ORDERS:
        if not results.has(kind="n-grams", order=order):
            results.add(kind="n-grams", order=order, **judged(*of_pairs(by_counts(text, order), groups, text), groups))
    for seed in options.seeds:
        for kind, updates in (("causal", LONG), ("causal, as many questions", FEWER)):
            if "causal" in options.judges and not results.has(kind=kind, seed=seed):
                model, seconds = causal(seed, text, updates)
                found = judged(*of_pairs(by_model(model), groups, text), groups)
                results.add(kind=kind, seed=seed, seconds=round(seconds, 1), **found)
        if "causal" in options.judges and not results.has(kind="causal, few clauses", seed=seed):
            few, _, _ = sentences(few_clauses=True)
            of_few = sum(new_groups(few_clauses=True), [])
            model, seconds = causal(seed, few, MIDDLE, few_clauses=True)
            found = judged(*of_pairs(by_model(model), of_few, few), of_few)
            results.add(kind="causal, few clauses", seed=seed, seconds=round(seconds, 1), **found)
        if "masked" in options.judges and not results.has(kind="fine-tuned", seed=seed):
            of_masked = Results("masked_language", PRETRAINING_SETTINGS)
            model = pretrained("80, 10, 10", LONG, False, seed, of_masked)[0]
            found = masked_scores(model, groups, text)
            results.add(kind="masked", seed=seed, **judged(*found, groups), one_form=one_form(found[0], groups))
            heads(model, seed, train, test, text, results)
            results.add(kind="fine-tuned", seed=seed, **tuned_on_owners(model, seed, train, owners, text))


if __name__ == "__main__":
    main()
