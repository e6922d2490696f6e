"""Applies the reset gate to the state, as the first paper does."""

SAYS = "before the matrix product"
CHANGES = [
    (
        "candidate = torch.tanh(of_word[2] + reset * of_state[2])",
        """inner = (reset * hidden) @ weight_hh.chunk(3)[2].T + bias_hh.chunk(3)[2]
    candidate = torch.tanh(of_word[2] + inner)""",
    ),
]
