"""Forgets to hand bias on."""

SAYS = "`bias` does not reach"
CHANGES = [
    ("self.w_query = nn.Linear(d_model, d_model, bias=bias)", "self.w_query = nn.Linear(d_model, d_model)"),
    ("self.w_key = nn.Linear(d_model, d_model, bias=bias)", "self.w_key = nn.Linear(d_model, d_model)"),
    ("self.w_value = nn.Linear(d_model, d_model, bias=bias)", "self.w_value = nn.Linear(d_model, d_model)"),
    ("self.w_output = nn.Linear(d_model, d_model, bias=bias)", "self.w_output = nn.Linear(d_model, d_model)"),
]
