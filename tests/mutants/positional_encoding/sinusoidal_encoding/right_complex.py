"""Takes the parts of complex numbers on the unit circle."""

CHANGES = [
    (
        "encoding = torch.zeros(length, d_model)",
        "encoding = torch.view_as_real(torch.exp(1j * angles)).flip(-1).flatten(1)[:, :d_model]",
    ),
    (
        """    encoding[:, 0::2] = angles.sin()
""",
        "",
    ),
    (
        """    encoding[:, 1::2] = angles.cos()[:, : d_model // 2]
""",
        "",
    ),
    ("return encoding", "return encoding.to(torch.get_default_dtype())"),
]
