"""Puts the weight back before it evaluates."""

SAYS = "put back before"
CHANGES = [
    (
        "drops.append(complete - evaluate())",
        """with torch.no_grad():
                weight.copy_(original)
            drops.append(complete - evaluate())""",
    ),
]
