"""Forgets the reset gate."""

SAYS = "without `reset`"
CHANGES = [
    (
        "candidate = torch.tanh(of_word[2] + reset * of_state[2])",
        "candidate = torch.tanh(of_word[2] + of_state[2])",
    ),
]
