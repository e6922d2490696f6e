"""From a result that is not right to its likely cause: which wrong answer does the same?"""

from itertools import islice
from typing import TYPE_CHECKING, Any

from course_checks.cases import Case
from course_checks.explain import describe, explain
from course_checks.outcomes import Outcome
from course_checks.repair import repair
from course_checks.subject import Subject
from course_checks.words import Finding

if TYPE_CHECKING:
    from course_checks.task import Requirement, Task, WrongAnswer

_PAIRS = 600  # how many answers with two mistakes are tried


def diagnose(task: "Task", requirement: "Requirement", case: Case, subject: Subject, outcome: Outcome) -> Finding:
    """Say what is wrong with an outcome, and why.

    In this order: what says so itself (a function that is not allowed, a changed input), a wrong answer that does the
    same, a result of the wrong kind, a line of the learner's that one small change makes right, a wrong answer with two
    mistakes, a description of the difference.

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
    own = found or explain(outcome, expected)
    likely = _confirmed(task, requirement, case, subject, _fitting(task, case, subject, outcome, list(task.wrong)))
    if likely:
        return _complete(_named(likely[:2], own or _described(case, outcome, expected)), requirement)
    if own is not None and own is not found:
        return _complete(own, requirement)
    own = _described(case, outcome, expected) if found is None else found
    repaired = (
        None if isinstance(outcome.error, NameError) else repair(task, _together(task, case), case, subject.module)
    )
    if repaired is not None:
        return _complete(Finding(own.observed, own.expected, repaired.cause, repaired.hint), requirement)
    if found is None:
        pairs = _fitting(task, case, subject, outcome, list(islice(task.pairs(), _PAIRS)))
        hidden = any(each is case for each in requirement.hidden)  # at grading, visible cases may have failed as well
        pairs = [each for each in pairs if _passes_before(task, case, each)] or (pairs if hidden else [])
        likely = _confirmed(task, requirement, case, subject, pairs)
    return _complete(_named(likely[:2], own) if likely else own, requirement)


def _described(case: Case, outcome: Outcome, expected: Any) -> Finding:
    own = describe(outcome, expected, getattr(case.observe, "words", None))
    if outcome.error is None and hasattr(case.observe, "seen"):  # this observation says better what was seen
        return Finding(case.observe.seen(outcome.value), own.expected, own.cause)
    return own


def _together(task: "Task", case: Case) -> list[Case]:
    """List what has to be right after a repair: the visible cases, and those at the border if this is one of them."""
    limits = task.limit_cases.visible if task.limit_cases else ()
    return [*task.cases, *(limits if any(each is case for each in limits) else ())]


def _confirmed(
    task: "Task", requirement: "Requirement", case: Case, subject: Subject, answers: "list[WrongAnswer]"
) -> "list[WrongAnswer]":
    """Keep what does the same with other numbers too, and in one more case of the requirement in which it is wrong."""
    again = case.drawn_again
    others = [each for each in (*requirement.visible, *requirement.hidden) if each is not case]
    kept = []
    for answer in answers:
        if again is not None and not again.outcome(subject.module).agrees(again.outcome(answer.function), case.within):
            continue
        tells = [(each, task.outcome(each, answer.name, answer.function)) for each in others]
        tells = [(each, wrong) for each, wrong in tells if not wrong.agrees(task.expected(each), each.within)]
        if not tells or any(each.outcome(subject.module).agrees(wrong, each.within) for each, wrong in tells):
            kept.append(answer)
    return kept


def _passes_before(task: "Task", case: Case, answer: "WrongAnswer") -> bool:
    """Say whether an answer is right, as the learner's was, in all visible cases that come before this one."""
    limits = task.limit_cases.visible if task.limit_cases else ()
    for earlier in (*task.cases, *(limits if any(each is case for each in limits) else ())):
        if earlier is case:
            break
        if not task.outcome(earlier, answer.name, answer.function).agrees(task.expected(earlier), earlier.within):
            return False
    return True


def _fitting(
    task: "Task", case: Case, subject: Subject, outcome: Outcome, answers: "list[WrongAnswer]"
) -> "list[WrongAnswer]":
    """Find the wrong answers that do the same here, and of several those that do the same elsewhere too."""
    fit = [each for each in answers if outcome.agrees(task.outcome(case, each.name, each.function), case.within)]
    fit = [each for each in fit if _passes_before(task, case, each)] or fit
    probed = outcome.finding is not None  # many mistakes raise the same finding: the other cases must agree as well
    for other in task.cases:
        if not fit or (len(fit) == 1 and not probed):
            break
        if other is not case:
            here = other.outcome(subject.module)  # called as the wrong answers are, without the care of a check
            agree = [each for each in fit if here.agrees(task.outcome(other, each.name, each.function), other.within)]
            fit = agree if agree or probed else fit
    return fit


def _named(answers: "list[WrongAnswer]", own: Finding) -> Finding:
    """Put the words of one wrong answer together, or those of two that cannot be told apart."""
    pair = "first, " if len(answers[0].words) > 1 else ""
    causes = dict.fromkeys(pair + " and, second, ".join(words.cause for words in each.words) for each in answers)
    sees = next((words.sees for words in answers[0].words if words.sees), own.observed)
    hints = dict.fromkeys(each.words[0].hint for each in answers if each.words[0].hint)
    two = "two mistakes at once: " if pair else ""
    return Finding(sees, "", two + "; or (it shows in the same way): ".join(causes), ". Or: ".join(hints) or own.hint)


def _complete(found: Finding, requirement: "Requirement") -> Finding:
    """Fill in what a finding leaves to the requirement."""
    hint = found.hint or requirement.hint or "work out the smallest case by hand, and compare step by step"
    return Finding(found.observed, found.expected or requirement.expected, found.cause, hint)
