"""Has not begun."""

SAYS = "still holds its first version"


def translate(model, source, max_length, beam_width=1, alpha=0.6):
    raise NotImplementedError
