"""The checks of exercise 11 for BLEU, for trying every sentence, and for the stretch task."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.decoding_mistakes import UNIT
from transformer_course.checks.decoding_models import tiny
from transformer_course.checks.oracles_decoding import (
    all_sentences,
    bleu_with,
    log_probabilities,
    ngrams,
    right_bleu,
    right_greedy_sentence,
    right_nucleus,
    right_search,
)
from transformer_course.checks.reporting import Mistake, draw
from transformer_course.common.tokens import EOS

Texts = Sequence[Sequence[Any]]
CLOSE = {"rel_tol": 1e-9, "abs_tol": 1e-9}
NEAR = {"rel_tol": 1e-6, "abs_tol": 1e-6}
COUNT = "take two sentences of five words, and count pairs on paper"
# A word that comes three times, a hypothesis that is too short and one that is too long.
HYPOTHESES = ["the the the cat sat on the mat", "a dog is in the house", "we see the big old house of the man now"]
REFERENCES = ["the cat sat on the mat today", "a small dog is in the old house", "we see the big old house of the man"]


def compare_bleu(
    subject: Answer, situation: str, hypotheses: Texts, references: Texts, max_order: int | None = None
) -> None:
    """Compare with sacrebleu; say which of the wrong numbers it is."""
    given = [] if max_order is None else [max_order]
    copies = [list(map(list, texts)) for texts in (hypotheses, references)]
    result, right = subject(situation, hypotheses, references, *given), right_bleu(*copies, *given)
    if [list(map(list, texts)) for texts in (hypotheses, references)] != copies:
        cause = "a method that changes a list: `sort`, `append`, `pop`, `remove`"
        subject.fail(situation, "the call changed its lists", "lists as they were", cause, "work on copies")
    if type(result) not in (float, int):
        cause = "a tensor, a tuple of precisions, or nothing is returned"
        subject.fail(situation, f"it returned {kind(result)}", "a Python number from 0 to 100", cause, "return a float")
    if math.isclose(result, right, **CLOSE):
        return
    causes = [cause for cause, number in _wrong_bleus(*copies, *given) if math.isclose(result, number, **CLOSE)]
    observed = f"{result:.2f}, which is too {'high' if result > right else 'low'}"
    if not 0 <= result <= 100:
        observed = f"{result:.2f}, which is not between 0 and 100"
    lengths = [sum(map(len, texts)) for texts in copies]
    subject.fail(
        situation,
        observed,
        f"the formula of the task, as sacrebleu computes it; here c is {lengths[0]}, r is {lengths[1]} and N is "
        f"{max_order or 4}",
        "; or (it shows in the same way): ".join(dict.fromkeys(causes)) or "none of the mistakes that we know",
        COUNT,
    )


def _wrong_bleus(hypotheses: Texts, references: Texts, max_order: int = 4) -> list[tuple[str, float]]:
    texts = hypotheses, references, max_order
    pairs = list(zip(hypotheses, references, strict=True))
    alone = [bleu_with([one], [other], max_order) for one, other in pairs]
    alone = [0.0 if math.isnan(score) else score for score in alone]
    right = bleu_with(*texts)
    lengths = [(len(one), len(other)) for one, other in pairs]
    penalties = [math.exp(min(0.0, 1 - r / c)) if c else 0.0 for c, r in lengths]

    def penalised(brevity: Callable[[int, int], float]) -> float:
        return bleu_with(*texts, brevity=brevity)

    joined = [[token for text in side for token in text] for side in (hypotheses, references)]
    wrong = [
        (
            "the mean of the scores of the sentences: add up the counts of all sentences first",
            sum(alone) / max(len(alone), 1),
        ),
        ("a share from 0 to 1, not multiplied by 100", right / 100),
        (
            "every match counts: a word can be right only as often as the reference has it",
            bleu_with(*texts, match=lambda found, wanted: sum(n for gram, n in found.items() if gram in wanted)),
        ),
        (
            "every n-gram counts once, however often it occurs: `set` in the place of counts",
            bleu_with(
                *texts, match=lambda found, wanted: len(found.keys() & wanted.keys()), size=lambda one, _: len(one)
            ),
        ),
        ("the brevity penalty is missing", penalised(lambda c, r: 1.0)),
        ("the brevity penalty also rewards: it never exceeds 1", penalised(lambda c, r: math.exp(1 - r / c))),
        ("the brevity penalty has the two lengths exchanged", penalised(lambda c, r: math.exp(min(0, 1 - c / r)))),
        ("the brevity penalty is the ratio of the lengths, without exp", penalised(lambda c, r: min(1.0, c / r))),
        (
            "the brevity penalty of each sentence on its own: c and r are sums over the whole corpus",
            penalised(lambda c, r: sum(penalties) / len(penalties)),
        ),
        (
            "the brevity penalty of each sentence on its own: c and r are sums over the whole corpus",
            penalised(lambda c, r: math.prod(penalties)),
        ),
        ("hypotheses and references change places", bleu_with(references, hypotheses, max_order)),
        (
            "the number of right n-grams is divided by those of the reference: that is recall",
            bleu_with(*texts, size=lambda _, wanted: wanted.total()),
        ),
        ("the arithmetic mean of the precisions", bleu_with(*texts, mean=lambda shares: sum(shares) / len(shares))),
        ("the product of the precisions, without the root", bleu_with(*texts, mean=math.prod)),
        (
            "the root is always the fourth one, whatever `max_order` is",
            bleu_with(*texts, mean=lambda shares: math.prod(shares) ** (1 / 4)),
        ),
        (
            "the last n-gram of each sentence is not counted: `range` leaves its end out",
            bleu_with(*texts, grams=lambda tokens, n: ngrams(tokens[:-1], n)),
        ),
        ("only the longest n-grams are counted", bleu_with(*texts, mean=lambda shares: shares[-1])),
        ("only single words are counted", bleu_with(*texts, mean=lambda shares: shares[0])),
        (
            "n runs to max_order - 1: `range` leaves its end out",
            bleu_with(hypotheses, references, max(max_order - 1, 1)),
        ),
        ("`max_order` is not used", bleu_with(hypotheses, references, 4)),
        ("1 is added to all counts: that is smoothing", bleu_with(*texts, smooth=1.0)),
        (
            "an order of which no n-gram is right is left out: it makes the whole product 0",
            bleu_with(
                *texts, mean=lambda shares: math.exp(sum(math.log(s) for s in shares if s) / sum(map(bool, shares)))
            ),
        ),
        ("the sentences are joined to one, and n-grams reach over their ends", bleu_with(*([each] for each in joined))),
    ]
    return wrong


def check_corpus_bleu(corpus_bleu: Callable) -> None:
    """Check a corpus in which every part of the formula matters, and the cases in which it has no value."""
    subject = Answer(corpus_bleu, "corpus_bleu", UNIT)
    hypotheses, references = ([text.split() for text in texts] for texts in (HYPOTHESES, REFERENCES))
    compare_bleu(subject, "one sentence, which is too short", hypotheses[1:2], references[1:2], 2)
    compare_bleu(subject, "one sentence, which is too long, with a word too often", hypotheses[:1], references[:1], 3)
    subject.passed("one sentence, up to pairs and up to triples")
    compare_bleu(subject, "three sentences", hypotheses, references)
    compare_bleu(subject, "three sentences, max_order 2", hypotheses, references, 2)
    subject.passed("a corpus: counts are added up before anything is divided")
    compare_bleu(subject, "nothing is right", [["x", "y"]], [["a", "b", "c"]])
    compare_bleu(subject, "hypotheses of three words, all of them right", [["a", "b", "c"]], [["a", "b", "c"]])
    compare_bleu(subject, "an empty hypothesis among others", [[], *hypotheses], [["a"], *references])
    compare_bleu(subject, "nothing but empty hypotheses", [[], []], [["a", "b"], ["c"]])
    subject.passed("no right n-gram of some order: 0")


def compare_search(
    subject: Answer, situation: str, model: nn.Module, source: Tensor, words: Sequence[int], max_length: int
) -> None:
    """Compare with scoring every sentence on its own account."""
    result = subject(situation, model, source, list(words), max_length)
    if type(result) is not tuple or [type(each) for each in result] != [list, float]:
        kinds = [type(each).__name__ for each in result] if type(result) is tuple else type(result).__name__
        cause = "a tensor in the place of a list or a number, or the sentence alone"
        expected = "a pair: the sentence as a list of int, and its log probability, a Python number"
        subject.fail(situation, f"it returned {kinds}", expected, cause, "use `.tolist()` and `.item()`")
    sentence, score = result
    [(best, right)] = right_search(model, source, words, max_length)
    if sentence == best and math.isclose(score, right, **NEAR):
        return
    every = all_sentences(words, max_length)
    if sentence not in every:
        cause = "BOS or padding is part of it"
        if EOS not in sentence:
            cause = "EOS is cut off, or a shorter sentence ends without it"
        elif len(sentence) > max_length:
            cause = "EOS counts as a word, too: behind max_length words there is no room for it"
        subject.fail(
            situation,
            f"{sentence}, which is not one of the {len(every)} sentences",
            f"words and EOS behind them, or exactly {max_length} words without EOS; no BOS, no padding",
            cause,
            "print your list of all sentences for 2 words and max_length 2: there are 7",
        )
    scores = dict(zip(map(tuple, every), log_probabilities(model, source, every).tolist(), strict=True))
    own = scores[tuple(sentence)]
    if math.isclose(score, own, **NEAR):
        observed, causes = "a better sentence exists", _wrong_choices(model, source, scores, sentence, max_length)
    else:
        observed, causes = (
            "another score than that of this sentence",
            _wrong_scores(model, source, sentence, score, own),
        )
    subject.fail(
        situation,
        observed,
        "the sentence with the highest sum of log probabilities, EOS counted, and that sum",
        "; or (it shows in the same way): ".join(causes),
        "score one short sentence by hand: one `decode` for [BOS, word], and log_softmax",
    )


def _wrong_choices(
    model: nn.Module, source: Tensor, scores: dict[tuple[int, ...], float], sentence: list[int], max_length: int
) -> list[str]:
    """Say what may have been left out, where another sentence than the best one was taken."""

    def best_of(tried: Callable[[tuple[int, ...]], bool]) -> list[int]:
        return list(max(filter(tried, scores), key=scores.get, default=()))

    chosen = {
        "the most probable next word is followed, which is greedy decoding": right_greedy_sentence(
            model, source, max_length
        ),
        "the worst sentence is taken": list(min(scores, key=scores.get)),
        "sentences that were cut at max_length are left out": best_of(lambda each: each[-1] == EOS),
        "sentences that end early with EOS are left out": best_of(lambda each: each[-1] != EOS),
        "only sentences of max_length words are tried": best_of(lambda each: len(each) == max_length),
        "the padding of shorter sentences is scored too": best_of(lambda each: len(each) == max_length),
        "the sentence that is only EOS is left out": best_of(lambda each: each != (EOS,)),
    }
    causes = [cause for cause, each in chosen.items() if each == sentence]
    return causes or ["a sentence is missing among those that are tried: a word, a length, or the last one"]


def _wrong_scores(model: nn.Module, source: Tensor, sentence: list[int], score: float, own: float) -> list[str]:
    """Say how the score of this sentence may have come about, if it is not its log probability."""
    without_eos = log_probabilities(model, source, [sentence[:-1]]) if len(sentence) > 1 else torch.zeros(1)
    numbers = {
        "EOS is no part of the score: the sentence has to end, too": float(without_eos),
        "the score is divided by the number of words": own / len(sentence),
        "the score is a probability, not its logarithm": math.exp(own),
        "the sign is the wrong way round: a loss is returned": -own,
        "logits are added up, in the place of log probabilities": float(
            log_probabilities(model, source, [sentence], raw=True)
        ),
    }
    causes = [cause for cause, number in numbers.items() if math.isclose(score, number, **NEAR)]
    return causes or [
        "words that are shifted against the positions that predict them (a position says what comes next), a softmax "
        "over another dimension, or padding that counts"
    ]


def check_exhaustive_search(exhaustive_search: Callable) -> None:
    """Check models whose best sentence is nothing but EOS, long and cut, and short."""
    subject = Answer(exhaustive_search, "exhaustive_search", UNIT)
    source = torch.tensor([[4, 7, 5, 2]])
    for situation, model in [
        ("3 words, max_length 4", tiny(18, end=0.5)),
        ("3 words, max_length 4, a model that rarely ends", tiny(5, end=-4.0)),
        ("3 words, max_length 4, another model", tiny(22, end=-0.5)),
    ]:
        compare_search(subject, situation, model, source, (3, 4, 5), 4)
    subject.passed("the most probable of all sentences, and its log probability")


def check_nucleus(nucleus: Callable) -> None:
    """Check which words are kept, and with which probability."""
    subject = Answer(nucleus, "nucleus", UNIT)
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05], [0.1, 0.2, 0.3, 0.4]]).double().log()
    for situation, p, temperature in [("p 0.7", 0.7, 1.0), ("p 0.45", 0.45, 1.0), ("p 0.9, temperature 2", 0.9, 2.0)]:
        given = (p,) if temperature == 1.0 else (p, temperature)
        right = right_nucleus(logits, p, temperature)
        plain = torch.softmax(logits / temperature, -1)
        order = plain.sort(descending=True)
        dropped = torch.zeros_like(plain).scatter(1, order.indices, order.values * (order.values.cumsum(1) <= p))
        late = right_nucleus(logits, p) ** (1 / temperature)
        mistakes = [
            Mistake(
                plain * (right > 0), "a row does not sum to 1", "what is left is not divided by its total", "sum it"
            ),
            Mistake(
                (dropped / dropped.sum(1, keepdim=True)).nan_to_num(),
                "a word is missing",
                "the word with which the total passes p is dropped: it is the last one that stays",
                "which words stay for p = 0.7 and probabilities 0.5, 0.3, 0.2?",
            ),
            Mistake(
                late / late.sum(1, keepdim=True),
                "other words are kept, or with other probabilities",
                "the temperature comes after the choice of words, or after softmax",
                "divide the logits, and begin from there",
            ),
            Mistake(
                right_nucleus(logits, p),
                "the probabilities are those of temperature 1",
                "`temperature` is not used",
                "divide the logits by it",
            ),
        ]
        result = subject.tensor(situation, logits, *given, like=right)
        subject.compare(
            situation, result, right, "the fewest words with p together, and what is left sums to 1", mistakes
        )
    rows = draw(3, 2, 7, seed=81).double()
    result = subject.tensor("3 times 2 rows of 7 words", rows, 0.6, like=rows)
    subject.compare("3 times 2 rows of 7 words", result, right_nucleus(rows, 0.6), "each row on its own")
    subject.passed("the fewest words that together have probability p")
