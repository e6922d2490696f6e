"""What a variant of exercise 17 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "A mask alone saves nothing: all scores are computed, and most of them thrown away. `fixed_window_attention` "
    "goes through the **queries** in blocks and takes for each block only the keys that some of its queries can "
    "see, so that its cost is linear in the length. Causal attention to the last `window` positions, the own one "
    "counted, should come out. `query`, `key` and `value` have shapes `(..., length, d_k)`, `(..., length, d_k)` "
    "and `(..., length, d_v)`.",
    (
        Bug(
            "first = max(0, start - window + 1)",
            "first = max(0, start - window + 2)",
            "the first query of a block loses its farthest key",
        ),
        Bug("first = max(0, start - window + 1)", "first = max(0, start - window // 2)", "half of the window"),
        Bug(
            "back = torch.arange(start, stop).unsqueeze(1) - torch.arange(first, stop)",
            "back = (torch.arange(start, stop).unsqueeze(1) - torch.arange(first, stop)).abs()",
            "later positions lie behind too",
        ),
        Bug(
            "back = torch.arange(start, stop).unsqueeze(1) - torch.arange(first, stop)",
            "back = torch.arange(start, stop).unsqueeze(1) - torch.arange(first, stop) - 1",
            "every distance is one too short",
        ),
        Bug(
            "mask = (back >= 0) & (back < window)",
            "mask = (back >= 0) & (back <= window)",
            "the window is one too long",
        ),
        Bug("mask = (back >= 0) & (back < window)", "mask = back < window", "later positions are seen"),
        Bug("mask = (back >= 0) & (back < window)", "mask = back >= 0", "what lies before the window is seen"),
        Bug(
            "block = query[..., start:stop, :], key[..., first:stop, :], value[..., first:stop, :]",
            "block = query[..., start:stop, :], key[..., first:stop, :], value[..., first:stop, :].flip(-2)",
            "the values come from the end",
        ),
        Bug(
            "outputs.append(scaled_dot_product_attention(*block, mask)[0])",
            "outputs.append(scaled_dot_product_attention(*block)[0])",
            "the mask is not used",
        ),
    ),
    "Its cost must still be linear. Wrong input is no concern of this task.",
)
