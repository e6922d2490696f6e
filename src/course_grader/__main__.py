"""``python -m course_grader`` is ``course-grader``."""

import sys

from course_grader.cli import main

if __name__ == "__main__":
    sys.exit(main())
