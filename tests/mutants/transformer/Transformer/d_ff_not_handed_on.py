"""Takes four times d_model for the inner width."""

SAYS = "feed_forward.linear_1"
CHANGES = [
    ("EncoderBlock(d_model, num_heads, d_ff,", "EncoderBlock(d_model, num_heads, 4 * d_model,"),
]
