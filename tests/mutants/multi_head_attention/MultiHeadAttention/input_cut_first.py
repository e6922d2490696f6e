"""Cuts the input into pieces and gives each head its own."""

SAYS = "cut into heads first"
CHANGES = [
    (
        "self.w_query = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_query = nn.Linear(self.d_k, self.d_k, bias=bias)",
    ),
    ("self.w_key = nn.Linear(d_model, d_model, bias=bias)", "self.w_key = nn.Linear(self.d_k, self.d_k, bias=bias)"),
    (
        "self.w_value = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_value = nn.Linear(self.d_k, self.d_k, bias=bias)",
    ),
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = self.w_query(split_heads(query, self.num_heads))",
    ),
    (
        "keys = split_heads(self.w_key(key), self.num_heads)  # (batch, heads, n, d_k)",
        "keys = self.w_key(split_heads(key, self.num_heads))",
    ),
    (
        "values = split_heads(self.w_value(value), self.num_heads)  # (batch, heads, n, d_k)",
        "values = self.w_value(split_heads(value, self.num_heads))",
    ),
]
