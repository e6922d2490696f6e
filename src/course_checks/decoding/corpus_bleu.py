"""Task `corpus_bleu` of exercise 11."""

import copy

from sacrebleu.metrics import BLEU

from course_checks.cases import Case, refusal
from course_checks.decoding.shared import UNIT
from course_checks.task import Task
from course_checks.words import Finding, Wrong

task = Task("corpus_bleu", UNIT)


@task.oracle
def right(hypotheses, references, max_order=4):
    """Ask sacrebleu."""
    if not any(hypotheses):
        return 0.0
    metric = BLEU(tokenize="none", smooth_method="none", max_ngram_order=max_order, force=True)
    joined = [[" ".join(map(str, text)) for text in texts] for texts in (hypotheses, references)]
    return float(metric.corpus_score(joined[0], [joined[1]]).score)


# fmt: off
_COUNT = "take two sentences of five words, and count pairs on paper"
_BREVITY = "c and r are the numbers of words of all hypotheses and of all references"
_RANGE = "print the n-grams of a sentence of four words for n = 1, 2, 3, 4"
_MEAN, _FACTORS = "a product, a root", "the product runs over n"
_ADD_UP, _SMOOTH = "add up the counts of all sentences first", "nothing is smoothed: what is a product with a 0 in it?"
_PRODUCT, _START, _ROOT = "product_of_precisions", "product_of_precisions = 1.0", " ** (1 / max_order)"
_HITS, _WRITTEN = "(found & wanted).total()", "sum(found.total() for found, _ in counted)"
_ORDERS, _ZERO = "range(1, max_order + 1)", "if right == 0:\n    return 0.0"
_PENALTY, _STARTS = "math.exp(min(0.0, 1 - wanted / written))", "range(len(tokens) - n + 1)"
_CORPUS, _GRAM = "require_corpus(hypotheses, references)", "tuple(tokens[start : start + n])"
task.edit(_HITS, {
    "(found | wanted).total()": (
        "the larger of the two counts of an n-gram is taken: what does `|` do with two counters?", _COUNT),
    "sum(count for gram, count in found.items() if gram in wanted)": ("every match counts: a word can be right only as "
        "often as the reference has it", "what does a hypothesis of ten times `the` get?"),
    "len(found & wanted)": ("right n-grams count once each, and all n-grams are counted below the line", _COUNT)})
task.edit_places({f"Counter({_GRAM} for start in {_STARTS})": f"Counter({{{_GRAM} for start in {_STARTS}}})"},
    "every n-gram counts once, however often it occurs: `set` in the place of counts", _COUNT)
task.edit_places({"right = ": "everything = sum((wanted for _, wanted in counted), Counter())\nright = ",
                  "found & wanted": "found & everything"},
    "an n-gram is looked for in the references of all sentences, not in its own", _COUNT)
task.edit(f"sum({_HITS} for found, wanted in counted)", {
    "(sum((found for found, _ in counted), Counter()) & sum((wanted for _, wanted in counted), Counter())).total()": (
        "n-grams are clipped for the whole corpus, not for each sentence: one can be right in another's reference",
        "what is right in sentence 1, if its word stands only in reference 2?")})
task.edit(_WRITTEN, {
    "sum(wanted.total() for _, wanted in counted)": (
        "the right n-grams are divided by those of the reference: that is recall", _COUNT),
    "sum(map(len, hypotheses))": (
        "the right n-grams are divided by the number of words, not of n-grams", _RANGE),
    "sum(max(found.total(), wanted.total()) for found, wanted in counted)": (
        "the right n-grams are divided by the larger number of n-grams, hypothesis or reference", _COUNT)})
task.edit_places({_START: f"{_PRODUCT} = 0.0", _ZERO: "", "*= right": "+= right", _ROOT: " / max_order"},
    "the arithmetic mean of the precisions, not the geometric one", _MEAN)
task.edit_places({_START: f"{_PRODUCT} = 0.0", f"*= right / {_WRITTEN}": f"+= {_WRITTEN} / right",
                  f"{_PRODUCT}{_ROOT}": f"max_order / {_PRODUCT}"},
    "the harmonic mean of the precisions, not the geometric one", _MEAN)
task.edit(_ROOT, {
    "": ("the product of the precisions, without the root", "the formula has an exponent"),
    " ** 0.25": ("the root is always the fourth one, whatever `max_order` is", "what is N here?")})
task.edit(f"brevity_penalty * {_PRODUCT}", {f"(brevity_penalty * {_PRODUCT})": (
    "the root is taken of the brevity penalty too", "what does the exponent hold?")})
for _numbers, _root, *_words in (
    ("[max_order]", "", "only the longest n-grams are counted", _FACTORS),
    ("[1]", "", "only single words are counted", _FACTORS),
    ("range(1, max_order)", _ROOT, "n runs to max_order - 1: `range` leaves its end out", _RANGE),
    ("range(1, max(max_order, 2))", " ** (1 / max(max_order - 1, 1))",
     "n runs to max_order - 1: `range` leaves its end out", _RANGE),
    ("range(1, 5)", _ROOT, "`max_order` is not used: n runs to 4 always", "which N does the check ask for?"),
    ("range(1, 5)", " ** 0.25", "`max_order` is not used: n runs to 4 always", "which N does the check ask for?"),
    ("range(2, max_order + 1)", _ROOT, "n begins at 2, so single words are not counted", _RANGE),
    ("range(min(2, max_order), max_order + 1)", " ** (1 / max(max_order - 1, 1))",
     "n begins at 2, so single words are not counted", _RANGE),
):
    task.edit_places({_ORDERS: _numbers, _ROOT: _root}, *_words)
_LEFT_OUT = "an order of which no n-gram is right is left out: it makes the whole product 0"
_SMOOTHED = "a number is added to the counts, or takes the place of a count of 0: that is smoothing"
task.edit(_ZERO, {
    "if right == 0:\n    continue": (_LEFT_OUT, _SMOOTH),
    f"if not any(found for found, _ in counted):\n    continue\n{_ZERO}": (
        "an order of which the hypotheses have no n-gram is left out", _SMOOTH),
    "math.log(right)": ("the logarithm of 0 is taken, where no n-gram of an order is right",
                        "what does the task say of an order without a right n-gram?"),
    "right = right or 1": (_SMOOTHED, _SMOOTH)})
task.edit_places({_START: f"{_START}\norders = 0", _ZERO: "if right == 0:\n    continue\norders += 1",
                  "written, ": "if orders == 0:\n    return 0.0\nwritten, ", _ROOT: " ** (1 / orders)"},
    _LEFT_OUT, _SMOOTH)
task.edit_places({"right = sum": "right = 1 + sum", _WRITTEN: f"(1 + {_WRITTEN})"}, _SMOOTHED, _SMOOTH)
task.edit(_PENALTY, {
    "1.0": ("the brevity penalty is missing", _BREVITY),
    "math.exp(1 - wanted / written)": (
        "the brevity penalty also rewards long hypotheses: it never exceeds 1", _BREVITY),
    "math.exp(min(0.0, 1 - written / wanted))": ("the brevity penalty has the two lengths exchanged", _BREVITY),
    "math.exp(min(0.0, wanted / written - 1))": (
        "the exponent of the brevity penalty has the wrong sign: r / c - 1", _BREVITY),
    "min(1.0, written / wanted)": ("the brevity penalty is the ratio of the lengths, without exp", _BREVITY),
    "math.exp(1 - written / wanted) if written < wanted else 1.0": (
        "the fraction in the brevity penalty is upside down: c / r in the place of r / c", _BREVITY)})
_ONE_LENGTH = ("c and r are the lengths of one sentence, not of all of them", _BREVITY)
task.edit("sum(map(len, hypotheses)), sum(map(len, references))", {
    f"len(hypotheses[{place}]), len(references[{place}])": _ONE_LENGTH for place in (0, -1)})
_ALONE = "[math.exp(min(0.0, 1 - len(b) / len(a))) if a else 0.0 for a, b in zip(hypotheses, references, strict=True)]"
task.edit("100 * brevity_penalty", {
    f"100 * sum({_ALONE}) / len(hypotheses)": (
        "the brevity penalty of each sentence on its own, and then their mean", _BREVITY),
    f"100 * math.prod({_ALONE})": (
        "the brevity penalty of each sentence on its own, and then their product", _BREVITY)})
task.edit(_CORPUS, {f"{_CORPUS}\n{line}": words for line, words in {
    "1 / sum(map(len, hypotheses))": ("r is divided by c before it is known that a hypothesis holds a word",
        "what is c where all hypotheses are empty, and which line divides by it?"),
    "if len(hypotheses) > 1:\n    return sum(corpus_bleu([one], [other], max_order) for one, other in zip(hypotheses, "
    "references)) / len(hypotheses)": ("the mean of the scores of the sentences", _ADD_UP),
    "hypotheses, references = ([[token for text in side for token in text]] for side in (hypotheses, references))": (
        "the sentences are joined to one, and n-grams reach over their ends, or a word counts in another sentence",
        "count each sentence against its own reference"),
    "hypotheses, references = references, hypotheses": (
        "hypotheses and references change places", "what stands below the line?"),
    "hypotheses, references = hypotheses[-1:], references[-1:]": ("the counts begin anew with each sentence, so only "
        "the last one is left", "where are the counts set to 0?"),
    "hypotheses, references = hypotheses[:1], references[:1]": (
        "only the first sentence is counted: `return` stands inside the loop", "where is return?")}.items()})
task.edit(f"right / {_WRITTEN}", {
    "sum((found & wanted).total() / max(found.total(), 1) for found, wanted in counted) / len(counted)": (
        "the precisions of each sentence are averaged before they are multiplied", _ADD_UP)})
task.edit(_STARTS, {
    "range(len(tokens) - n)": (
        "the last n-gram of each sentence is not counted: `range` leaves its end out", _RANGE),
    "range(len(tokens))": ("the shorter runs at the end of a sentence are counted too", _RANGE),
    "range(0, len(tokens) - n + 1, n)": ("the n-grams do not overlap: the start moves on by n", _RANGE)})
task.edit(_GRAM, {"tuple(sorted(tokens[start : start + n], key=str))": (
    "the order of the words in an n-gram is not looked at", _RANGE),
    '"".join(map(str, tokens[start : start + n]))': (
        "the words of an n-gram are joined to one text, so that different runs of words become the same",
        "which other pair of words gives the text `abc`, beside `ab` and `c`?")})
task.edit("return 100 * ", {"return ": (
    "a share from 0 to 1, not multiplied by 100", "the formula begins with a number")})
task.edit_places({"return 100": "return round(100", _ROOT: f"{_ROOT}, 2)"},
    "the result is rounded", "return the number as it is")
# fmt: on


def lists_left_alone(answer, hypotheses, references, *order):
    """Observe the score, and that the lists are as they were."""
    before = copy.deepcopy((hypotheses, references))
    result = answer(hypotheses, references, *order)
    if (hypotheses, references) != before:
        raise Finding("the call changed its lists", "lists as they were", "a method that changes a list: `sort`, "
                      "`append`, `pop`, `remove`", "work on copies", final=True)  # fmt: skip
    return result


def bleu(situation, hypotheses, references, *order, words=None):
    """Make a case from texts, as lines or as lists of tokens, with words for what no wrong answer explains."""
    texts = [[text.split() if type(text) is str else text for text in side] for side in (hypotheses, references)]

    def observe(answer, *inputs):
        return lists_left_alone(answer, *inputs)

    observe.words = words
    return Case(situation, (*texts, *order), observe)


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
_SHARE = Wrong("which words are right, how often, or by what they are divided", "with single words, and as many as the "
               "reference has", _COUNT)  # fmt: skip
_JOINED = Wrong("the n-grams of more than one word, or how their precisions are joined: a product, and its root",
                "single words were right, pairs and triples are not", _RANGE)  # fmt: skip
_LENGTHS = Wrong("the brevity penalty: the precisions were right where both have the same length",
                 "with a hypothesis of another length", _BREVITY)  # fmt: skip
task.require(
    "the share of right words, and of right pairs and triples",
    EXPECTED,
    [bleu("single words, as many as the reference has, N = 1", ["the the cat the cat mat"],
          ["the cat on the mat there"], 1, words=_SHARE),
     bleu("one sentence, as long as its reference, N = 2", ["a b a b c d"], ["a b c a b c"], 2, words=_JOINED),
     bleu("one sentence, as long as its reference, N = 3", ["c d a b a b c"], ["a b a b c d e"], 3, words=_JOINED)],
    [bleu("all right", FRENCH, FRENCH)],
    _COUNT,
)  # fmt: skip
task.require(
    "a hypothesis that is too short is punished, one that is too long is not",
    EXPECTED,
    [bleu("one sentence, which is too short, N = 2", HYPOTHESES[1:2], REFERENCES[1:2], 2, words=_LENGTHS),
     bleu("one sentence, which is too long, with a word too often, N = 3", HYPOTHESES[:1], REFERENCES[:1], 3,
          words=_LENGTHS)],
    [bleu("one word less", [FRENCH[0][:-1]], FRENCH[:1]), bleu("single words", HYPOTHESES[2:], REFERENCES[2:], 1)],
    _BREVITY,
)  # fmt: skip
_SUMS = Wrong("what is added up over the sentences, and what is computed once: counts and lengths are added up, "
              "precisions, root and brevity penalty follow from the sums", "one sentence was right, several are not",
              _ADD_UP)  # fmt: skip
task.require(
    "a corpus: counts are added up before anything is divided",
    EXPECTED,
    [bleu("three sentences", HYPOTHESES, REFERENCES, words=_SUMS),
     bleu("three sentences, N = 2", HYPOTHESES, REFERENCES, 2, words=_SUMS),
     bleu("three sentences, all too short", [each.split()[:5] for each in HYPOTHESES], REFERENCES, 2, words=_SUMS),
     numbers("9 sentences of ints, N = 5", 3, False, 5)],
    [*(numbers(f"9 sentences of {words} ints, N = {order}", words, False, order)
       for words in (3, 40) for order in (1, 2, 3, 5)),
     numbers("9 short sentences, N = 3", 12, True, 3),
     bleu("a pair that runs over two sentences", ["x a c d", "b y"], ["a b c d", "y b"], 2)],
    _COUNT,
)  # fmt: skip
_NOT_ZERO = Wrong(f"{_SMOOTHED}; or the order is left out of the product", "it should be 0, and is not", _SMOOTH)
task.require(
    "no right n-gram of some order: 0",
    EXPECTED,
    [bleu("right words, and no right pair, N = 2", ["b a c"], ["a b c"], 2, words=_NOT_ZERO),
     bleu("right words, and pairs that are alike only without their gap, N = 2", ["ab c"], ["c a bc ab"], 2),
     bleu("nothing is right", ["x y z z y"], ["a b c d e"], words=_NOT_ZERO)],
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
