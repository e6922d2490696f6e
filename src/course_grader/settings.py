"""What a course decides in its ``nbgrader_config.py``, in the section ``c.CourseGrader``."""

import difflib
import os
import sys
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from traitlets import Bool, Dict, Integer, List, Unicode
from traitlets.config import Config, Configurable, PyFileConfigLoader

from course_grader.messages import MIB, Limits, Rules

USUAL = Limits()


class CourseGrader(Configurable):
    """The settings of the grader.

    Settings per assignment are dictionaries from its name, or ``"*"`` for all, to the value, or to a function that
    returns it and is called when the assignment is graded.
    """

    forbidden_modules = Dict(help="Per assignment: modules that a submission cannot import.").tag(config=True)
    stand_ins = List(
        Unicode(),
        help="Packages that a submission can import and that do nothing there, such as the checks that the tests call.",
    ).tag(config=True)
    reported_functions = Dict(
        help="Per assignment: dotted names of functions and classes whose use is reported; a list, or a dictionary "
        "from the graded name to a list. A * in a name stands for anything."
    ).tag(config=True)
    refused_functions = Dict(
        help="As reported_functions, but calling one of them raises an error, so that the task earns nothing."
    ).tag(config=True)
    variants = Unicode(
        "",
        help="module:function that draws a private variant: it takes a notebook with solutions as a dictionary, the "
        "name of the assignment and a seed, and returns an object with the notebook and sentences as notes.",
    ).tag(config=True)
    shared_packages = List(
        Unicode(), help="Packages whose nn.Module classes a test may hand to a submission as they are."
    ).tag(config=True)
    preload = List(Unicode(), help="Modules to import once per worker, beside those that a notebook imports.").tag(
        config=True
    )
    readable_paths = List(Unicode(), help="Further folders that a submission can read, such as data sets.").tag(
        config=True
    )
    arguments_may_change = Bool(
        True, help="False: a function that changes an argument in place fails the test that called it."
    ).tag(config=True)
    show_hidden_messages = Bool(
        False, help="True: feedback shows the message of a failed hidden test (never its source)."
    ).tag(config=True)
    cell_seconds = Integer(
        0,
        help=f"Processor time for one cell; 0 takes ExecutePreprocessor.timeout or {USUAL.cpu_seconds}. Three times "
        "that may pass on the clock, and what a busy machine makes it wait.",
    ).tag(config=True)
    submission_seconds = Integer(
        USUAL.cpu_seconds_total,
        help="Processor time for one submission. Four times that may pass on the clock, with its tests.",
    ).tag(config=True)
    memory_mib = Integer(
        USUAL.memory_mib, help="Memory that a submission may take, beside Python and the loaded packages."
    ).tag(config=True)
    test_memory_mib = Integer(
        USUAL.test_memory_mib,
        help="The same for the tests of one submission, in the trusted process: a test that needs more fails.",
    ).tag(config=True)
    file_mib = Integer(USUAL.file_mib, help="Largest file that a submission can write.").tag(config=True)
    answer_mib = Integer(USUAL.answer_bytes // MIB, help="Largest answer of a submission to one call of a test.").tag(
        config=True
    )
    submission_mib = Integer(20, help="Largest submitted folder that is read.").tag(config=True)

    def of(self, name: str, assignment: str):
        """Return a setting that is given per assignment."""
        values = getattr(self, name)
        value = values.get(assignment, values.get("*", []))
        return value() if callable(value) else value


class Course:
    """A course folder: where things are, and what it decided.

    Args:
        root: the folder that holds ``nbgrader_config.py``.
    """

    def __init__(self, root: str | os.PathLike = "."):
        self.root = Path(root).resolve()
        self.config = Config()
        if (self.root / "nbgrader_config.py").exists():
            self.config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        self.config.CourseDirectory.root = str(self.root)
        self.directory = CourseDirectory(config=self.config)
        self.settings = CourseGrader(config=self.config)
        if self.settings.cell_seconds <= 0:
            limit = self.config.ExecutePreprocessor.get("timeout") or self.config.Execute.get("timeout")
            self.settings.cell_seconds = limit if isinstance(limit, int) and limit > 0 else USUAL.cpu_seconds

    def gradebook(self) -> Gradebook:
        """Open the gradebook; a new one is made where there is none."""
        own = os.path.dirname(sys.executable)
        if own not in os.environ.get("PATH", "").split(os.pathsep):
            os.environ["PATH"] = own + os.pathsep + os.environ.get("PATH", "")  # nbgrader starts alembic by its name
        return Gradebook(self.directory.db_url, self.directory.course_id or "default_course")

    def require(self, assignment: str) -> None:
        """Refuse an assignment that the course does not have.

        Raises:
            ValueError: if neither the source folder nor the gradebook has a notebook of it.
        """
        if any(self.source(assignment).glob("*.ipynb")):
            return
        known = self.assignments()
        if assignment in known:
            return
        near = difflib.get_close_matches(assignment, known, n=1)
        advice = f"did you mean {near[0]}?" if near else f"the course has {', '.join(known) or 'none'}"
        raise ValueError(f"{assignment}: expected an assignment of this course, found no notebook of it; {advice}")

    def assignments(self) -> list[str]:
        """Return the names of all assignments of which the source folder or the gradebook has a notebook."""
        with self.gradebook() as gradebook:
            known = {each.name for each in gradebook.assignments if each.notebooks}
        folder = self.root / self.directory.source_directory
        return sorted(known | {path.parent.name for path in folder.glob("*/*.ipynb")})

    def folder(self, step: str, student: str, assignment: str) -> Path:
        """Return the folder of one step (an nbgrader directory name), student and assignment."""
        return Path(self.directory.format_path(step, student, assignment))

    def submitted(self, student: str, assignment: str) -> Path:
        """Return the folder that a student submitted."""
        return self.folder(self.directory.submitted_directory, student, assignment)

    def autograded(self, student: str, assignment: str) -> Path:
        """Return the folder of a graded submission."""
        return self.folder(self.directory.autograded_directory, student, assignment)

    def feedback(self, student: str, assignment: str) -> Path:
        """Return the folder of a student's feedback."""
        return self.folder(self.directory.feedback_directory, student, assignment)

    def source(self, assignment: str) -> Path:
        """Return the folder of an assignment's source."""
        return self.folder(self.directory.source_directory, ".", assignment)

    def state(self, assignment: str) -> Path:
        """Return the folder in which the grader keeps its own results of an assignment."""
        return self.root / "grading" / assignment

    def rules(self, assignment: str) -> Rules:
        """Return everything that the processes which grade need to know."""
        settings = self.settings

        def per_name(value) -> dict:
            return {name: list(each) for name, each in value.items()} if isinstance(value, dict) else {"*": list(value)}

        return Rules(
            forbidden=list(settings.of("forbidden_modules", assignment)),
            stand_ins=list(settings.stand_ins),
            reported=per_name(settings.of("reported_functions", assignment)),
            refused=per_name(settings.of("refused_functions", assignment)),
            shared=list(settings.shared_packages),
            preload=list(settings.preload),
            readable=[str((self.root / path).resolve()) for path in settings.readable_paths],
            arguments_may_change=settings.arguments_may_change,
            limits=Limits(
                memory_mib=settings.memory_mib,
                test_memory_mib=settings.test_memory_mib,
                file_mib=settings.file_mib,
                cpu_seconds=settings.cell_seconds,
                cpu_seconds_total=settings.submission_seconds,
                answer_bytes=settings.answer_mib * MIB,
            ),
        )
