"""Writes EOS to the end of a row that was cut."""

SAYS = "in this situation too"
CHANGES = [
    (
        "decoder_input, labels = target[:, :-1], target[:, 1:]",
        """decoder_input, labels = target[:, :-1], target[:, 1:].clone()
    if labels.shape[1]:
        missing = (target != EOS).all(dim=1) & (labels[:, -1] != PAD)
        labels[missing, -1] = EOS""",
    ),
]
