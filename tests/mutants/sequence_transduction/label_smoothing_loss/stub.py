"""Has not begun."""

SAYS = "still holds its first version"


def label_smoothing_loss(logits, labels, smoothing=0.1, pad_id=0):
    raise NotImplementedError
