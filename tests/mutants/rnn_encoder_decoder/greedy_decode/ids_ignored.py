"""Uses the course's tokens whatever is asked."""

SAYS = "none of the mistakes"
CHANGES = [
    (
        "(tokens == eos_id)",
        "(tokens == EOS)",
    ),
    (
        "torch.full((batch_size,), bos_id)",
        "torch.full((batch_size,), BOS)",
    ),
]
