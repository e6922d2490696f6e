"""Questions: an independent reader of words and scene finds the same answers; the answers are balanced."""

import pytest
import torch

from experiments.questions.asking import ANSWERS, KINDS, PLURALS, draw_questions, question_words
from transformer_course.data.scenes import NEW_PAIRS, SHAPES, describe, split_of

COUNT = 3000


def drawn(split, count=COUNT):
    return draw_questions(count, split, torch.Generator().manual_seed(7))


def answer(words, objects):
    """Answer a question in plain Python; what is asked for must be there exactly once."""

    def only(test):
        (found,) = [each for each in objects if test(each)]
        return found

    def matches(size_colour_shape, name):
        return name in size_colour_shape[1:3]

    match words:
        case ["what", "colour", "is", "the", shape, "?"]:
            return only(lambda each: matches(each, shape))[1]
        case ["what", "shape", "is", "the", colour, "one", "?"]:
            return only(lambda each: matches(each, colour))[2]
        case ["is", "there", "a", colour, shape, "?"]:
            return "yes" if any(each[1:3] == (colour, shape) for each in objects) else "no"
        case ["how", "many", name, "are", "there", "?"]:
            return str(sum(matches(each, SHAPES[PLURALS.index(name)]) for each in objects))
        case ["how", "many", name, "ones", "are", "there", "?"]:
            return str(sum(matches(each, name) for each in objects))
        case ["is", "the", colour, shape, *place, "the", colour_2, shape_2, "?"]:
            first = only(lambda each: each[1:3] == (colour, shape))
            second = only(lambda each: each[1:3] == (colour_2, shape_2))
            down, across = first[3] - second[3], first[4] - second[4]
            holds = {"above": down < 0, "below": down > 0, "left": across < 0, "right": across > 0}
            return "yes" if holds[place[0]] else "no"
    raise AssertionError(words)


@pytest.mark.parametrize("split", ["train", "composition"])
def test_answers_are_right(split):
    scenes, questions, answers, kinds = drawn(split, 800)
    assert split_of(scenes) == [split] * len(scenes)
    expected = [answer(*both) for both in zip(question_words(questions), describe(scenes), strict=True)]
    assert [ANSWERS[number] for number in answers.tolist()] == expected
    assert kinds.unique().tolist() == list(range(len(KINDS)))


def test_kinds_and_answers_are_balanced():
    _, _, answers, kinds = drawn("train")
    shares = kinds.bincount() / COUNT
    assert (shares - 1 / len(KINDS)).abs().max() < 0.04
    for kind, chances in zip(KINDS, ({"red": 1 / 10, "circle": 1 / 8}, {"yes": 1 / 2}, {"3": 1 / 4}, {"yes": 1 / 2})):  # noqa: B905
        given = answers[kinds == KINDS.index(kind)]
        for word, chance in chances.items():
            share = float((given == ANSWERS.index(word)).double().mean())
            # Four standard deviations of about 750 draws.
            assert abs(share - chance) < 4 * (chance * (1 - chance) / len(given)) ** 0.5


def test_the_question_alone_does_not_tell_the_answer():
    """The best guess from the words, fitted on many questions, on others: little better than chance."""
    _, questions, answers, kinds = drawn("train", 20000)
    best = {}
    for words, number in zip(map(tuple, questions[:15000].tolist()), answers[:15000].tolist(), strict=True):
        best.setdefault(words, [0] * len(ANSWERS))[number] += 1
    chance = {"attribute": 0.3, "exists": 0.56, "count": 0.32, "relation": 0.6}
    for number, kind in enumerate(KINDS):
        asked = [
            (tuple(words), right)
            for words, right, own in zip(questions[15000:].tolist(), answers[15000:].tolist(), kinds[15000:].tolist())  # noqa: B905
            if own == number and tuple(words) in best
        ]
        right = [max(range(len(ANSWERS)), key=best[words].__getitem__) == right for words, right in asked]
        assert sum(right) / len(right) < chance[kind]


def test_no_question_of_the_other_splits_speaks_of_a_new_pair():
    for words in question_words(drawn("train")[1]):
        assert not any(pair in zip(words, words[1:], strict=False) for pair in NEW_PAIRS)
