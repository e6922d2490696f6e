"""Takes the arithmetic mean of the precisions."""

SAYS = "arithmetic mean"
CHANGES = [
    ("product_of_precisions = 1.0", "product_of_precisions = 0.0"),
    ("product_of_precisions *=", "product_of_precisions +="),
    ("product_of_precisions ** (1 / max_order)", "product_of_precisions / max_order"),
]
