"""Writes all products as sums over named indices."""

CHANGES = [
    ("scores = (query * key).sum(dim=-1)  # (num_samples, n)", "scores = torch.einsum('sod,snd->sn', query, key)"),
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        "by_query = torch.einsum('sij,sjd->sid', softmax_jacobian(scores, divisor), key)",
    ),
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.square().sum(dim=(1, 2)).sqrt(), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
