"""Opens a connection."""

ANSWERS = {
    "double": """\
import socket
def double(x):
    socket.create_connection(("127.0.0.1", 22), timeout=1)
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "graded"
SAYS = "refused|unreachable"
