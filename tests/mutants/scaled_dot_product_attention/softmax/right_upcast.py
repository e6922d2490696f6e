"""Computes in float64 and converts back at the end, with a print and a warning on the way."""

CHANGES = [
    (
        "highest = scores.detach()",
        """dtype, scores = scores.dtype, scores.double()
    import sys
    import warnings

    print('rows', scores.shape)
    print('to stderr', file=sys.stderr)
    warnings.warn('slow', stacklevel=1)
    highest = scores.detach()""",
    ),
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return (exponentials / total.masked_fill(total == 0, 1.0)).to(dtype)",
    ),
]
