"""Writes the masks without the imported functions, for each head."""

CHANGES = [
    (
        "causal = causal_mask(target.shape[1], device=target.device)",
        "causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()[None, None]",
    ),
    (
        "        memory_mask = padding_mask(source, self.pad_id)",
        ("        memory_mask = (source != self.pad_id)[:, None, None, :].expand(-1, 1, target.shape[1], -1)"),
    ),
]
