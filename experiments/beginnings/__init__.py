"""The first hundred updates of the long runs."""
