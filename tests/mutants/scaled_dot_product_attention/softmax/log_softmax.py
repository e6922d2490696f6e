"""Returns the logarithm of the weights, as many loss functions want it."""

SAYS = "logarithm of the weights"
CHANGES = [
    ("return exponentials / total.masked_fill(total == 0, 1.0)", "return scores - highest - total.log()"),
]
