"""Ids of documents, tenants and segments, as agents receive them and may return them years later.

A segment uid is `<doc_id>.<16 hex digits>`. It names its document, so a citation of any earlier version is checked
against the document's current policy without the index. The digits are a hash of the passage and of the number of
earlier equal passages, so unchanged text keeps its uid across versions.
"""

import hashlib
import re
from typing import Final, NamedTuple

MAX_ID_CHARACTERS: Final = 120
"""Length limit of document ids and collection names."""

_DOC_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}")
_TENANT_ID: Final = re.compile(r"t_[0-9a-f]{16}")
_UID: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,119})\.[0-9a-f]{16}")
_SHORT_DIGITS: Final = 6
_SHORT_PASSAGE_ID: Final = re.compile(rf"([A-Za-z0-9][A-Za-z0-9_.-]{{0,119}})\.([0-9a-f]{{{_SHORT_DIGITS}}})")
_MADE_DOC_ID: Final = re.compile(r"doc_([0-9a-f]{16})")
"""Form of the ids that ingestion makes for documents without one of their own."""
_SHORT_DOC_ID: Final = re.compile(rf"[0-9a-f]{{{_SHORT_DIGITS}}}")

MAX_UID_CHARACTERS: Final = 137


def is_doc_id(text: str) -> bool:
    """Return whether `text` is a valid document id: letters, digits, `_`, `.`, `-`; 120 characters at most."""
    return _DOC_ID.fullmatch(text) is not None


def is_tenant_id(text: str) -> bool:
    """Return whether `text` has the form of a tenant id; such a tenant need not exist."""
    return _TENANT_ID.fullmatch(text) is not None


def segment_uid(doc_id: str, text: str, occurrence: int) -> str:
    """Return the uid of the passage `text`; `occurrence` counts equal passages in its document, from 0."""
    # No document id has a NUL, so different inputs never give the same joined text.
    digest = hashlib.sha256(f"{doc_id}\0{occurrence}\0{text}".encode()).hexdigest()
    return f"{doc_id}.{digest[:16]}"


def doc_id_from_uid(uid: str) -> str | None:
    """Return the document id in a segment uid; None for text that is not a uid."""
    match = _UID.fullmatch(uid)
    return match.group(1) if match else None


def made_id_number(doc_id: str) -> int | None:
    """Return the number of 64 bits in a document id that ingestion made; None for one of the owner's choice."""
    match = _MADE_DOC_ID.fullmatch(doc_id)
    return None if match is None else int(match[1], 16)


def made_id(number: int) -> str:
    """Return the document id that ingestion makes of a number of 64 bits."""
    return f"doc_{number:016x}"


class ShortPassageId(NamedTuple):
    """The parts of a short passage id.

    Attributes:
        doc_id: the id of its document, if that has an id of its owner's choice.
        doc_id_start: how the id of its document begins, if ingestion made that; None where it cannot be one.
        digits: how the digits of its uid begin.
    """

    doc_id: str
    doc_id_start: str | None
    digits: str


def short_passage_id(uid: str) -> str:
    """Return a passage's id for a model's context: 6 digits of the document's and 6 of the passage's.

    A document id of the owner's choice is not shortened. By chance two passages have the same short id once in 2^48
    pairs; whoever chooses texts and ids can bring that about, so an ambiguous id must name nothing.
    """
    doc_id, _, digits = uid.rpartition(".")
    made = _MADE_DOC_ID.fullmatch(doc_id)
    return f"{doc_id if made is None else made[1][:_SHORT_DIGITS]}.{digits[:_SHORT_DIGITS]}"


def parse_short_passage_id(text: str) -> ShortPassageId | None:
    """Return the parts of a short passage id; None for text that is not one."""
    match = _SHORT_PASSAGE_ID.fullmatch(text)
    if match is None:
        return None
    doc_id, digits = match.groups()
    # Six hex digits may be an id of the owner's choice, too, so both readings are returned.
    return ShortPassageId(doc_id, f"doc_{doc_id}" if _SHORT_DOC_ID.fullmatch(doc_id) else None, digits)
