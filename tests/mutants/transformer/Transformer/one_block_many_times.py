"""Repeats one block in the list."""

SAYS = "the same object several times"
CHANGES = [
    (
        ("EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first=norm_first) for _ in range(num_encoder_layers)"),
        "[EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first=norm_first)] * num_encoder_layers",
    ),
]
