"""Adds the losses of the words up."""

SAYS = "a sum, where a mean"
CHANGES = [
    (
        "loss = label_smoothing_loss(model(source, decoder_input), labels, smoothing)",
        ("loss = label_smoothing_loss(model(source, decoder_input), labels, smoothing) * (labels != PAD).sum()"),
    ),
]
