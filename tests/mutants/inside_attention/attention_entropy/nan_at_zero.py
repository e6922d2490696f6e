"""Takes the logarithm of every weight, 0 included."""

SAYS = "0 * -inf is NaN"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = weights.log()",
    ),
]
