"""Believes that True means `hide`."""

SAYS = "wrong way round"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens == pad_id)[:, None, None, :]",
    ),
]
