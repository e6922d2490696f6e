"""Returns the loss of the new weights."""

SAYS = "computed once more at the end"
CHANGES = [
    ("return loss.item()", "return label_smoothing_loss(model(source, decoder_input), labels, smoothing).item()"),
]
