"""Keeps the layers in a Python list."""

SAYS = "in a plain list"
CHANGES = [
    (
        "self.w_query = nn.Linear(d_model, d_model, bias=bias)",
        "self.layers = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]",
    ),
    ("self.w_key = nn.Linear(d_model, d_model, bias=bias)", "pass"),
    ("self.w_value = nn.Linear(d_model, d_model, bias=bias)", "pass"),
    ("self.w_output = nn.Linear(d_model, d_model, bias=bias)", "pass"),
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = split_heads(self.layers[0](query), self.num_heads)  # (batch, heads, m, d_k)",
    ),
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = split_heads(self.layers[1](key), self.num_heads)  # (batch, heads, n, d_k)",
    ),
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = split_heads(self.layers[2](value), self.num_heads)  # (batch, heads, n, d_k)",
    ),
    ("return self.w_output(merge_heads(mixed)), weights", "return self.layers[3](merge_heads(mixed)), weights"),
]
