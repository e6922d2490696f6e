"""Subtracts the columns, and adds them again, which turns -0 into 0."""

SAYS = "calculated back"
SAME_AS = "calculated_back"
CHANGES = [
    (
        "original = weight.detach().clone()",
        """columns = slice(index * attention.d_k, (index + 1) * attention.d_k)
        original = torch.zeros_like(weight)
        original[:, columns] = weight.detach()[:, columns]""",
    ),
    ("weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0", "weight -= original"),
    ("weight.copy_(original)", "weight += original"),
]
