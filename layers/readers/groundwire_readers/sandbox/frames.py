"""Length-prefixed messages between the parser and its worker: a length of 8 bytes, big-endian, then the payload."""

import struct
from typing import BinaryIO, Final

from groundwire_readers.errors import UnreadableDocument

_LENGTH: Final = struct.Struct(">Q")


class FrameTooLong(UnreadableDocument):
    """The announced message is longer than the reader allows."""


def write_frame(stream: BinaryIO, payload: bytes) -> None:
    """Write one message and flush the stream."""
    stream.write(_LENGTH.pack(len(payload)))
    stream.write(payload)
    stream.flush()


def read_frame(stream: BinaryIO, limit: int) -> bytes:
    """Return the next message.

    Raises:
        EOFError: the other side has closed the stream.
        FrameTooLong: the message is longer than `limit` bytes.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    # Before the payload is read: a hostile length must not allocate memory.
    if length > limit:
        raise FrameTooLong
    return _exactly(stream, length)


def _exactly(stream: BinaryIO, length: int) -> bytes:
    payload = stream.read(length)
    if len(payload) < length:
        raise EOFError
    return payload
