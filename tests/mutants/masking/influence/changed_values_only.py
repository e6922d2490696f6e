"""Changes values, and nothing else."""

SAYS = "nothing but the change of values"
CHANGES = [
    (
        "for changed in (attention(query, other_key, value), attention(query, key, other_value)):",
        "for changed in (attention(query, key, other_value),):",
    ),
    ("for gradient in gradients:", "for gradient in ():"),
]
