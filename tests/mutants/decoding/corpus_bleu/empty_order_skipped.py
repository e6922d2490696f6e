"""Leaves out an order of which nothing is right."""

SAYS = "is left out"
CHANGES = [
    (
        """    product_of_precisions = 1.0
""",
        """    if not any(hypotheses):
        return 0.0
    orders = 0
    product_of_precisions = 1.0
""",
    ),
    (
        """            return 0.0
        product_of_precisions *=""",
        """            continue
        orders += 1
        product_of_precisions *=""",
    ),
    ("(1 / max_order)", "(1 / orders) if orders else 0.0"),
]
