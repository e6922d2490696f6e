"""The course folder as nbgrader sees it: the names of two folders, and what makes a release reproducible."""

c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# A learner sees a clear failure, not an empty function.
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}

# The whole of an exercise notebook takes less than a minute: a cell that needs longer is an endless loop.
c.ExecutePreprocessor.timeout = 60
