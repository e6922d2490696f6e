"""Adds the bias after the reset gate."""

SAYS = "does not reach the bias"
CHANGES = [
    (
        "candidate = torch.tanh(of_word[2] + reset * of_state[2])",
        """bias = bias_hh.chunk(3)[2]
    candidate = torch.tanh(of_word[2] + reset * (of_state[2] - bias) + bias)""",
    ),
]
