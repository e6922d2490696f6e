"""Returns the look with the state after the word."""

SAYS = "the row is made after reading"
CHANGES = [
    (
        "states.append(hidden)",
        """states.append(hidden)
        weights = torch.softmax(score(hidden, memory).masked_fill(~mask, -math.inf), dim=-1)""",
    ),
]
