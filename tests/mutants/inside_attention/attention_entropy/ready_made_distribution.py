"""Leaves it to the class of distributions, which refuses a row of zeros."""

SAYS = "Simplex"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return torch.distributions.Categorical(probs=weights).entropy()"),
]
