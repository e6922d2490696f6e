"""Takes maps that have nothing to do with each other for orthogonal."""

SAYS = "look again at: cosine"


predictions = {
    "cosine of random maps": "almost nothing",
    "share of the largest entropy": "about a half",
    "loss without one twin": "almost nothing",
}
