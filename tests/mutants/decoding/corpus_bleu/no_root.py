"""Forgets the root."""

SAYS = "without the root"
CHANGES = [("product_of_precisions ** (1 / max_order)", "product_of_precisions")]
