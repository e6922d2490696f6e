"""One head of width 128, with and without the division by sqrt(d_k)."""
