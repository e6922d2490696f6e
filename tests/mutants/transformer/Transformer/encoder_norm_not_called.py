"""Makes the encoder's last norm and does not use it."""

SAYS = "encoder_norm exists, but nothing calls it"
CHANGES = [
    ("return self.encoder_norm(x)", "return x"),
]
