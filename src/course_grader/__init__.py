"""Grade a class with nbgrader: safely, fairly, in parallel, and so that an interrupted run goes on where it stopped.

The tests of a notebook run in a trusted process (``judge``) that never runs a student's code. The student's cells run
in a sandbox (``sandbox``). The two exchange plain data over a socket (``sharing``). One writer merges the results into
an ordinary nbgrader gradebook (``gradebook``).
"""
