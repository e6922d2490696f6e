"""Makes the layers without a bias."""

SAYS = "a bias is missing"
CHANGES = [
    ("self.w_query = nn.Linear(d_model, d_model, bias=bias)", "self.w_query = nn.Linear(d_model, d_model, bias=False)"),
    ("self.w_key = nn.Linear(d_model, d_model, bias=bias)", "self.w_key = nn.Linear(d_model, d_model, bias=False)"),
    ("self.w_value = nn.Linear(d_model, d_model, bias=bias)", "self.w_value = nn.Linear(d_model, d_model, bias=False)"),
    (
        "self.w_output = nn.Linear(d_model, d_model, bias=bias)",
        "self.w_output = nn.Linear(d_model, d_model, bias=False)",
    ),
]
