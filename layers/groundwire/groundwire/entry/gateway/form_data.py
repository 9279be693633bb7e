"""`multipart/form-data` as it comes in: fields first, one file last (RFC 7578, in the order that S3 asks for)."""

import re
from typing import Final

MAX_FIELDS_BYTES: Final = 65_536
"""Of everything before the file."""

_BOUNDARY: Final = re.compile(r'multipart/form-data\s*;.*?boundary="?([^";,\s]{1,70})"?', re.IGNORECASE)
_NAME: Final = re.compile(r';\s*name=(?:"([^"]*)"|([^\s;]+))', re.IGNORECASE)
_FILE: Final = "file"
_END_OF_HEADERS: Final = b"\r\n\r\n"


class MalformedForm(Exception):
    """What came is no form of this kind."""


class FormData:
    """Reads one form, piece by piece.

    Attributes:
        fields: of the form, by name as it is written; whole as soon as `in_file`.
        in_file: the file has begun. ended: and has come to its end; what follows is nobody's concern.
    """

    def __init__(self, content_type: str) -> None:
        """Raises MalformedForm."""
        match = _BOUNDARY.match(content_type)
        if match is None:
            raise MalformedForm("The content type must be multipart/form-data with a boundary.")
        self._between = b"\r\n--" + match[1].encode()
        # The first boundary stands at the very begin, without the line end that belongs to the others.
        self._held = b"\r\n"
        self.fields: dict[str, str] = {}
        self.in_file = False
        self.ended = False

    def feed(self, data: bytes) -> bytes:
        """What is now known to be content of the file; Raises MalformedForm."""
        self._held += data
        while not self.in_file and self._read_field():
            pass
        if not self.in_file:
            if len(self._held) > MAX_FIELDS_BYTES:
                raise MalformedForm("The fields before the file are too large.")
            return b""
        return self._content()

    def _read_field(self) -> bool:
        """Whether there was a whole field, or the begin of the file."""
        headers = self._held.find(_END_OF_HEADERS, len(self._between))
        if headers < 0:
            return False
        if not self._held.startswith(self._between + b"\r\n"):
            raise MalformedForm("The form does not begin with its boundary.")
        name = _NAME.search(self._held[:headers].decode("utf-8", "replace"))
        begin = headers + len(_END_OF_HEADERS)
        if name is None:
            raise MalformedForm("A field of the form has no name.")
        if (name[1] or name[2]) == _FILE:
            self.in_file = True
            self._held = self._held[begin:]
            return True
        end = self._held.find(self._between, begin)
        if end < 0:
            return False
        self.fields[name[1] or name[2]] = self._held[begin:end].decode("utf-8", "replace")
        self._held = self._held[end:]
        return True

    def _content(self) -> bytes:
        if self.ended:
            self._held = b""
            return b""
        end = self._held.find(self._between)
        if end >= 0:
            self.ended = True
            content, self._held = self._held[:end], b""
            return content
        sure = max(0, len(self._held) - len(self._between))
        content, self._held = self._held[:sure], self._held[sure:]
        return content
