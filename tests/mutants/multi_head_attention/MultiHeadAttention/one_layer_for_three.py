"""Projects query, key and value with one layer."""

SAYS = "several names"
CHANGES = [
    ("self.w_key = nn.Linear(d_model, d_model, bias=bias)", "self.w_key = self.w_query"),
    ("self.w_value = nn.Linear(d_model, d_model, bias=bias)", "self.w_value = self.w_query"),
    ("self.w_output = nn.Linear(d_model, d_model, bias=bias)", "self.w_output = self.w_query"),
]
