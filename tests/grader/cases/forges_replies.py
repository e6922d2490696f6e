"""Writes replies to the wire itself, with a value of a kind that does not exist."""

ANSWERS = {
    "double": """\
import gc, json, socket, struct
def double(x):
    text = json.dumps({"op": "reply", "value": {"k": "eval", "v": "4"}}).encode()
    for each in gc.get_objects():
        if isinstance(each, socket.socket):
            each.setblocking(True)
            each.sendall(struct.pack("!IQ", len(text), 0) + text)
    return 2 * x
""",
}
SCORE = 8.0
STATUS = "partial"
SAYS = "refused"
