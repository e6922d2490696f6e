"""Makes layers for one head only."""

SAYS = "as wide as one head"
CHANGES = [
    ("self.w_query = nn.Linear(d_model, d_model, bias=bias)", "self.w_query = nn.Linear(d_model, self.d_k, bias=bias)"),
]
