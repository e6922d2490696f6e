"""Shortens each gradient on its own."""

SAYS = "clipping in a loop over the parameters"
CHANGES = [
    (
        "nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)",
        """for parameter in model.parameters():
        nn.utils.clip_grad_norm_([parameter], max_grad_norm)""",
    ),
]
