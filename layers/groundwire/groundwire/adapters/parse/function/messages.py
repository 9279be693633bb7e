"""Wire form of invocations of the parser function and of its answers.

An invocation is `{"version": 3, "parser": "...", "nonce": ..., "content": ADDRESS, "result": ADDRESS,
"result_headers": {...}, "type": "pdf", "images": bool, "thumbnails": bool, "page": 0}`: the function reads the file
from the first address and writes the result to the second: the document, or the picture of the `page`, if its number is
not 0. It answers `{"version": 3, "parser": "..."}` with its own versions. Where
those of the caller differ, it reads nothing. `{"probe": "confinement"}` asks how its worker is confined, and
whether its network looks up a foreign name. The answer is `{"confinement": [{"restriction": ..., "enforced": bool,
"detail": ...}], "lookup": {"name": ..., "outcome": "blocked", "answered" or "unknown", "detail": ...}, "version": ...,
"isolation": ...}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import is_mapping, require_mapping
from groundwire_readers.parser import LAYER_VERSION

WIRE_VERSION: Final = 3
"""Version of invocation, answer and result, incremented with every change of one of them."""
ANSWER: Final[Mapping[str, object]] = {"version": WIRE_VERSION, "parser": LAYER_VERSION}
"""Versions of the wire form and of the parser, by which caller and function know each other's release."""
PROBE: Final[Mapping[str, object]] = {"probe": "confinement"}
_TYPE_CHARACTERS: Final = 1_024
_NO_INVOCATION: Final = "The event is not an invocation of the parser function."


class ParserIsolation(StrEnum):
    """Separation of the documents of two tenants in the parser function.

    `TENANT`: Lambda gives each tenant environments of its own. `ENVIRONMENT`: the function ends its process after each
    document.
    """

    TENANT = "tenant"
    ENVIRONMENT = "environment"


def read_isolation(text: str) -> ParserIsolation:
    """Return the isolation that the setting PARSER_ISOLATION names.

    Raises:
        InvalidInput: there is no such isolation.
    """
    try:
        return ParserIsolation(text)
    except ValueError as error:
        raise InvalidInput(f"GROUNDWIRE_PARSER_ISOLATION must be tenant or environment, not {text!r}.") from error


@dataclass(frozen=True, slots=True)
class ParseInvocation:
    """Request to parse one document, or to draw one page of it.

    Attributes:
        nonce: text that the result repeats; it is new for each invocation.
        content_url, result_url: presigned addresses of a GET and a PUT.
        result_headers: headers that the signature of the PUT covers.
        file_type: the file's extension, without its dot.
        page: number of the page to draw, from 1; 0: the document is parsed.
    """

    nonce: str
    content_url: str
    result_url: str
    result_headers: Mapping[str, str]
    file_type: str
    with_images: bool = False
    with_thumbnails: bool = False
    page: int = 0

    def to_event(self) -> dict[str, object]:
        """Return the event; `parse_invocation` reverses it."""
        return {
            **ANSWER,
            "nonce": self.nonce,
            "content": self.content_url,
            "result": self.result_url,
            "result_headers": dict(self.result_headers),
            "type": self.file_type,
            "images": self.with_images,
            "thumbnails": self.with_thumbnails,
            "page": self.page,
        }


def is_probe(event: object) -> bool:
    """Return whether the event asks for the confinement of worker and network."""
    return event == PROBE


def is_other_version(event: object) -> bool:
    """Return whether the event is an invocation of another release, which this function cannot answer."""
    return is_mapping(event) and "version" in event and {name: event.get(name) for name in ANSWER} != ANSWER


def parse_invocation(event: object) -> ParseInvocation:
    """Return the invocation.

    Raises:
        InvalidInput: the event is not valid.
    """
    match event:
        case {
            "nonce": str(nonce),
            "content": str(content),
            "result": str(result),
            "result_headers": object() as headers,
            "type": str(file_type),
            "images": bool(with_images),
            "thumbnails": bool(with_thumbnails),
            "page": int(page),
        } if len(file_type) <= _TYPE_CHARACTERS and page >= 0:
            named = require_mapping(headers, InvalidInput(_NO_INVOCATION))
            names = {name: str(value) for name, value in named.items()}
            return ParseInvocation(nonce, content, result, names, file_type, with_images, with_thumbnails, page)
        case _:
            raise InvalidInput(_NO_INVOCATION)
