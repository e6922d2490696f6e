"""`course-check`: names the bug in anybody's implementation, in a terminal.

    course-check scaled_dot_product_attention my_file.py:my_attention
    course-check MultiHeadAttention                                      how it is called, and what it has to do
    course-check --list

The file is imported, so what stands in it at the top level is run. Exit codes: 0, it is right, perhaps in another
convention or but for a case at the border, which is said; 1, it is not; 2, it could not be tried. A call that does not
come to an end is not ended.
"""

import argparse
import contextlib
import functools
import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from course_checks.cli.asked import asked
from course_checks.cli.examine import examine
from course_checks.cli.names import unknown
from course_checks.cli.ways import CannotTry
from course_checks.task import Task
from transformer_course.common.units import UNITS


def tasks() -> dict[str, tuple[str, Task]]:
    """Fetch every graded name, with the number of its unit; a name that two units have has the number before it."""
    found: dict[str, tuple[str, Task]] = {}
    for unit in UNITS:
        module = importlib.import_module(f"course_checks.{unit.slug}")
        for task in vars(module).values():
            if isinstance(task, Task):
                number = unit.name.partition("_")[0]
                found[task.name if task.name not in found else f"{number}:{task.name}"] = number, task
    return found


def without_bug_hunts() -> dict[str, tuple[str, Task]]:
    """Fetch those of which the name says what is asked for; a bug hunt begins with code that only the exercise has."""
    return {name: each for name, each in tasks().items() if "fixed" not in name.lower()}


def load(place: str, name: str) -> Callable:
    """Import a file and fetch what is to be checked.

    Args:
        place: the file, and after a colon the name in it, which may be left out where it is that of the task.
        name: of the task.

    Raises:
        CannotTry: if there is no such file or name, or the file cannot be imported.
    """
    path, _, wanted = place.rpartition(":") if ".py:" in place else (place, "", "")
    file = Path(path)
    if not file.is_file():
        raise CannotTry(f"{path}: is a folder, expected a file" if file.is_dir() else f"{path}: there is no such file")
    sys.path.insert(0, str(file.parent.resolve()))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(file.stem, module)
    given, sys.argv = sys.argv, [str(file)]
    try:
        spec.loader.exec_module(module)
        found = functools.reduce(getattr, (wanted or name).split("."), module)
    except AttributeError as error:
        own = [each for each, what in vars(module).items() if getattr(what, "__module__", None) == module.__name__]
        instead = f"; it has {', '.join(own)}: name one, as {file.name}:{own[0]}" if own else ""
        raise CannotTry(f"{path}: {error}{instead}") from error
    except (Exception, SystemExit) as error:
        raise CannotTry(f"{path} cannot be imported: {type(error).__name__}: {error}{_way_out(error, file)}") from error
    finally:
        sys.argv = given
    if not callable(found):
        raise CannotTry(f"{place}: expected a function or a class, got {type(found).__name__}")
    return found


def _way_out(error: BaseException, file: Path) -> str:
    if isinstance(error, SystemExit):
        return "; it ends the program: put what is to be run under `if __name__ == '__main__':`"
    package = file.resolve().parent
    beside = (
        f"write a file in {package.parent} that has `from {package.name}.{file.stem} import ...`, and name that one"
    )
    return f"; {beside}" if "no known parent package" in str(error) else ""


def as_far_as_read(run: Callable[[Sequence[str] | None], int], arguments: Sequence[str] | None) -> int:
    """Run a command whose reader, such as `head`, may have seen enough before its end; return the exit code."""
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left goes there at the exit
        return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Check an implementation, or list the names; return the exit code."""
    return as_far_as_read(_main, arguments)


def _main(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser("course-check", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("name", nargs="?", help="the name of the task, as scaled_dot_product_attention")
    parser.add_argument("place", nargs="?", metavar="file.py:function", help="the implementation")
    parser.add_argument("--list", action="store_true", help="print the names that can be checked")
    parser.add_argument("--json", action="store_true", help="print for programs")
    parser.add_argument("--strict", action="store_true", help="another convention and a case at the border count as "
                                                              "wrong, names and other forms do not")  # fmt: skip
    options = parser.parse_args(arguments)
    known = tasks()
    twins = [name for name in known if name.partition(":")[2] == options.name]
    other = f"Another task of this name is {' and '.join(twins)}." if twins else ""
    if options.list:
        listed = [{"unit": number, "name": name} for name, (number, _) in without_bug_hunts().items()]
        print(json.dumps(listed, indent=1) if options.json else "\n".join("{unit}  {name}".format(**x) for x in listed))
        return 0
    try:
        if options.name is None:
            raise CannotTry("expected the name of a task and a file, as in `course-check softmax my_file.py:softmax`")
        if options.name not in known:
            raise CannotTry(unknown(options.name, list(known)))
        if options.place is None:
            words = asked(known[options.name][1])
            print(json.dumps({"asked": words}) if options.json else f"{words}\n\n{other}".rstrip())
            return 0
        with contextlib.redirect_stdout(sys.stderr):  # what the file itself prints
            report = examine(known[options.name][1], load(options.place, known[options.name][1].name))
    except CannotTry as problem:
        said = ". ".join(filter(None, [str(problem), other]))
        print(json.dumps({"problem": said}) if options.json else f"course-check: {said}",
              file=sys.stdout if options.json else sys.stderr)  # fmt: skip
        return 2
    code = 0 if report.right and not (options.strict and (report.conventions or report.rare)) else 1
    print(json.dumps({**asdict(report), "exit": code}, indent=1) if options.json else report)
    if other and not report.right and not options.json:
        print(f"\n{other}")
    return code
