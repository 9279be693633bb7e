"""Credential of the page in a browser: `gwp.<kid: 12>.<identity>.<secret: 43><checksum: 6>`, in a cookie.

A one-time address has the same form with `gwt`: its ticket is exchanged for a page session, and is none itself.

It stands for one sign-in with a key: it has the rights of the key, for the user and tags of the sign-in. The store
keeps its digest beside that of the key (`key_text.key_digest`). The digest covers the identity, too: a changed
character is another credential. The form is no form of a key, so neither is accepted in the place of the other.
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.errors import Conflict, InvalidInput
from groundwire.domain.keys.forms.key_text import (
    CHECKSUM_CHARACTERS,
    KID_CHARACTERS,
    SECRET_CHARACTERS,
    RandomBytes,
    Secret,
    base62_secret,
    has_checksum,
    with_checksum,
)
from groundwire.domain.text.json_values import mapping_or_empty

PAGE_SESSION_SECONDS: Final = 12 * 3600
"""Longest life of a page session: a working day."""
TICKET_SECONDS: Final = 600
"""Life of the ticket in a one-time address."""
_CALL_SECONDS: Final = 30
"""Time after which no call that was admitted before is still running."""
MAX_PAGE_SESSION_CHARACTERS: Final = 3_000
"""Length of the text: browsers keep cookies of 4,096 bytes with their attributes, gateways 10 kB of headers."""

_PATTERN: Final = re.compile(
    rf"gw(?P<kind>[pt])\.(?P<kid>[0-9A-Za-z]{{{KID_CHARACTERS}}})\.(?P<identity>[-0-9A-Za-z_]*)"
    rf"\.[0-9A-Za-z]{{{SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}}"
)


@dataclass(frozen=True, slots=True)
class PageSession:
    """Text in the form of a page session or of a ticket, which need not have been opened.

    Attributes:
        is_ticket: whether it is only exchanged for a page session.
        kid: of the key that signed in.
        text: the whole credential, for `key_digest`.
        identity: identity headers that each call of the page has, by lower-case name.
    """

    kid: str
    text: Secret
    identity: Mapping[str, str]
    is_ticket: bool


def mint_page_session(
    kid: str, identity: Mapping[str, str], random_bytes: RandomBytes, *, is_ticket: bool
) -> PageSession:
    """Create a new page session of a key, or a new ticket.

    Raises:
        InvalidInput: the identity is too long for a cookie.
    """
    encoded = urlsafe_b64encode(json.dumps(identity, ensure_ascii=False).encode()).decode() if identity else ""
    text = with_checksum(f"gw{'t' if is_ticket else 'p'}.{kid}.{encoded.rstrip('=')}.{base62_secret(random_bytes)}")
    if len(text) > MAX_PAGE_SESSION_CHARACTERS:
        raise InvalidInput("The page cannot keep so many tags: sign in with fewer.")
    return PageSession(kid, Secret(text), identity, is_ticket)


def page_end(until: float, previous_until: float | None, now: float) -> float:
    """Return when a page session that opens now ends: at `until`, and not after a former secret of its key.

    Whoever signs in may have only the former secret, and must not keep by a sign-in what ends with a rotation.

    Args:
        until: end of the session, epoch seconds, as the other two.
        previous_until: end of the secret before the last rotation; None: there is none.
        now: time of the sign-in.

    Raises:
        Conflict: the former secret ended while the sign-in may have been under way.
    """
    if previous_until is None or previous_until <= now - _CALL_SECONDS:
        return until
    if previous_until <= now:
        raise Conflict(f"The former secret of the key ended a moment ago: sign in again in {_CALL_SECONDS} seconds.")
    return min(until, previous_until)


def parse_page_session(text: str) -> PageSession | None:
    """Return the page session or the ticket in `text`, or None when form or checksum is wrong; reads no store."""
    match = _PATTERN.fullmatch(text) if len(text) <= MAX_PAGE_SESSION_CHARACTERS else None
    if match is None or not has_checksum(text):
        return None
    identity = _read_identity(match["identity"])
    if identity is None:
        return None
    return PageSession(match["kid"], Secret(text), identity, is_ticket=match["kind"] == "t")


def _read_identity(encoded: str) -> dict[str, str] | None:
    if not encoded:
        return {}
    try:
        # Base64 without its filling, which is no character of a cookie.
        value = mapping_or_empty(json.loads(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))))
    except ValueError:
        return None
    members = {name: text for name, text in value.items() if isinstance(text, str)}
    return members if members and members.keys() <= {USER_HEADER, TAGS_HEADER} else None
