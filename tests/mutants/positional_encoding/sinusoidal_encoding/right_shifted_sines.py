"""Writes the cosine as a sine that is a quarter of a turn ahead."""

CHANGES = [
    (
        "encoding[:, 1::2] = angles.cos()[:, : d_model // 2]",
        "encoding[:, 1::2] = (angles + math.pi / 2).sin()[:, : d_model // 2]",
    ),
]
