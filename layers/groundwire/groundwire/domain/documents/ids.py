"""Names of segments and documents as they travel to agents and come back, perhaps years later.

A segment uid is `<doc_id>.<16 hex digits>`: it names its document, so a citation of any earlier version can
be checked against the document's current policy without the index. The digits are a hash of the passage and
of how often it has occurred before in the document, so unchanged text keeps its uid across versions.
"""

import hashlib
import re
from typing import Final

MAX_ID_CHARACTERS: Final = 120
"""Of names of documents and of collections."""

_DOC_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}")
_TENANT_ID: Final = re.compile(r"t_[0-9a-f]{16}")
_UID: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,119})\.[0-9a-f]{16}")

MAX_UID_CHARACTERS: Final = 137


def is_doc_id(text: str) -> bool:
    """Whether `text` may name a document: letters, digits, `_`, `.`, `-`; 120 characters at most."""
    return _DOC_ID.fullmatch(text) is not None


def is_tenant_id(text: str) -> bool:
    """Whether `text` has the form of ids that tenants are given; there need be none of it."""
    return _TENANT_ID.fullmatch(text) is not None


def segment_uid(doc_id: str, text: str, occurrence: int) -> str:
    """The uid of the passage `text`, the `occurrence`-th (from 0) of equal ones in its document."""
    digest = hashlib.sha256(f"{doc_id}\0{occurrence}\0{text}".encode()).hexdigest()
    return f"{doc_id}.{digest[:16]}"


def doc_id_from_uid(uid: str) -> str | None:
    """The id of the document that a segment uid names; None for anything that is not a uid."""
    match = _UID.fullmatch(uid)
    return match.group(1) if match else None
