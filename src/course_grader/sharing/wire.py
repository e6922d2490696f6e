"""Frames on a socket: a JSON header and raw bytes, with a cap on both and a deadline on every read and write."""

import dataclasses
import json
import select
import socket
import struct
import time
from collections.abc import Callable

from course_grader.messages import parse, plain

_LENGTHS = struct.Struct("!IQ")
HEADER_LIMIT = 8 * 2**20


class WireError(Exception):
    """The other side broke the form, the size limit, or went away."""


class WireClosed(WireError):
    """The other side's process ended."""


class WireTimeout(WireError):
    """Nothing came before the deadline."""


class Wire:
    """One end of a connected stream socket.

    Args:
        connection: the socket.
        payload_limit: the largest payload that is read, in bytes; a larger one raises before a byte of it is stored.
    """

    def __init__(self, connection: socket.socket, payload_limit: int = 2**40):
        connection.setblocking(False)
        self._socket = connection
        self._payload_limit = payload_limit
        self.deadline: float | None = None  # on the clock of time.monotonic(); None waits for ever
        self.more_seconds: Callable[[], float] = lambda: 0.0  # asked when the deadline has come

    def send(self, header: dict, payload: bytes = b"") -> None:
        """Write one frame.

        Raises:
            WireClosed: if the other side is gone.
            WireTimeout: if it does not read before the deadline.
        """
        text = json.dumps(header).encode()
        for part in (_LENGTHS.pack(len(text), len(payload)) + text, payload):
            view = memoryview(part)
            while view:
                try:
                    view = view[self._socket.send(view) :]
                except BlockingIOError:
                    self._wait(for_writing=True)
                except OSError as error:
                    raise WireClosed(str(error)) from None

    def receive(self) -> tuple[dict, bytes]:
        """Read one frame.

        Raises:
            WireClosed: if the other side ended.
            WireTimeout: if the frame is not complete before the deadline.
            WireError: if the frame is larger than allowed or is not a JSON object.
        """
        header_length, payload_length = _LENGTHS.unpack(self._read(_LENGTHS.size))
        if header_length > HEADER_LIMIT or payload_length > self._payload_limit:
            raise WireError(f"a message of {header_length + payload_length:,} bytes is larger than allowed")
        text = self._read(header_length)
        payload = self._read(payload_length)
        try:
            header = json.loads(text)
        except (ValueError, RecursionError):
            raise WireError("a message is not JSON") from None
        if type(header) is not dict:
            raise WireError("a message is not a JSON object")
        return header, payload

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _read(self, count: int) -> bytes:
        buffer = bytearray(count)
        view = memoryview(buffer)
        while view:
            try:
                got = self._socket.recv_into(view)
            except BlockingIOError:
                self._wait(for_writing=False)
                continue
            except OSError as error:
                raise WireClosed(str(error)) from None
            if got == 0:
                raise WireClosed("the process ended")
            view = view[got:]
        return buffer

    def _wait(self, for_writing: bool) -> None:
        readers, writers = ([], [self._socket]) if for_writing else ([self._socket], [])
        while True:
            left = None if self.deadline is None else max(self.deadline - time.monotonic(), 0.0)
            if any(select.select(readers, writers, [], left)):
                return
            more = self.more_seconds()
            if more <= 0:
                raise WireTimeout("no answer before the deadline")
            self.deadline += more


def send_object(wire: Wire, message) -> None:
    """Send a dataclass; a field ``files`` of it may hold bytes by name."""
    files = getattr(message, "files", {})
    text = json.dumps(plain(dataclasses.replace(message, files={}) if files else message)).encode()
    header = {"length": len(text), "files": [[name, len(content)] for name, content in files.items()]}
    wire.send(header, text + b"".join(files.values()))


def receive_object(wire: Wire, kind: type):
    """Receive what `send_object` sent, as an object of the same dataclass."""
    header, payload = wire.receive()
    position = header["length"]
    message = parse(kind, json.loads(bytes(payload[:position])))
    for name, length in header["files"]:
        message.files[name] = bytes(payload[position : position + length])
        position += length
    return message
