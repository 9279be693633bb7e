"""Incremental `multipart/form-data` parser: fields first, one file last (RFC 7578, in S3's order).

python-multipart finds the parts. The limits are here, since it has none for a whole form.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_UPLOAD_FORM_FIELD_BYTES, MAX_UPLOAD_FORM_FIELDS

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

_FILE: Final = "file"
_DISPOSITION: Final = b"content-disposition"
_MAX_BOUNDARY: Final = 70
_MAX_PART_HEADERS: Final = 8
_MAX_PART_HEADER_BYTES: Final = 4_096
_SILENT_LOGGER: Final = logging.Logger("forms", logging.CRITICAL)  # noqa: LOG001 - of no tree, so it has no handler
"""Logger for the parser, which would otherwise log the sender's input."""


class MalformedFormError(InvalidInput):
    """An error for input that is not such a form, or exceeds the limits."""


class MultipartFormParser:
    """Incremental parser of one form, which collects the known fields.

    Attributes:
        fields: form fields by name; complete as soon as `is_in_file`.
        is_in_file: the file has begun.
        is_complete: the form has ended.
    """

    def __init__(
        self, content_type: str, collected_fields: frozenset[str], on_field: Callable[[str, str], None]
    ) -> None:
        """Create the parser; `on_field` gets each complete field of `collected_fields` that precedes the file.

        Raises:
            MalformedFormError: the content type is not that of a form.
        """
        self._collected_fields = collected_fields
        self._on_field = on_field
        self._parser = MultipartParser(
            _boundary(content_type),
            self._callbacks(),
            max_header_count=_MAX_PART_HEADERS,
            max_header_size=_MAX_PART_HEADER_BYTES,
        )
        self._parser.logger = _SILENT_LOGGER
        self._part = _Part()
        self._parts = 0
        self._other_bytes = 0
        self._content: list[bytes] = []
        self.fields: dict[str, str] = {}
        self.is_in_file = False
        self.is_complete = False

    def feed(self, data: bytes) -> bytes:
        """Parse the next bytes and return the new content of the file.

        Raises:
            MalformedFormError: the form is malformed or exceeds the limits.
        """
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise MalformedFormError("The form is not well-formed multipart/form-data.") from error
        content = b"".join(self._content)
        self._content.clear()
        self._other_bytes += len(data) - len(content)
        if self._other_bytes > MAX_UPLOAD_FORM_FIELD_BYTES:
            raise MalformedFormError(
                f"The form has more than {MAX_UPLOAD_FORM_FIELD_BYTES} bytes in addition to its file."
            )
        return content

    def _callbacks(self) -> "MultipartCallbacks":
        return {
            "on_part_begin": self._begin_part,
            "on_header_field": self._read_header_name,
            "on_header_value": self._read_header_value,
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._read_data,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }

    def _begin_part(self) -> None:
        self._part = _Part()
        self._parts += 1
        if self._parts > MAX_UPLOAD_FORM_FIELDS + 1:
            raise MalformedFormError(f"The form has more than {MAX_UPLOAD_FORM_FIELDS} fields.")

    def _read_header_name(self, data: bytes, start: int, end: int) -> None:
        self._part.header_name += data[start:end]

    def _read_header_value(self, data: bytes, start: int, end: int) -> None:
        self._part.header_value += data[start:end]

    def _end_header(self) -> None:
        self._part.end_header()

    def _end_headers(self) -> None:
        name = self._part.name
        if name is None:
            raise MalformedFormError("A field of the form has no name.")
        # Readers differ in which of two equal fields counts: the checked one has to be the one in use.
        if (name == _FILE and self.is_in_file) or name in self.fields:
            raise MalformedFormError("A field of the form occurs twice.")
        self._part.is_file = name == _FILE
        self.is_in_file = self.is_in_file or self._part.is_file

    def _read_data(self, data: bytes, start: int, end: int) -> None:
        if self._part.is_file:
            self._content.append(data[start:end])
        elif self._is_collected():
            self._part.value += data[start:end]

    def _end_part(self) -> None:
        if not self._part.is_file and self._is_collected():
            name, value = str(self._part.name), self._part.value.decode("utf-8", "replace")
            self.fields[name] = value
            self._on_field(name, value)

    def _is_collected(self) -> bool:
        return not self.is_in_file and self._part.name in self._collected_fields

    def _end(self) -> None:
        self.is_complete = True


class _Part:
    """The part of the form that is being read."""

    def __init__(self) -> None:
        self.header_name = bytearray()
        self.header_value = bytearray()
        self.name: str | None = None
        self.is_file = False
        self.value = bytearray()

    def end_header(self) -> None:
        """Take the part's name from its content disposition; other headers are ignored."""
        if bytes(self.header_name).lower() == _DISPOSITION:
            _, options = parse_options_header(bytes(self.header_value))
            self.name = options[b"name"].decode("utf-8", "replace") if options.get(b"name") else None
        self.header_name.clear()
        self.header_value.clear()


def _boundary(content_type: str) -> bytes:
    kind, options = parse_options_header(content_type) if content_type.isascii() else (b"", {})
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= _MAX_BOUNDARY:
        raise MalformedFormError("The content type must be multipart/form-data with a boundary.")
    return boundary
