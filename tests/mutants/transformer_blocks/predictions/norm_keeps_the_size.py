"""Believes that the norms keep the stream from growing."""

SAYS = "something else for stream"


predictions = {"stream": "stay", "pre-norm": "fall", "post-norm": "stay"}
