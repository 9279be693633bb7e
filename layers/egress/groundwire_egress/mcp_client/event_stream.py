"""Server-sent events (WHATWG HTML 9.2): the messages of a stream, which can be cut into chunks anywhere."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_MESSAGE_KINDS: Final = frozenset({b"", b"message"})


def event_data(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the data of each message as soon as it is complete; one that its stream does not end is left out.

    Comments, events of another type and events without data are left out too.
    """
    data: list[bytes] = []
    kind = b""
    for line in _lines(chunks):
        if not line:
            text = b"\n".join(data)
            if text and kind in _MESSAGE_KINDS:
                yield text
            data, kind = [], b""
            continue
        field, _, value = line.partition(b":")
        if field == b"data":
            # WHATWG HTML 9.2.6: one space after the colon does not belong to the value.
            data.append(value.removeprefix(b" "))
        elif field == b"event":
            kind = value.removeprefix(b" ")


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines; each byte is looked at once, however small the chunks are."""
    fragments: list[bytes] = []
    follows_return = False
    is_first = True
    for received in chunks:
        # The line feed belongs to the carriage return that ended the chunk before.
        chunk = received[1:] if follows_return and received.startswith(b"\n") else received
        follows_return = received.endswith(b"\r") if received else follows_return
        first, *others = _LINE_END.split(chunk)
        fragments.append(first)
        for following in others:
            line = b"".join(fragments)
            # WHATWG HTML 9.2.5: a byte order mark may begin the stream.
            yield line.removeprefix(_BYTE_ORDER_MARK) if is_first else line
            is_first = False
            fragments = [following]
