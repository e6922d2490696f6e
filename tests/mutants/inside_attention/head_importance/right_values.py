"""Silences the values of the head, with their bias, and scores the whole model each time."""


def head_importance(heads, evaluate):
    if any(index not in range(attention.num_heads) for attention, index in heads):
        raise ValueError("heads: expected indices from 0 to num_heads - 1")
    drops = []
    for attention, index in heads:
        complete = evaluate()
        rows = slice(index * attention.d_k, (index + 1) * attention.d_k)
        touched = [p.data[rows] for p in (attention.w_value.weight, attention.w_value.bias) if p is not None]
        kept = [each.clone() for each in touched]
        try:
            for each in touched:
                each.zero_()
            without = evaluate()
        finally:
            for each, value in zip(touched, kept, strict=True):
                each.copy_(value)
        drops.append(complete - without)
    return drops
