"""Counts padding as words."""

SAYS = "without `ignore_index`"
CHANGES = [
    (
        "loss = label_smoothing_loss(model(source, decoder_input), labels, smoothing)",
        """logits = model(source, decoder_input)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=smoothing)""",
    ),
]
