"""Calls torch's multi-head attention."""

SAYS = "your code called"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """torch.nn.functional.multi_head_attention_forward(
            query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1), self.d_model, self.num_heads,
            torch.cat([self.w_query.weight, self.w_key.weight, self.w_value.weight]), None, None, None, False, 0.0,
            self.w_output.weight, None)
        mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)""",
    ),
]
