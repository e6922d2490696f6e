"""Shortens to 1 always."""

SAYS = "`max_grad_norm` is not handed on"
CHANGES = [
    (
        "nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)",
        "nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    ),
]
