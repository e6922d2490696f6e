"""Writes to the wire itself: a message of an exabyte."""

ANSWERS = {
    "double": """\
import gc, socket, struct
def double(x):
    for each in gc.get_objects():
        if isinstance(each, socket.socket):
            each.setblocking(True)
            each.sendall(struct.pack("!IQ", 2, 2**60) + b"{}")
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "larger than allowed"
