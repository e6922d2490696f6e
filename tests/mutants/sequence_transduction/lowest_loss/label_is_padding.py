"""Takes word 0 for the label, which is padding."""

SAYS = "the right word is number 0"
CHANGES = [
    (
        "torch.tensor(EOS)",
        "torch.tensor(PAD)",
    ),
    (
        "dim=-1)[EOS]",
        "dim=-1)[PAD]",
    ),
]
