"""Which small changes of the library's units their own tests do not notice; their share is kept, and only falls.

    python tools/survivors.py 04          a unit: name the survivors, and keep them in tests/survivors.json
    python tools/survivors.py             all units (half an hour of one core)
    python tools/survivors.py --all 04    try all changes instead of one in four; nothing is kept

A unit's own tests are `tests/**/test_slug*.py` without the slow ones, and the examples in its docstrings. A change that
survives is a hole in these tests, or it changes nothing that anybody promised: a person reads the list. Nothing is
kept where the share would rise; the exit status is then 1.

Which changes are tried, the checksum of their words decides, so that a new line leaves the choice of the others alone.
Each is tried in a fork of a process that has loaded torch and run the tests once: a try takes a second and not ten. A
change that never ends, or takes all memory, is noticed.
"""

import argparse
import ast
import contextlib
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from mutants import keep, mutants, record, share
from notebooks import ROOT
from tqdm import tqdm

from transformer_course.common.units import SLUGS, UNITS

EVERY = 4  # one change in so many is tried
CPU_SECONDS, SECONDS, MEMORY = 60, 900, 8 * 2**30  # of one try: of the processor, of the clock, and bytes
PYTEST = (
    *("-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", "--import-mode=importlib", "--doctest-modules"),
    *("-p", "no:logging", "--assert=plain", "--tb=no"),  # what would tell a person more
)


@dataclass(frozen=True)
class Module:
    """A module and the files that test it.

    Args:
        name: its full name.
        path: its source.
        tests: files that pytest takes.
    """

    name: str
    path: Path
    tests: tuple[Path, ...]


def of_unit(slug: str) -> Module:
    """Find a unit's module and its own tests."""
    path = ROOT / "src" / "transformer_course" / f"{slug}.py"
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    return Module(f"transformer_course.{slug}", path, (path, *(each for each in tests if _owner(each) == slug)))


def _owner(test: Path) -> str | None:
    stem = test.stem.removeprefix("test_")
    return max((slug for slug in SLUGS if f"{stem}_".startswith(f"{slug}_")), key=len, default=None)


def small_changes(source: str, every: int = EVERY) -> Iterator[tuple[str, int, ast.stmt]]:
    """Yield small changes of a module: words that name one, the place of its statement, and the changed statement.

    Args:
        source: the module.
        every: one change in so many is yielded.
    """
    seen: dict[str, int] = {}
    for place, statement in enumerate(ast.parse(source).body):
        original = ast.unparse(statement)
        programs = {original}
        for words, program in mutants(original):
            if program in programs:
                continue
            programs.add(program)
            name = f"{_name(statement)}: {words}"
            seen[name] = seen.get(name, 0) + 1
            name += f" ({seen[name]})" if seen[name] > 1 else ""
            if zlib.crc32(name.encode()) % every == 0:
                yield name, place, ast.parse(program).body[0]


def _name(statement: ast.stmt) -> str:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement
    return getattr(statement, "name", None) or getattr(target, "id", "module")


def survivors(module: Module, changes: Sequence[tuple[str, int, ast.stmt]]) -> list[str]:
    """Try changes of a module; name those that its tests do not notice.

    Raises:
        ValueError: if the tests fail without a change.
    """
    tree = ast.parse(module.path.read_text(encoding="utf-8"))
    if _test(module) != 0:  # loads everything that takes long to load
        raise ValueError(f"{module.name}: expected tests that pass, got a failure")
    _forget()
    gc.collect()
    gc.freeze()  # a fork that looked through all objects would copy them
    if not _survives(module, tree):
        raise ValueError(f"{module.name}: expected tests that pass a second time, got a failure")
    alive = []
    for words, place, changed in tqdm(changes, desc=module.name, leave=False, disable=None):
        body = [*tree.body[:place], changed, *tree.body[place + 1 :]]
        if _survives(module, ast.Module(body, type_ignores=[])):
            alive.append(words)
    return alive


def _survives(module: Module, tree: ast.Module) -> bool:
    """Run the tests in a fork in which the module is this program."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(SECONDS)
            sys.meta_path.insert(0, _Changed(module, ast.unparse(tree)))
            importlib.import_module(module.name)  # before pytest, which would load the file that it is given
            os._exit(_test(module))
        finally:
            os._exit(99)
    return os.waitpid(child, 0)[1] == 0


def _test(module: Module) -> int:
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        return int(pytest.main([*PYTEST, f"--rootdir={ROOT}", *map(str, module.tests)]))


def _forget() -> None:
    """Forget all modules of ours, so that a fork imports them anew."""
    for name, loaded in list(sys.modules.items()):
        path = getattr(loaded, "__file__", None)
        if path and Path(path).is_relative_to(ROOT) and "site-packages" not in path:
            del sys.modules[name]


class _Changed(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Finds one module, and loads it from another text."""

    def __init__(self, module: Module, program: str):
        super().__init__(module.name, str(module.path))
        self.program = program

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == self.name else None

    def get_code(self, name):
        return compile(self.program, self.path, "exec")


def main(arguments: list[str] | None = None) -> int:
    """Measure units, say what survived, and keep it; the exit status is 1 if a share has risen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", help="numbers of units, as 04; all of them without it")
    parser.add_argument("--all", action="store_true", help="try all changes, and keep nothing")
    options = parser.parse_args(arguments)
    risen = False
    for unit in UNITS:
        if options.units and f"{unit.number:02}" not in options.units:
            continue
        module = of_unit(unit.slug)
        changes = list(small_changes(module.path.read_text(encoding="utf-8"), 1 if options.all else EVERY))
        alive = survivors(module, changes)
        print(f"\n{unit.name}: {len(changes)} small changes tried, {len(alive)} survive")
        print("".join(f"- {words}\n" for words in alive), end="", flush=True)
        if not options.all and not keep("library", unit.name, len(changes), alive):
            print(f"{unit.name}: not kept, for before it was a share of {share(record()['library'][unit.name]):.1%}")
            risen = True
    return 1 if risen else 0


if __name__ == "__main__":
    sys.exit(main())
