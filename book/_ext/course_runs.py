"""Chapters whose cells must run are run beside each other, one on each core, before their pages are read.

myst-nb runs a chapter when it reads its page, so that one core works and the others wait. Here the runs are made
first and left in Jupyter Book's cache, where myst-nb finds them. A cell that fails ends the build with its place.
"""

import os
from multiprocessing.pool import ThreadPool
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from myst_nb.core.read import create_nb_reader
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.console import strip_escape_sequences
from sphinx.util.display import status_iterator

LINES_OF_ERROR = 40
QUIET = ["--log-level=ERROR"]  # or each kernel warns that its connection on this machine is not encrypted
WHAT_TO_DO = (
    "What to do: if you changed {place} or the library, mend that cell; if you changed nothing, run `make clean` and "
    "build again, and if it stays, send these lines as an error in the text."
)


def _run(job: tuple[Path, NotebookNode, int]) -> tuple[Path, ExecutionResult]:
    path, notebook, timeout = job
    try:
        options = {"timeout": timeout, "allow_errors": False, "extra_arguments": QUIET}
        return path, single_nb_execution(notebook, cwd=str(path.parent), **options)
    except DeadKernelError as error:
        return path, ExecutionResult(notebook, str(path.parent), 0, error)


def failure(place: str, notebook: NotebookNode, error: Exception) -> str:
    """Describe a failed run.

    Args:
        place: name of the chapter's file.
        notebook: the notebook as it was left; its cells that ran are counted, and the last of them failed.
        error: what ended the run.

    Returns:
        The place as ``file:line``, the number of the code cell, the end of the error's text, which has the code, and
        what to do.
    """
    started = [i for i, cell in enumerate(notebook.cells) if cell.get("execution_count")]
    line = notebook.metadata["source_map"][started[-1]] + 1 if started else 1
    text = strip_escape_sequences(str(error)).strip().splitlines()[-LINES_OF_ERROR:]
    return "\n".join([f"{place}:{line}: code cell {len(started)} failed", *text, WHAT_TO_DO.format(place=place)])


def _run_ahead(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Run what myst-nb would run for these pages, and leave the results where it looks for them."""
    config = env.mystnb_config
    cache = get_cache(config.execution_cache_path)
    jobs = []
    for path in (Path(env.doc2path(name)) for name in docnames if name.startswith("book/")):
        text = path.read_text("utf8")
        if reader := create_nb_reader(str(path), env.myst_config, config, text):
            notebook = reader.read(text)
            try:
                cache.match_cache_notebook(notebook)
            except KeyError:
                jobs.append((path, notebook, config.execution_timeout))

    failures = []
    with ThreadPool(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()) as pool:
        runs = pool.imap_unordered(_run, jobs)
        for path, result in status_iterator(
            runs, "running cells... ", "brown", len(jobs), app.verbosity, lambda run: run[0].stem
        ):
            if result.err:
                failures.append(failure(os.path.relpath(path, app.srcdir), result.nb, result.err))
            else:
                bundle = CacheBundleIn(result.nb, str(path), data={"execution_seconds": result.time})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    if failures:
        raise SystemExit("\n\n".join(failures))  # an ExtensionError would bury this under three tracebacks


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx: runs of pages that are about to be read, after course_cells has thrown old ones away."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # a core for each chapter, not all cores for all
    app.connect("env-before-read-docs", _run_ahead)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
