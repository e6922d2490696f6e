"""The command ``doctor``: is everything there that grading needs, and does it do what it should?"""

import importlib.metadata
import os
import shutil
import sys
import time

from course_grader.late_penalties import notes_on_extensions
from course_grader.messages import Limits, Rules
from course_grader.sandbox import jail
from course_grader.settings import Course
from course_grader.submissions import find_students

_PACKAGES = ("nbgrader", "torch", "distributed", "nbformat", "IPython", "SQLAlchemy")


def examine(course: Course) -> list[tuple[str, bool, str]]:
    """Return one ``(what, is well, sentence)`` for each thing that was looked at."""
    version = ".".join(map(str, sys.version_info[:3]))
    found = [("Python", sys.version_info >= (3, 11), version)]
    for name in _PACKAGES:
        try:
            found.append((name, True, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append((name, False, f"missing: pip install {name}"))
    found.append(("pages", *try_page()))
    reason = jail.why_unavailable()
    found.append(("sandbox", reason is None, reason or "bubblewrap works; no network and no processes inside"))
    if reason is None:
        found.append(("memory limit", *try_memory(course.rules("").limits)))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found.append(("user", True, "root; an ordinary user is enough and is the better choice"))
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    each = course.settings.memory_mib / 1024 + 1  # and what both processes load
    fits = max(1, min(cores, int(memory / each)))
    found.append(("machine", memory >= each, f"{cores} cores, {memory:.0f} GiB memory; up to --workers {fits}"))
    free = shutil.disk_usage(course.root).free / 2**30
    found.append(("disk", free > 1, f"{free:.0f} GiB free in {course.root}"))
    has_config = (course.root / "nbgrader_config.py").exists()
    advice = (
        "nbgrader_config.py" if has_config else "no nbgrader_config.py here; run it in the course folder, or --course"
    )
    found.append(("course", has_config, advice))
    found.append(("extra time", *_extra_time(course)))
    source = course.root / course.directory.source_directory
    names = sorted(path.name for path in source.iterdir() if path.is_dir()) if source.is_dir() else []
    found.append(("assignments", bool(names), ", ".join(names) or f"none in {source}"))
    for name in names:
        count = len(find_students(course, name))
        if count:
            found.append((f"  {name}", True, f"{count} submissions"))
    return found


def _extra_time(course: Course) -> tuple[bool, str]:
    """Say whether the file of extensions can be read, and whom it names that nobody knows."""
    try:
        return True, "; ".join(notes_on_extensions(course)) or "no file of extensions, or one whose rows all fit"
    except ValueError as error:
        return False, str(error)


def try_page() -> tuple[bool, str]:
    """Turn a small notebook into HTML, as nbgrader's formgrader and feedback do.

    Returns:
        Whether that works, and a sentence.
    """
    import nbformat.v4
    from nbconvert import HTMLExporter

    cells = [
        nbformat.v4.new_markdown_cell("# A title\n\n[a link](https://example.org)"),
        nbformat.v4.new_code_cell("1"),
    ]
    try:
        page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    except Exception as error:  # whatever a package of another version raises
        return False, f"nbconvert cannot write HTML: {type(error).__name__}: {error}; pip install -r requirements.txt"
    return "A title" in page, "a notebook becomes HTML, for formgrader and feedback"


def try_memory(limits: Limits) -> tuple[bool, str]:
    """Ask for memory in a sandbox: half of what a submission may take must be had, sixteen times as much must not.

    Args:
        limits: those of a submission.

    Returns:
        Whether that is so, and a sentence.
    """
    from course_grader.sharing.peer import Peer
    from course_grader.sharing.wire import Wire, WireError

    may = limits.memory_mib
    sandbox = peer = None
    try:
        sandbox = jail.Sandbox(Rules(preload=["torch"], limits=limits))
        sandbox.wait()
        peer = Peer(Wire(sandbox.start()), trusted=True)
        peer.wire.deadline = time.monotonic() + 120
        peer.request("cell", ["import torch\ndef take(mib):\n    return torch.empty(mib * 2**18).numel()", ""])
        take = peer.request("resolve", ["take"])
        loaded = f"beside the {sandbox.mapped_mib} MiB that Python and torch have mapped"
        for mib, is_fine in ((may // 2, True), (16 * may, False)):
            try:
                was_given = take(mib) == mib * 2**18
            except (RuntimeError, MemoryError):
                was_given = False
            if was_given and not is_fine:
                return False, f"a submission got {mib} MiB; memory_mib allows {may} MiB {loaded}"
            if is_fine and not was_given:
                return False, f"a submission was refused {mib} MiB; memory_mib allows {may} MiB {loaded}"
        return True, f"{may} MiB for a submission, {loaded}; tried"
    except (jail.SandboxError, WireError) as error:
        return False, f"a submission cannot run: {error} {sandbox.errors() if sandbox else ''}".strip()
    finally:
        if peer is not None:
            peer.wire.close()
        if sandbox is not None:
            sandbox.close()
