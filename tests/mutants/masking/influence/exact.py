"""Takes rounding for a change."""

SAYS = "differ by rounding"
CHANGES = [
    ("(changed - plain).abs() > tolerance", "changed != plain"),
]
