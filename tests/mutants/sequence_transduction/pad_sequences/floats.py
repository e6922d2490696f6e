"""Makes a tensor of the default dtype, which is float32."""

SAYS = "token ids, which are int64"
CHANGES = [
    (
        ", dtype=torch.long",
        "  , dtype=torch.float32",
    ),
]
