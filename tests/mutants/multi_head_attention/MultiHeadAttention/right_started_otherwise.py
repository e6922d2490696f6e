"""Starts the layers in a way of its own."""

CHANGES = [
    (
        "self.w_output = nn.Linear(d_model, d_model, bias=bias)",
        """self.w_output = nn.Linear(d_model, d_model, bias=bias)
        for layer in (self.w_query, self.w_key, self.w_value, self.w_output):
            nn.init.xavier_uniform_(layer.weight)
            if bias:
                nn.init.zeros_(layer.bias)""",
    ),
]
