"""Uses magics, a shell command and top-level await, as notebooks do."""

FIRST_CELL = """\
%matplotlib inline
!pip install something
%time y = 3
import asyncio
await asyncio.sleep(0)
assert y == 3
"""
SCORE = 10.0
STATUS = "graded"
