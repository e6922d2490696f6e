"""Takes the share of the keys for the share of the entropy."""

SAYS = "look again at: share"


predictions = {
    "cosine of random maps": "about a half",
    "share of the largest entropy": "almost nothing",
    "loss without one twin": "almost nothing",
}
