"""Applies softmax before a loss that does."""

SAYS = "softmax before a loss"
CHANGES = [
    (
        "label_smoothing_loss(model(source, decoder_input), ",
        "label_smoothing_loss(model(source, decoder_input).softmax(-1), ",
    ),
]
