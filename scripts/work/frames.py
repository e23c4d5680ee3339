"""Messages on a pipe: a length, and a pickle. What is sent to workers by value: nothing but the standard library."""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

_LENGTH = ">Q"


def write_message(stream: BinaryIO, message: Any) -> None:
    """Writes a message whole."""
    data = pickle.dumps(message)
    stream.write(struct.pack(_LENGTH, len(data)) + data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """The next message; an `EOFError` at the end."""
    head = stream.read(struct.calcsize(_LENGTH))
    if len(head) < struct.calcsize(_LENGTH):
        raise EOFError
    (length,) = struct.unpack(_LENGTH, head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)
