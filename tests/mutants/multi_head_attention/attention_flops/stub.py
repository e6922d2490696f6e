"""Has not begun."""

SAYS = "still holds its first version"


def attention_flops(query_length, key_length, d_model, num_heads):
    raise NotImplementedError
