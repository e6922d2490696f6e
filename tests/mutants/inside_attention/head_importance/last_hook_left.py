"""Removes a hook when the next one is put, so that the last one stays."""

SAYS = "a hook that stays"


def head_importance(heads, evaluate):
    for attention, index in heads:
        if not 0 <= index < attention.num_heads:
            raise ValueError(f"heads: expected an index below {attention.num_heads}, got {index}")
    complete = evaluate()
    drops, handle = [], None
    for attention, index in heads:
        if handle is not None:
            handle.remove()
        start, end = index * attention.d_k, (index + 1) * attention.d_k

        def silence(module, inputs, start=start, end=end):
            x = inputs[0].clone()
            x[..., start:end] = 0
            return (x,)

        handle = attention.w_output.register_forward_pre_hook(silence)
        drops.append(complete - evaluate())
    return drops
