"""Has not begun."""

SAYS = "is not defined"

raise NotImplementedError
