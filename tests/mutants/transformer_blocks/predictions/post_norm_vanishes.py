"""Believes that the gradient of post-norm falls with the depth, at the last block too."""

SAYS = "something else for post-norm"


predictions = {"stream": "grow", "pre-norm": "fall", "post-norm": "fall"}
