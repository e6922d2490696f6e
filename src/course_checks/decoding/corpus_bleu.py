"""Task `corpus_bleu` of exercise 11."""

import copy
import math
from collections import Counter

from sacrebleu.metrics import BLEU

from course_checks.cases import Case, refusal
from course_checks.decoding.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("corpus_bleu", UNIT)
_COUNT = "take two sentences of five words, and count pairs on paper"
_BREVITY = "c and r are the numbers of words of all hypotheses and of all references"
_RANGE = "print the n-grams of a sentence of four words for n = 1, 2, 3, 4"


@task.oracle
def right(hypotheses, references, max_order=4):
    """Ask sacrebleu."""
    if not any(hypotheses):
        return 0.0
    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    joined = [[" ".join(map(str, text)) for text in texts] for texts in (hypotheses, references)]
    return float(metric.corpus_score(joined[0], [joined[1]]).score)


def ngrams(tokens, n):
    """Count the runs of n tokens."""
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


@task.pipeline(
    match={
        "not clipped": Wrong("every match counts: a word can be right only as often as the reference has it", "",
                             "what does a hypothesis of ten times `the` get?"),
        "sets": Wrong("every n-gram counts once, however often it occurs: `set` in the place of counts", "", _COUNT),
        "set of matches": Wrong("right n-grams count once each, and all n-grams are counted below the line", "",
                                _COUNT),
        "all references": Wrong("an n-gram is looked for in the references of all sentences, not in its own", "",
                                _COUNT),
    },
    size={
        "reference": Wrong("the right n-grams are divided by those of the reference: that is recall", "", _COUNT),
        "words": Wrong("the right n-grams are divided by the number of words, not of n-grams", "", _RANGE),
        "longer": Wrong("the right n-grams are divided by the larger number of n-grams, hypothesis or reference", "",
                        _COUNT),
    },
    mean={
        "arithmetic": Wrong("the arithmetic mean of the precisions, not the geometric one", "", "a product, a root"),
        "no root": Wrong("the product of the precisions, without the root", "", "the formula has an exponent"),
        "fourth root": Wrong("the root is always the fourth one, whatever `max_order` is", "", "what is N here?"),
        "root with penalty": Wrong("the root is taken of the brevity penalty too", "", "what does the exponent hold?"),
        "harmonic": Wrong("the harmonic mean of the precisions, not the geometric one", "", "a product, a root"),
    },
    orders={
        "longest": Wrong("only the longest n-grams are counted", "", "the product runs over n"),
        "words": Wrong("only single words are counted", "", "the product runs over n"),
        "one too few": Wrong("n runs to max_order - 1: `range` leaves its end out", "", _RANGE),
        "not used": Wrong("`max_order` is not used: n runs to 4 always", "", "which N does the check ask for?"),
        "from 2": Wrong("n begins at 2, so single words are not counted", "", _RANGE),
        "empty left out": Wrong("an order of which no n-gram is right is left out: it makes the whole product 0", "",
                                "nothing is smoothed: what is a product with a 0 in it?"),
        "smoothed": Wrong("a number is added to the counts: that is smoothing", "", "nothing is smoothed"),
    },
    brevity={
        "none": Wrong("the brevity penalty is missing", "", _BREVITY),
        "rewards": Wrong("the brevity penalty also rewards long hypotheses: it never exceeds 1", "", _BREVITY),
        "exchanged": Wrong("the brevity penalty has the two lengths exchanged", "", _BREVITY),
        "sign": Wrong("the exponent of the brevity penalty has the wrong sign: r / c - 1", "", _BREVITY),
        "ratio": Wrong("the brevity penalty is the ratio of the lengths, without exp", "", _BREVITY),
        "upside down": Wrong("the fraction in the brevity penalty is upside down: c / r in the place of r / c", "",
                             _BREVITY),
        "mean": Wrong("the brevity penalty of each sentence on its own, and then their mean", "", _BREVITY),
        "product": Wrong("the brevity penalty of each sentence on its own, and then their product", "", _BREVITY),
    },
    corpus={
        "mean": Wrong("the mean of the scores of the sentences", "", "add up the counts of all sentences first"),
        "mean of precisions": Wrong("the precisions of each sentence are averaged before they are multiplied", "",
                                    "add up the counts of all sentences first"),
        "joined": Wrong("the sentences are joined to one, and n-grams reach over their ends, or a word counts in "
                        "another sentence", "", "count each sentence against its own reference"),
        "exchanged": Wrong("hypotheses and references change places", "", "what stands below the line?"),
        "last": Wrong("the counts begin anew with each sentence, so only the last one is left", "",
                      "where are the counts set to 0?"),
        "first": Wrong("only the first sentence is counted: `return` stands inside the loop", "", "where is return?"),
    },
    grams={
        "last left out": Wrong("the last n-gram of each sentence is not counted: `range` leaves its end out", "",
                               _RANGE),
        "cut ones too": Wrong("the shorter runs at the end of a sentence are counted too", "", _RANGE),
        "disjoint": Wrong("the n-grams do not overlap: the start moves on by n", "", _RANGE),
        "bags": Wrong("the order of the words in an n-gram is not looked at", "", _RANGE),
    },
    scale={"share": Wrong("a share from 0 to 1, not multiplied by 100", "", "the formula begins with a number"),
           "rounded": Wrong("the result is rounded", "", "return the number as it is")},
)  # fmt: skip
def corpus_bleu(
    hypotheses, references, max_order=4, *, match="clipped", size="hypothesis", mean="geometric", orders="1 to N",
    brevity="once", corpus="summed", grams="all", scale="100",
):  # fmt: skip
    """Compute BLEU with one choice for each part."""
    chosen = {"match": match, "size": size, "mean": mean, "orders": orders, "brevity": brevity, "grams": grams}
    if corpus == "mean":
        alone = [corpus_bleu([a], [b], max_order, **chosen) for a, b in zip(hypotheses, references, strict=True)]
        return sum(alone) / max(len(alone), 1) / (100 if scale == "share" else 1)
    if corpus == "exchanged":
        hypotheses, references = references, hypotheses
    elif corpus in ("last", "first"):
        some = slice(-1, None) if corpus == "last" else slice(0, 1)
        hypotheses, references = hypotheses[some], references[some]
    elif corpus == "joined":
        hypotheses, references = ([[token for text in side for token in text]] for side in (hypotheses, references))

    def runs(tokens, n):
        starts = range(0, len(tokens) - n + 1, n if grams == "disjoint" else 1)
        starts = range(len(tokens)) if grams == "cut ones too" else starts
        starts = starts[:-1] if grams == "last left out" else starts
        made = [tuple(tokens[start : start + n]) for start in starts]
        return Counter(tuple(sorted(each, key=str)) for each in made) if grams == "bags" else Counter(made)

    numbers = {"longest": [max_order], "words": [1], "one too few": range(1, max(max_order, 2)),
               "not used": range(1, 5), "from 2": range(min(2, max_order), max_order + 1)}  # fmt: skip
    added, shares = (1.0 if orders == "smoothed" else 0.0), []
    for n in numbers.get(orders, range(1, max_order + 1)):
        counted = [(runs(a, n), runs(b, n)) for a, b in zip(hypotheses, references, strict=True)]
        if match == "all references":
            everything = sum((wanted for _, wanted in counted), Counter())
            counted = [(found, everything) for found, _ in counted]
        hits = [(found & wanted).total() for found, wanted in counted]
        if match == "not clipped":
            hits = [sum(count for gram, count in found.items() if gram in wanted) for found, wanted in counted]
        elif match in ("sets", "set of matches"):
            hits = [len(found.keys() & wanted.keys()) for found, wanted in counted]
        below = [len(found) if match == "sets" else found.total() for found, _ in counted]
        if size == "words":
            below = [len(text) for text in hypotheses]
        elif size != "hypothesis":
            other = [wanted.total() for _, wanted in counted]
            below = other if size == "reference" else list(map(max, below, other))
        share = (sum(hits) + added) / (sum(below) + added) if sum(below) + added else 0.0
        if corpus == "mean of precisions":
            share = sum(h / b if b else 0.0 for h, b in zip(hits, below, strict=True)) / max(len(hits), 1)
        if share or orders != "empty left out":
            shares.append(share)
    if not shares or not any(hypotheses) or (not all(shares) and mean != "arithmetic"):
        return 0.0
    means = {
        "arithmetic": sum(shares) / len(shares),
        "no root": math.prod(shares),
        "fourth root": math.prod(shares) ** 0.25,
        "harmonic": len(shares) / sum(1 / share for share in shares) if all(shares) else 0.0,
    }
    score = means.get(mean, math.prod(shares) ** (1 / len(shares)))
    lengths = [(len(a), max(len(b), 1)) for a, b in zip(hypotheses, references, strict=True)]
    penalty = brevity_penalty(lengths, brevity)
    score *= penalty ** (1 / len(shares)) if mean == "root with penalty" else penalty
    return {"share": score, "rounded": round(100 * score, 2)}.get(scale, 100 * score)


def brevity_penalty(lengths, how):
    """Compute the brevity penalty with one choice."""
    c, r = (sum(side) for side in zip(*lengths, strict=True))
    alone = [math.exp(min(0.0, 1 - b / a)) if a else 0.0 for a, b in lengths]
    return {
        "none": 1.0,
        "rewards": math.exp(1 - r / c),
        "exchanged": math.exp(min(0.0, 1 - c / r)),
        "upside down": math.exp(1 - c / r) if c < r else 1.0,
        "sign": math.exp(min(0.0, r / c - 1)),
        "ratio": min(1.0, c / r),
        "mean": sum(alone) / len(alone),
        "product": math.prod(alone),
    }.get(how, math.exp(min(0.0, 1 - r / c)))


def lists_left_alone(answer, hypotheses, references, *order):
    """Observe the score, and that the lists are as they were."""
    before = copy.deepcopy((hypotheses, references))
    result = answer(hypotheses, references, *order)
    if (hypotheses, references) != before:
        raise Finding("the call changed its lists", "lists as they were", "a method that changes a list: `sort`, "
                      "`append`, `pop`, `remove`", "work on copies", final=True)  # fmt: skip
    return result


def bleu(situation, hypotheses, references, *order):
    """Make a case from texts, as lines or as lists of tokens."""
    texts = [[text.split() if type(text) is str else text for text in side] for side in (hypotheses, references)]
    return Case(situation, (*texts, *order), lists_left_alone)


def numbers(situation, vocab_size, cut, *order):
    """Make a case with 9 sentences of ints: the reference, cut and with another end."""

    def make(draw):
        rows = (draw(9, 14).abs() * vocab_size / 3).long().tolist()
        references = [row[: 5 + number] for number, row in enumerate(rows)]
        hypotheses = [row[: 9 - number] + row[:number] for number, row in enumerate(rows)]
        return ([row[:4] for row in rows] if cut else hypotheses), references, *order

    return Case(situation, make, lists_left_alone)


# A word that comes three times, a hypothesis that is too short and one that is too long.
HYPOTHESES = ["the the the cat sat on the mat", "a dog is in the house", "we see the big old house of the man now"]
REFERENCES = ["the cat sat on the mat today", "a small dog is in the old house", "we see the big old house of the man"]
EXPECTED = "the formula of the task, as sacrebleu computes it: 0 to 100"
FRENCH = [line.split() for line in ("le chat noir dort sur le canapé .", "nous avons vu deux films hier .")]
task.require(
    "one sentence, up to pairs and up to triples",
    EXPECTED,
    [bleu("one sentence, which is too short, N = 2", HYPOTHESES[1:2], REFERENCES[1:2], 2),
     bleu("one sentence, which is too long, with a word too often, N = 3", HYPOTHESES[:1], REFERENCES[:1], 3)],
    [bleu("all right", FRENCH, FRENCH), bleu("one word less", [FRENCH[0][:-1]], FRENCH[:1]),
     bleu("single words", HYPOTHESES[2:], REFERENCES[2:], 1)],
    _COUNT,
)  # fmt: skip
task.require(
    "a corpus: counts are added up before anything is divided",
    EXPECTED,
    [bleu("three sentences", HYPOTHESES, REFERENCES), bleu("three sentences, N = 2", HYPOTHESES, REFERENCES, 2),
     bleu("three sentences, all too short", [each.split()[:5] for each in HYPOTHESES], REFERENCES, 2),
     numbers("9 sentences of ints, N = 5", 3, False, 5)],
    [*(numbers(f"9 sentences of {words} ints, N = {order}", words, False, order)
       for words in (3, 40) for order in (1, 2, 3, 5)),
     numbers("9 short sentences, N = 3", 12, True, 3),
     bleu("a pair that runs over two sentences", ["x a c d", "b y"], ["a b c d", "y b"], 2)],
    _COUNT,
)  # fmt: skip
task.require(
    "no right n-gram of some order: 0",
    EXPECTED,
    [bleu("right words, and no right pair, N = 2", ["b a c"], ["a b c"], 2),
     bleu("nothing is right", ["x y z z y"], ["a b c d e"])],
    [bleu("right words, and no right triple", ["a b d c e"], ["a b c d e"])],
)  # fmt: skip
task.limits(
    "texts without n-grams, and wrong input",
    [bleu("hypotheses of three words, all of them right", ["a b c"], ["a b c"]),
     bleu("an empty hypothesis among others", ["", *HYPOTHESES], ["a", *REFERENCES]),
     bleu("nothing but empty hypotheses", ["", ""], ["a b", "c"]), bleu("no sentences", [], []),
     refusal("a reference too many", (FRENCH, [*FRENCH, FRENCH[0]])),
     refusal("a hypothesis that is a string", (["le chat noir dort", FRENCH[1]], FRENCH)),
     refusal("a max_order of 0", (FRENCH, FRENCH, 0))],
)  # fmt: skip
