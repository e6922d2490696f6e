"""The checks of the exercises: one module per unit, whose functions take what the learner wrote.

A check calls the learner's code with tensors, numbers, plain containers or None, and looks at nothing but what comes
back: its type, its values, its gradients. Its oracle is torch, never the library's own reference.
"""

UNITS = (
    "sequence_transduction",
    "rnn_encoder_decoder",
    "rnn_attention",
    "scaled_dot_product_attention",
    "softmax_jacobian",
    "masking",
    "multi_head_attention",
    "positional_encoding",
    "transformer_blocks",
    "transformer",
    "decoding",
    "inside_attention",
)
