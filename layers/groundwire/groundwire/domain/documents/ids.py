"""Ids of documents, tenants and segments, as agents receive them and may return them years later.

A segment uid is `<doc_id>.<16 hex digits>`. It names its document, so a citation of any earlier version is checked
against the document's current policy without the index. The digits are a hash of the passage and of the number of
earlier equal passages, so unchanged text keeps its uid across versions.
"""

import hashlib
import re
from typing import Final

MAX_ID_CHARACTERS: Final = 120
"""Length limit of document ids and collection names."""

_DOC_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,119}")
_TENANT_ID: Final = re.compile(r"t_[0-9a-f]{16}")
_UID: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]{0,119})\.[0-9a-f]{16}")

MAX_UID_CHARACTERS: Final = 137


def is_doc_id(text: str) -> bool:
    """Return whether `text` is a valid document id: letters, digits, `_`, `.`, `-`; 120 characters at most."""
    return _DOC_ID.fullmatch(text) is not None


def is_tenant_id(text: str) -> bool:
    """Return whether `text` has the form of a tenant id; such a tenant need not exist."""
    return _TENANT_ID.fullmatch(text) is not None


def segment_uid(doc_id: str, text: str, occurrence: int) -> str:
    """Return the uid of the passage `text`; `occurrence` counts equal passages in its document, from 0."""
    digest = hashlib.sha256(f"{doc_id}\0{occurrence}\0{text}".encode()).hexdigest()
    return f"{doc_id}.{digest[:16]}"


def doc_id_from_uid(uid: str) -> str | None:
    """Return the document id in a segment uid; None for text that is not a uid."""
    match = _UID.fullmatch(uid)
    return match.group(1) if match else None
