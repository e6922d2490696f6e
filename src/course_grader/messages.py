"""What the processes of the grader hand to each other, each as a dataclass; between processes it is JSON and raw bytes.

An `Assignment` goes once to each worker, and from there to its judge and, as far as its `Rules`, to the sandbox. Then
each `Submission` goes the same way and comes back as a `Result`, which is kept as a `Record`.
"""

import dataclasses
import hashlib
import types
import typing
from dataclasses import dataclass, field

from course_grader.notebooks import ReleasedCell

MIB = 2**20


@dataclass
class Limits:
    """What a submission may use.

    Args:
        memory_mib: memory that its process may take beside what is loaded.
        test_memory_mib: the same for the tests, in the trusted process.
        file_mib: the largest file that it can write.
        threads: how many threads may run, where the grader is not root.
        cpu_seconds: processor time of one cell or call.
        cpu_seconds_total: processor time of the whole submission.
        answer_bytes: the largest answer to a call of a test.
    """

    memory_mib: int = 2048
    test_memory_mib: int = 6144
    file_mib: int = 64
    threads: int = 1024
    cpu_seconds: int = 30
    cpu_seconds_total: int = 600
    answer_bytes: int = 256 * MIB


@dataclass
class Rules:
    """What an assignment decides about how it is graded.

    Args:
        forbidden: modules that cannot be imported, and whose files are not there.
        stand_ins: packages that can be imported, do nothing, and whose files are not there.
        reported: functions whose use is noted, by graded name or ``"*"``.
        refused: functions whose call raises, likewise.
        shared: packages whose module classes a test may hand over as they are.
        preload: modules to import once, before the first submission.
        readable: further paths that can be read.
        arguments_may_change: whether a function may change its arguments in place.
        limits: what a submission may use.
    """

    forbidden: list[str] = field(default_factory=list)
    stand_ins: list[str] = field(default_factory=list)
    reported: dict[str, list[str]] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    shared: list[str] = field(default_factory=list)
    preload: list[str] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)
    arguments_may_change: bool = True
    limits: Limits = field(default_factory=Limits)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The modules and packages of which a submission gets nothing."""
        return (*self.forbidden, *self.stand_ins)


@dataclass
class SandboxStart:
    """What the first process in the sandbox is told."""

    rules: Rules
    isolated: bool
    writable: list[str]


@dataclass
class ReleasedNotebook:
    """A notebook as it was released, with its tests."""

    cells: list[ReleasedCell]
    kernelspec: dict


@dataclass
class Assignment:
    """Everything that grading needs to know of an assignment.

    Args:
        name: as nbgrader knows it.
        notebooks: by name, without ``.ipynb``.
        rules: how it is graded.
        files: relative path to content, of what lies beside the notebooks.
        fingerprint: a digest of all that.
    """

    name: str
    notebooks: dict[str, ReleasedNotebook]
    rules: Rules
    files: dict[str, bytes] = field(default_factory=dict)
    fingerprint: str = ""


@dataclass
class Submission:
    """What one student handed in.

    Args:
        student: the id, which is the folder's name.
        notebooks: name without ``.ipynb`` to text.
        files: relative path to content.
        timestamp: when it was handed in, as UTC in ISO format; None if that is not known.
        stamp: the same as the exchange of nbgrader wrote it, which knows a submission again by this text.
        problem: one sentence on why nothing can be read; None if all is well.
        notes: one sentence on each thing that was left out.
    """

    student: str
    notebooks: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    timestamp: str | None = None
    stamp: str = ""
    problem: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def fingerprint(self) -> str:
        """A digest of everything that was handed in."""
        digest = hashlib.sha256(repr((self.problem, self.timestamp, self.notes)).encode())
        for name, text in sorted(self.notebooks.items()):
            digest.update(name.encode(errors="replace") + b"\0" + text.encode(errors="replace"))
        for name, content in sorted(self.files.items()):
            digest.update(name.encode(errors="replace") + b"\0" + hashlib.sha256(content).digest())
        return digest.hexdigest()


NOT_ATTEMPTED, STOPPED = "NotAttempted", "Stopped"  # types of a failure that are the grader's own


@dataclass
class Failure:
    """Why a test failed; ``hidden`` if in a line that learners do not see."""

    type: str
    message: str
    hidden: bool = False


@dataclass
class Score:
    """What came of one test or written answer; the score is None where a person has to read it."""

    score: float | None
    points: float
    seconds: float = 0.0
    manual: bool = False
    error: Failure | None = None


@dataclass
class Usage:
    """What a submission used; ``clean`` unless it left something behind that could not be removed."""

    cpu: float = 0.0
    memory_mib: int = 0
    processes: int = 0
    clean: bool = True


@dataclass
class NotebookResult:
    """What came of one notebook.

    Args:
        document: the graded notebook, as JSON.
        scores: by the id of the cell.
        comments: automatic comments, by the id of the cell.
        notes: one sentence on each thing that was not as released.
        flags: one sentence on each thing that a person should look at.
        problems: one sentence on each thing that could not be graded.
        usage: what it used.
    """

    document: str
    scores: dict[str, Score] = field(default_factory=dict)
    comments: dict[str, str | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)


@dataclass
class Opened:
    """What the judge says when it is ready for submissions, or why it is not."""

    error: str | None = None


@dataclass
class Progress:
    """What the fork that grades a notebook says: the test that begins, why it failed, or the result."""

    test: str | None = None
    failed: str | None = None
    result: NotebookResult | None = None


@dataclass
class Result:
    """What came of a submission; ``again`` if that was the grader's fault."""

    notebooks: dict[str, NotebookResult] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0
    again: bool = False


@dataclass
class Record:
    """A result with the verdict, as it is kept.

    Args:
        student: the id.
        status: graded, partial, failed, or not graded.
        reason: the verdict in a sentence.
        score: all points, without those that a person gives.
        fingerprint: what it was made from.
        timestamp: when the submission was handed in.
        isolated: whether it ran in the sandbox.
        graded_at: when.
        notebooks: by name.
        notes: one sentence on each thing that was left out.
        seconds: how long it took; None if it was not graded.
    """

    student: str
    status: str
    reason: str
    score: float = 0.0
    fingerprint: str = ""
    timestamp: str | None = None
    isolated: bool = True
    graded_at: str = ""
    notebooks: dict[str, NotebookResult] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float | None = None


plain = dataclasses.asdict


def writable(text: str) -> str:
    """Return a text as UTF-8 can hold it: half a character (a lone surrogate) becomes a question mark."""
    return text.encode("utf-8", errors="replace").decode()


def parse(kind, data):
    """Return an object of a dataclass, or of a type that one has as field, from plain data.

    Raises:
        TypeError: if something is missing or unknown.
    """
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{name: parse(hints.get(name), value) for name, value in data.items()})
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:
        return None if data is None else parse(arguments[0], data)
    if origin is list:
        return [parse(arguments[0], each) for each in data]
    if origin is dict:
        return {key: parse(arguments[1], each) for key, each in data.items()}
    return data
