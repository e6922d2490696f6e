"""The arguments of the command ``course-grader``."""

import argparse
from pathlib import Path

_EXAMPLES = """examples:
  course-grader doctor                                     is everything there?
  course-grader release                                    write the students' version of every assignment
  course-grader collect moodle.zip ps1 --names names.csv   from the download to submitted/
  course-grader grade ps1 --workers 4                      grade; the same command goes on after an interruption
  course-grader grade ps1 --students ada bob --force       grade two of them again
  course-grader grade ps1 --scheduler tls://head:8786      on a Dask cluster
  course-grader grade ps1 --shard 3/16                     the third of 16 jobs of a Slurm array; afterwards:
  course-grader merge ps1                                  all shards into the gradebook
  course-grader report ps1                                 scores, tasks, common mistakes, flags
  course-grader similarity ps1                             pairs that share code: hints for a person
  course-grader feedback ps1                               one page per student
  course-grader variant ps1 --seed "a long secret"         a private variant of an assignment
  course-grader gradescope ps1                             an autograder for Gradescope, as a zip
  course-grader export ps1 --format canvas -o grades.csv   what Canvas or Moodle imports
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="course-grader",
        description="Grade a class with nbgrader: in a sandbox, in parallel, and resumable.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--course", default=".", metavar="FOLDER", help="the course folder (default: this one)")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    release = commands.add_parser("release", help="write the students' version of all assignments, or of those named")
    release.add_argument("assignment", nargs="*")

    collect = commands.add_parser("collect", help="put a download of Moodle or Canvas, or loose notebooks, in place")
    collect.add_argument("origin", type=Path, metavar="ZIP-or-FOLDER")
    collect.add_argument("assignment")
    collect.add_argument("--names", type=Path, metavar="CSV", help="a column student_id beside names or LMS numbers")
    collect.add_argument("--replace", action="store_true", help="overwrite submissions that are there and differ")
    collect.add_argument("--times", type=Path, metavar="CSV", help="Moodle's grading worksheet: when each came")
    collect.add_argument("--timezone", metavar="ZONE", help="that of its times, such as Europe/Zurich")

    grade = commands.add_parser("grade", help="grade an assignment; finished work is kept")
    grade.add_argument("assignment")
    grade.add_argument("--students", nargs="+", default=[], metavar="ID", help="only these")
    grade.add_argument("--workers", type=int, default=None, metavar="N", help="processes (default: one per core)")
    grade.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tcp://... or tls://...")
    grade.add_argument("--shard", type=_shard, metavar="i/N", help="grade the i-th of N parts, and merge later")
    grade.add_argument("--force", action="store_true", help="grade again what is graded")
    grade.add_argument("--no-sandbox", action="store_true", help="run submissions unprotected: only for your own")

    merge = commands.add_parser("merge", help="merge what shards graded into the gradebook")
    merge.add_argument("assignment")

    feedback = commands.add_parser("feedback", help="write one page per student")
    feedback.add_argument("assignment")
    feedback.add_argument("--students", nargs="+", default=[], metavar="ID", help="only these")
    feedback.add_argument("--zip", type=Path, metavar="ZIP", help="also put the pages into a zip that Moodle takes")
    feedback.add_argument(
        "--moodle", type=Path, metavar="ORIGIN", help="for --zip: Moodle's download of the submissions, zip or folder"
    )
    feedback.add_argument("--names", type=Path, metavar="CSV", help="for --zip: whose is what, as for collect")

    report = commands.add_parser("report", help="show scores, tasks, common mistakes and flags")
    report.add_argument("assignment")

    similarity = commands.add_parser("similarity", help="show pairs that have more code in common than separate work")
    similarity.add_argument("assignment")
    similarity.add_argument(
        "--threshold", type=_percent, default=None, metavar="PERCENT", help="show pairs from here on"
    )

    export = commands.add_parser("export", help="write the CSV that Canvas or Moodle imports")
    export.add_argument("assignment", nargs="+")
    export.add_argument("--format", choices=("canvas", "moodle"), required=True)
    export.add_argument("--roster", type=Path, metavar="CSV", help="the platform's own export, to be filled")
    export.add_argument("--names", type=Path, metavar="CSV", help="a column student_id beside what the roster has")
    export.add_argument("--column", nargs="+", default=[], metavar="NAME", help="the roster's column to be filled")
    export.add_argument("-o", "--output", type=Path, required=True, metavar="CSV")

    gradescope = commands.add_parser("gradescope", help="write the zip of an autograder for Gradescope")
    gradescope.add_argument("assignment")
    gradescope.add_argument("-o", "--output", type=Path, metavar="ZIP", help="default: ASSIGNMENT-gradescope.zip")

    variant = commands.add_parser("variant", help="write a private variant of an assignment, drawn from a seed")
    variant.add_argument("assignment", help="its name, or the beginning")
    variant.add_argument(
        "--seed", required=True, metavar="TEXT", help="keep it secret: the same text, the same variant"
    )
    variant.add_argument("--suffix", default="", help="what its name ends with, behind that of the assignment")

    commands.add_parser("doctor", help="say what is there and what is missing")
    return top


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected i/N with 1 <= i <= N, got {text!r}")
    return int(number), int(count)


def _percent(text: str) -> float:
    if not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"expected a percentage from 1 to 100, got {text!r}")
    return int(text) / 100
