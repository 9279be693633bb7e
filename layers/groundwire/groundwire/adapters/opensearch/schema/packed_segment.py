"""Segment of a passage as one compressed value, which the engine reads without parsing the rest of the row.

A row's source holds its vectors as text: to take one member out of it costs the engine ten times as much as to read a
doc value. The source has the segment too, for the release before and for values that are too large for a doc value.
"""

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.codecs import segment_json
from groundwire.adapters.opensearch.connection.client import compact_json
from groundwire.domain.documents.segment import Segment

_MAX_BYTES: Final = 32_000
"""Lucene's limit of a doc value is 32,766 bytes, a few of which the engine takes."""

StoredSegment = str | Mapping[str, Any]
"""A segment as the engine returns it: the packed value, or the members of the source."""


def packed_fields(members: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of the packed segment; none where it is too large."""
    packed = zlib.compress(compact_json(members).encode())
    return {"packed_segment": base64.b64encode(packed).decode()} if len(packed) <= _MAX_BYTES else {}


def to_segment(stored: StoredSegment) -> Segment:
    """Read a segment in either form."""
    if isinstance(stored, str):
        # The engine returns doc values without padding.
        packed = base64.b64decode(stored + "=" * (-len(stored) % 4))
        return segment_json.from_members(json.loads(zlib.decompress(packed)))
    return segment_json.from_members(stored)


def stored_segment(hit: Mapping[str, Any]) -> StoredSegment | None:
    """Return the segment of a hit; None where the search did not read it, or the row has no packed value."""
    packed = hit.get("fields", {}).get("packed_segment")
    return packed[0] if packed else hit.get("_source", {}).get("segment")
