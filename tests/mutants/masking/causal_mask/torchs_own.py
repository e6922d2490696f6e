"""Uses the mask of 0 and -inf that nn.Transformer makes."""

SAME_AS = "numbers"
SAYS = "of 0 and -inf"
CHANGES = [
    (
        "return torch.ones(length, length, dtype=torch.bool, device=device).tril()",
        "return torch.nn.Transformer.generate_square_subsequent_mask(length, device=device)",
    ),
]
