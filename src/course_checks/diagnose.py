"""From a result that is not right to its likely cause: which wrong answer does the same, or which line is to blame?"""

import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

from course_checks.cases import Case
from course_checks.explain import GENERAL, describe, explain, in_words
from course_checks.outcomes import Outcome
from course_checks.repair import elsewhere, repair
from course_checks.subject import Subject
from course_checks.words import Finding

if TYPE_CHECKING:
    from course_checks.task import Edited, Requirement, Task, WrongAnswer

_PAIRS, _SECONDS = 600, 0.6  # how many answers with two mistakes are tried, and how long
_NEAR = 1e-4  # how far a result may be from that of a wrong answer where none is equal: float32 on the way, an epsilon

_CHANCE = 0.01  # numbers that may be further off than this were drawn at random


def diagnose(task: "Task", requirement: "Requirement", case: Case, subject: Subject, outcome: Outcome) -> Finding:
    """Say what is wrong with an outcome, and why.

    In this order: what says so itself (a function that is not allowed, a changed input); another task's answer that
    this one calls; a wrong answer that does the same, here and elsewhere; a result of the wrong kind; a line of the
    learner's that one small change makes right; a wrong answer that does the same here alone; one with two mistakes;
    one that does nearly the same; a line whose change mends this requirement, but not all of them; a description of the
    difference.

    Args:
        task: the task.
        requirement: what is not met.
        case: the situation.
        subject: the learner's answer, which is run in other situations where several wrong answers fit.
        outcome: what it did in this one.

    Returns:
        The four parts of a message.
    """
    found = outcome.finding
    if found is not None and found.final:
        return _complete(found, requirement)
    expected = task.expected(case).value
    requirement = requirement if requirement.expected else replace(requirement, expected=in_words(expected))
    explained = found or explain(outcome, expected)
    own = explained or _described(case, outcome, expected)
    to_blame = elsewhere(task, case, subject.module)
    if to_blame is not None:
        return _complete(Finding(own.observed, own.expected, to_blame.cause, to_blame.hint), requirement)
    inquiry = _Inquiry(task, requirement, case, subject.module, outcome)
    surely, perhaps = inquiry.likely(task.wrong)
    if surely:
        return _complete(_named(surely, own), requirement)
    if explained is not None and explained is not found:
        return _complete(own, requirement)
    line, mends_all = None, False
    if not isinstance(outcome.error, NameError):
        line, mends_all = repair(task, requirement, case, subject.module)
    if not mends_all and not perhaps and found is None:
        end = time.process_time() + _SECONDS
        pairs = takewhile(lambda _: time.process_time() < end, islice(task.pairs(), _PAIRS))
        perhaps, _ = inquiry.likely(pairs)
    if not mends_all and not perhaps and outcome.error is None:
        surely, perhaps = inquiry.likely(task.wrong, _NEAR)
        perhaps = surely or perhaps
    if perhaps and not mends_all:
        return _complete(_named(perhaps, own), requirement)
    if line is None or (not mends_all and found is not None and found.cause):
        return _complete(own, requirement)
    numbers = outcome.error is None and not own.expected and not hasattr(case.observe, "words")
    looks = numbers and own.cause not in GENERAL  # like a factor, a sign, an epsilon: that says more than the question
    cause, hint = (f"{line.cause}: {own.cause}", own.hint) if looks else (line.cause, line.hint)
    return _complete(Finding(own.observed, own.expected, cause, hint), requirement)


def _described(case: Case, outcome: Outcome, expected: Any) -> Finding:
    own = describe(outcome, expected, getattr(case.observe, "words", None))
    if outcome.error is None and hasattr(case.observe, "seen"):  # this observation says better what was seen
        return Finding(case.observe.seen(outcome.value), own.expected, own.cause)
    return own


class _Inquiry:
    """Which wrong answers do the same as the learner's, in this case and in others.

    Args:
        task: the task.
        requirement: what is not met.
        case: the situation in which it is not.
        answer: the learner's, called as the wrong answers are, without the care of a check.
        outcome: what it did in this case.
    """

    def __init__(self, task: "Task", requirement: "Requirement", case: Case, answer: Any, outcome: Outcome):
        self._task, self._requirement, self._case, self._answer = task, requirement, case, answer
        self._seen = {id(case): outcome}

    def likely(self, answers: "Iterable[WrongAnswer | Edited]", near: float = 0.0) -> "tuple[list, list]":
        """Find those that do the same here and elsewhere, and those that do the same here alone."""
        answers = [each for each in answers if self._done(self._case, each)]  # as far as the time for them goes
        return self._confirmed(self._fitting(answers, near), near)

    def _does_the_same(self, case: Case, answer: "WrongAnswer | Edited", near: float) -> bool:
        if id(case) not in self._seen:
            self._seen[id(case)] = case.outcome(self._answer)
        return self._seen[id(case)].agrees(self._done(case, answer), max(case.within or 0, near) or None)

    def _done(self, case: Case, answer: "WrongAnswer | Edited") -> Outcome:
        return self._task.outcome(case, answer.name, answer.function)

    def _is_right(self, case: Case, answer: "WrongAnswer | Edited", near: float = 0.0) -> bool:
        return self._done(case, answer).agrees(self._task.expected(case), max(case.within or 0, 10 * near) or None)

    def _fitting(self, answers: "list[WrongAnswer | Edited]", near: float) -> "list[WrongAnswer | Edited]":
        """Find those that do the same here, and of several those that do the same elsewhere too."""
        fit = [each for each in answers if self._does_the_same(self._case, each, near)]
        if near:
            fit = [each for each in fit if not self._is_right(self._case, each, near)]
        hidden = any(each is self._case for each in self._requirement.hidden)  # then visible ones may fail as well
        before = [each for each in fit if self._passes_before(each)]
        fit = before or (fit if hidden or not fit or len(fit[0].words) == 1 else [])
        probed = self._seen[id(self._case)].finding is not None  # many mistakes raise the same: others must agree too
        for other in self._task.cases:
            if not fit or (len(fit) == 1 and not probed):
                break
            if other is not self._case:
                agree = [each for each in fit if self._does_the_same(other, each, near)]
                fit = agree if agree or probed else fit
        return fit

    def _passes_before(self, answer: "WrongAnswer | Edited") -> bool:
        """Say whether an answer is right, as the learner's was, in all visible cases that come before this one."""
        for earlier in self._task.cases_with(self._case):
            if earlier is self._case:
                return True
            if not self._is_right(earlier, answer):
                return False
        return True

    def _confirmed(self, fit: "list[WrongAnswer | Edited]", near: float) -> "tuple[list, list]":
        """Keep what does the same with other numbers, and elsewhere where it is wrong.

        That is in one more case of the requirement, in all of them where chance plays a part or two mistakes are told,
        and in half of all cases of the task where the requirement has no other.
        """
        again, surely, perhaps = self._case.drawn_again, [], []
        own, all_cases = (*self._requirement.visible, *self._requirement.hidden), self._task.cases
        for answer in fit:
            if again is not None and not again.outcome(self._answer).agrees(
                again.outcome(answer.function), max(again.within or 0, near) or None
            ):
                continue
            tells, others = (
                [each for each in cases if each is not self._case and not self._is_right(each, answer)]
                for cases in (own, all_cases)
            )
            agree = [self._does_the_same(each, answer, near) for each in tells or others]
            every = (self._case.within or 0) > _CHANCE or len(answer.words) > 1
            if sum(agree) >= len(agree) * (1 if every else 0 if tells and any(agree) else 0.5):
                surely.append(answer)
            elif not tells:
                perhaps.append(answer)
        return surely, perhaps


def _named(answers: "list[WrongAnswer]", own: Finding) -> Finding:
    """Put the words of one wrong answer together, or those of two that cannot be told apart."""
    pair = "first, " if len(answers[0].words) > 1 else ""
    causes = dict.fromkeys(pair + " and, second, ".join(words.cause for words in each.words) for each in answers[:2])
    sees = next((words.sees for words in answers[0].words if words.sees), own.observed)
    hints = dict.fromkeys(each.words[0].hint for each in answers[:2] if each.words[0].hint)
    two = "two mistakes at once: " if pair else ""
    return Finding(sees, "", two + "; or (it shows in the same way): ".join(causes), _or(hints) or own.hint)


def _or(hints: Iterable[str]) -> str:
    return " Or: ".join(hint if hint.endswith("?") else f"{hint}." for hint in hints).removesuffix(".")


def _complete(found: Finding, requirement: "Requirement") -> Finding:
    """Fill in what a finding leaves to the requirement."""
    hint = found.hint or requirement.hint or "work out the smallest case by hand, and compare step by step"
    return Finding(found.observed, found.expected or requirement.expected, found.cause, hint)
