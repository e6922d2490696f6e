"""Makes the rectangle as long as the shortest sequence."""

SAYS = "cut to the shortest"
CHANGES = [
    (
        "max((len(sequence) for sequence in sequences), default=0)",
        "min((len(sequence) for sequence in sequences), default=0)",
    ),
    (
        "enumerate(sequence):",
        "enumerate(sequence[:longest]):",
    ),
]
