"""``python -m course_checks progress`` says how far a learner is; without that word it is `course-check`."""

import sys

from course_checks import cli
from course_checks.progress import command

if __name__ == "__main__":
    if sys.argv[1:2] == ["progress"]:
        sys.exit(cli.as_far_as_read(command.main, sys.argv[2:]))
    sys.exit(cli.main())
