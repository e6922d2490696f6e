"""A task: its requirements, its oracle, and the wrong answers that explain what goes wrong."""

import functools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from course_checks.cases import Case
from course_checks.diagnose import diagnose
from course_checks.integrity import require_untouched
from course_checks.outcomes import Outcome
from course_checks.programs import Edit, edited, program_of, programs, right_cells, run
from course_checks.subject import Subject
from course_checks.words import Finding, Wrong, fail, passed


@dataclass(frozen=True)
class WrongAnswer:
    """An answer with a mistake that no edit says.

    Args:
        name: a word or a few, unique in its task.
        function: the answer.
        words: those of the mistake.
    """

    name: str
    function: Callable
    words: tuple[Wrong, ...]


@dataclass(frozen=True)
class Edited:
    """An answer with one or two mistakes: the solution, edited.

    Args:
        task: whose solution it is.
        edits: what is changed.
        words: those of each mistake.
    """

    task: "Task" = field(repr=False, compare=False)
    edits: tuple[Edit, ...]
    words: tuple[Wrong, ...]

    @property
    def name(self) -> str:
        """Say what is changed."""
        return ", ".join(map(str, self.edits))

    @functools.cached_property
    def source(self) -> str | None:
        """The program; None where two edits are at one place."""
        return edited(self.task.program, self.edits)

    @functools.cached_property
    def function(self) -> Callable:
        """The answer."""
        return self.task.run(self.source)


@dataclass(frozen=True)
class Requirement:
    """One sentence of the task, and the situations in which it is tried.

    Args:
        passed: what is right, in words, when it is met.
        expected: what is required, in words.
        visible: cases of the check that a learner runs.
        hidden: cases that are run at grading: the same sentence, other sizes and numbers.
        hint: one thing to try where no mistake is recognised.
    """

    passed: str
    expected: str
    visible: Sequence[Case] = ()
    hidden: Sequence[Case] = ()
    hint: str = ""


@dataclass
class Task:
    """What a learner writes under one name.

    Args:
        name: the name.
        unit: the unit's name without its number.
        not_allowed: words; a torch function whose name contains one of them is not allowed.
        watched: whether calls are watched for what is not allowed.
    """

    name: str
    unit: str
    not_allowed: Sequence[str] = ()
    watched: bool = True
    requirements: list[Requirement] = field(default_factory=list)
    limit_cases: Requirement | None = None
    wrong: list[WrongAnswer | Edited] = field(default_factory=list)
    _oracle: Callable | None = None
    _own: Callable | None = None
    _groups: list[list[Edited]] = field(default_factory=list)
    _cancelled: list[set[str]] = field(default_factory=list)
    _known: dict = field(default_factory=dict, repr=False)

    def oracle(self, function: Callable) -> Callable:
        """Decorate the function or class that is right: torch's own, or the definition spelt out."""
        self._oracle = function
        return function

    def mistake(self, cause: str, sees: str = "", hint: str = "") -> Callable:
        """Decorate a wrong answer."""

        def add(function: Callable) -> Callable:
            self._add(WrongAnswer(function.__name__.strip("_"), function, (Wrong(cause, sees, hint),)))
            return function

        return add

    def solution(self, function: Callable) -> Callable:
        """Decorate the right answer that `edit` changes, where it is not a cell of a unit's solutions."""
        self._own = function
        return function

    @property
    def program(self) -> str:
        """The text of the solution; empty where there is none."""
        if self._own:
            return program_of(self._own)
        return programs(self.unit).get(self.name, "") if self.unit else ""

    def run(self, program: str) -> Callable:
        """Run a changed solution beside what the solution may use, and give the answer."""
        return run(self._own.__globals__ if self._own else right_cells(self.unit), self.name, program)

    def edit(self, old: str, wrong: dict[str, Wrong | tuple[str, ...]]) -> None:
        """Add the mistakes that are made at one place of the solution; two at different places are a pair.

        Args:
            old: text that stands once in the solution without its comments; see `programs.Edit`.
            wrong: for each text that may stand there by mistake its words: a cause, one thing to try, and what is to
                be seen, of which the last two may be left out.

        Raises:
            ValueError: if the text is not there.
        """
        self._add_edits([([Edit(old, new)], words) for new, words in wrong.items()])

    def edit_all(self, old: str, wrong: dict[str, Wrong | tuple[str, ...]]) -> None:
        """Add mistakes as `edit` does, each made at all the places where a text stands."""
        self._add_edits([([Edit(old, new, everywhere=True)], words) for new, words in wrong.items()])

    def edit_places(self, changes: dict[str, str], *words: str) -> None:
        """Add one mistake that shows at several places, each given by its old and its new text."""
        self._add_edits([([Edit(old, new) for old, new in changes.items()], words)])

    def _add_edits(self, group: list[tuple[list[Edit], Wrong | tuple[str, ...]]]) -> None:
        answers = []
        for edits, words in group:
            if not isinstance(words, Wrong):
                cause, hint, sees = (*words, "", "")[:3]
                words = Wrong(cause, sees, hint)
            for edit in edits:
                edit.spans(self.program)
            answers.append(Edited(self, tuple(edits), (words,)))
            self._add(answers[-1])
        self._groups.append(answers)

    def _add(self, answer: WrongAnswer | Edited) -> None:
        if any(each.name == answer.name for each in self.wrong):
            raise ValueError(f"{self.name}: expected a new name for a wrong answer, got {answer.name!r} again")
        self.wrong.append(answer)

    def cancel(self, *new: str) -> None:
        """Say of two mistakes, given by their new texts, that one makes up for the other: they are no pair."""
        self._cancelled.append(set(new))

    def pairs(self) -> Iterator[Edited]:
        """Yield the answers with two mistakes: edits at two places."""
        for one, other in combinations(self._groups, 2):
            for first, second in product(one, other):
                both = Edited(first.task, first.edits + second.edits, first.words + second.words)
                if both.source is not None and {edit.new for edit in both.edits} not in self._cancelled:
                    yield both

    def require(
        self, passed: str, expected: str, visible: Sequence[Case], hidden: Sequence[Case] = (), hint: str = ""
    ) -> None:
        """Add a requirement; see `Requirement`."""
        self.requirements.append(Requirement(passed, expected, visible, hidden, hint))

    def probe(self, passed: str, expected: str, cause: str, hint: str) -> Callable:
        """Decorate a short experiment on an answer: it returns what is wrong, in words, or None.

        A wrong answer that does the same in every situation of the task explains it better than these words.
        """

        def add(function: Callable[[Callable], str | None]) -> Callable:
            def observe(answer: Callable) -> None:
                seen = function(answer)
                if seen is not None:
                    raise Finding(seen, expected, cause, hint)

            situation = function.__doc__.strip().splitlines()[0].rstrip(".")
            situation = (situation[:1] if situation[1:2].isupper() else situation[:1].lower()) + situation[1:]
            self.requirements.append(Requirement(passed, expected, [Case(situation, (), observe, right=None)]))
            return function

        return add

    def limits(self, passed: str, cases: Sequence[Case], expected: str = "") -> None:
        """Set the cases at the border: wrong input, and sizes that are rare. They cost only themselves."""
        self.limit_cases = Requirement(passed, expected, cases)

    @property
    def cases(self) -> list[Case]:
        """List the visible cases, with the probes."""
        return [case for requirement in self.requirements for case in requirement.visible]

    def cases_with(self, case: Case) -> list[Case]:
        """List the visible cases, and those at the border if this is one of them."""
        limits = self.limit_cases.visible if self.limit_cases else ()
        return [*self.cases, *(limits if any(each is case for each in limits) else ())]

    def expected(self, case: Case) -> Outcome:
        """Give the right outcome of a case."""
        return self.outcome(case, "", self._oracle) if case.needs_oracle else Outcome(case.right)

    def outcome(self, case: Case, name: str, function: Callable) -> Outcome:
        """Observe one of our own answers, once; what it warns of is not the learner's."""
        key = id(case), name
        if key not in self._known:
            with warnings.catch_warnings(action="ignore"):
                self._known[key] = case.outcome(function)
        return self._known[key]

    def check(self, answer: Callable) -> None:
        """Try every requirement in its visible cases, and print one line for each that is met.

        Raises:
            CheckFailed: at the first that is not, with the likely cause.
        """
        subject, outcomes = self._subject(answer), []
        for requirement in self.requirements:
            for case in requirement.visible:
                outcomes.append((requirement, case, self._try(requirement, case, subject)))
            passed(self.name, requirement.passed)
        self._require_nothing_kept(subject, outcomes)

    def grade(self, answer: Callable) -> None:
        """Try every requirement in its hidden cases.

        Raises:
            CheckFailed: at the first that is not met.
        """
        self._try_all(answer, self.requirements, "hidden")

    def check_limits(self, answer: Callable) -> None:
        """Try the cases at the border, and print one line if all are right.

        Raises:
            CheckFailed: at the first that is not.
        """
        self._try_all(answer, [self.limit_cases], "visible")
        passed(self.name, self.limit_cases.passed)

    def _subject(self, answer: Callable) -> Subject:
        if not getattr(answer, "runs_elsewhere", False):
            require_untouched(self)
        return Subject(answer, self.unit if self.watched else "", self.not_allowed)

    def _try_all(self, answer: Callable, requirements: Sequence[Requirement], which: str) -> None:
        subject = self._subject(answer)
        for requirement in requirements:
            for case in getattr(requirement, which):
                self._try(requirement, case, subject)

    def _try(self, requirement: Requirement, case: Case, subject: Subject) -> Outcome:
        outcome = case.outcome(subject)
        if not outcome.agrees(self.expected(case), case.within):
            found = diagnose(self, requirement, case, subject, outcome)
            fail(self.name, case.situation, found.observed, found.expected, found.cause, found.hint)
        return outcome

    def _require_nothing_kept(self, subject: Subject, outcomes: list) -> None:
        """Require that results neither change after they were returned, nor depend on the calls before them."""
        first, case, _ = outcomes[0]
        if not callable(case.inputs) or not case.needs_oracle:
            return
        # The same shapes with other numbers, so that a result kept for a shape is found out; then the first again.
        for other in (case.drawn_again, case):
            if not other.outcome(subject).agrees(other.outcome(self._oracle), case.within):
                fail(self.name, other.situation, "right at first, and wrong when it is called again after other calls",
                     first.expected, "a global variable, a default argument that is changed, or an attribute that a "
                     "call leaves behind", "compute everything from the arguments")  # fmt: skip
            for requirement, earlier, outcome in outcomes:
                if not outcome.agrees(self.expected(earlier), earlier.within):
                    fail(self.name, earlier.situation, "a result that was right has changed after later calls",
                         requirement.expected, "the function returns a tensor that it keeps, and writes into it again",
                         "make a new tensor in every call")  # fmt: skip
