"""Returns a share."""

SAYS = "not multiplied by 100"
CHANGES = [("100 * brevity_penalty", "brevity_penalty")]
