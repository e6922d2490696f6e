"""Reads the blocks in the order update, reset."""

SAYS = "reset and update gate are exchanged"
CHANGES = [
    (
        "sigmoid(of_word[0] + of_state[0])",
        "sigmoid(of_word[1] + of_state[1])  #",
    ),
    (
        "update = torch.sigmoid(of_word[1] + of_state[1])",
        "update = torch.sigmoid(of_word[0] + of_state[0])",
    ),
]
