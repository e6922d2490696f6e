"""A folder of more than the limit."""

SCORE = 0.0
STATUS = "failed"
SAYS = "larger than 20 MiB"


def arrange(folder):
    (folder / "big.bin").write_bytes(bytes(21 * 2**20))
