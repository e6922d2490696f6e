"""Has not begun."""

SAYS = "still holds its first version"


def attention_in_blocks(query, key, value, block_size):
    raise NotImplementedError
