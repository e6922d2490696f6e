"""Has not begun."""

SAYS = "still holds its first version"


def gru_cell(x, hidden, weight_ih, weight_hh, bias_ih, bias_hh):
    raise NotImplementedError
