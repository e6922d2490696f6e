"""Puts the way back into a context manager."""


def head_importance(heads, evaluate):
    from contextlib import contextmanager

    @contextmanager
    def silenced(attention, index):
        columns = attention.w_output.weight.data[:, attention.d_k * index : attention.d_k * (index + 1)]
        kept = columns.clone()
        columns.fill_(0)
        try:
            yield
        finally:
            columns.copy_(kept)

    for attention, index in heads:
        if index < 0 or index >= attention.num_heads:
            raise ValueError(f"heads: expected an index below {attention.num_heads}, got {index}")
    complete, scores = evaluate(), []
    for attention, index in heads:
        with silenced(attention, index):
            scores.append(evaluate())
    return [complete - score for score in scores]
