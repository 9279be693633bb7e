"""Media type and disposition of a stored original: whether a browser shows it, and the name under which it is saved.

The type comes from the record, whose type ingestion compares with the bytes, and never from the uploader. A browser
shows only types in which nothing can run as a page of this server; any other file is a download.
"""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from groundwire.domain.documents.record import Document

DOWNLOAD_TYPE: Final = "application/octet-stream"
PDF_TYPE: Final = "application/pdf"
_TEXT_TYPE: Final = "text/plain; charset=utf-8"
_INLINE_TYPES: Final = {
    "pdf": PDF_TYPE,
    "txt": _TEXT_TYPE,
    "text": _TEXT_TYPE,
    "md": _TEXT_TYPE,
    "markdown": _TEXT_TYPE,
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "webp": "image/webp",
}
"""Media types by the type of a record. SVG and HTML are absent: they can hold scripts."""
_NOT_IN_QUOTED_NAME: Final = re.compile(r"[^ !#$&'()+,\-.0-9;=@A-Z\[\]^_`a-z{}~]")
"""Characters that a quoted file name must not hold, or that some browsers decode (RFC 6266, appendix D)."""


_UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Controls, and signs that reorder what follows: with one, a name could look like that of another type."""


@dataclass(frozen=True, slots=True)
class OriginalHeaders:
    """Values of `content-type` and `content-disposition` with which an original is sent."""

    media_type: str
    disposition: str


def shown_file_name(document: Document) -> str:
    """Return the file name as people read it and browsers save it."""
    return _UNSEEN.sub("", document.source_file_name)


def original_headers(document: Document) -> OriginalHeaders:
    """Return the headers of a document's original."""
    media_type = _INLINE_TYPES.get(document.source_file_type)
    kind, name = "attachment" if media_type is None else "inline", shown_file_name(document)
    # RFC 6266, section 4.3: clients that know `filename*` (RFC 8187) prefer it to the ASCII form.
    extended = quote(name.encode("utf-8", "replace"), safe="")
    plain = _NOT_IN_QUOTED_NAME.sub("_", name)
    disposition = f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{extended}"
    return OriginalHeaders(media_type or DOWNLOAD_TYPE, disposition)
