"""Returns copies, not views."""

CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        "decoder_input, labels = target.clone()[:, :-1].contiguous(), target.clone()[:, 1:].contiguous()",
    ),
]
