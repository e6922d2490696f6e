"""Gives every head d_model columns."""

SAYS = "num_heads times the parameters"
CHANGES = [
    (
        "self.w_query = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_query = nn.Linear(d_model, d_model * num_heads, bias=bias)",
    ),
    (
        "self.w_key = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_key = nn.Linear(d_model, d_model * num_heads, bias=bias)",
    ),
    (
        "self.w_value = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_value = nn.Linear(d_model, d_model * num_heads, bias=bias)",
    ),
    (
        "self.w_output = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_output = nn.Linear(d_model * num_heads, d_model, bias=bias)",
    ),
]
