"""Principal of a call, from its headers and its key or token; rights of two sources are never combined.

A personal key gives its own user and tags; a call that also has an identity header is refused. A key that acts for
others has neither: the call's own headers, within the key's `max_tags`, are the whole principal. A tag that is outside
`max_tags`, repeated, no valid tag, or more than a call can have gives no right: it is ignored and counted, or refused
by a strict key. No user header, or an empty one, means no user. Without a tag header the tags are those of the user's
own entry, if the tenant stores one, else none. The entry never replaces a tag header that was sent; an empty header
means no tags. An access token is the whole principal, too: it names its user and tags, and a call that also has an
identity header is refused. Beside a key that acts for others a token in `USER_TOKEN_HEADER` is the whole principal in
place of identity headers, within the same `max_tags`.

Header values are used as the gateway decoded them (UTF-8). Text in another encoding is never guessed: text that is no
valid name is refused, and valid text is simply another name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from groundwire.domain import limits
from groundwire.domain.access.call_headers import (
    AUTHORIZATION_HEADER,
    CREDENTIAL_HEADERS,
    IDENTITY_HEADERS,
    TAGS_HEADER,
    USER_HEADER,
    USER_TOKEN_HEADER,
)
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.access.tags import exact_tags, is_tag_covered, parse_user, read_tags_header, usable_tags
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.auth_decision import AuthReason, AuthStatus, IdentityDenial
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.keys.grants import KeyKind, TagSource

_TENANT_HEADERS: Final = frozenset({"tenant", "tenant-id", "x-tenant", "x-tenant-id", "x-tenant-name"})
_RESERVED_HEADER_PREFIX: Final = "x-groundwire-"
_TOKEN_DOTS: Final = 2
_SINGLE_USER_KINDS: Final = {
    KeyKind.PERSONAL: (AuthReason.PERSONAL_KEY, "A personal key"),
    KeyKind.OAUTH: (AuthReason.TOKEN_IDENTITY, "An access token"),
}


@dataclass(frozen=True, slots=True)
class AssertedIdentity:
    """End user as the headers of one call name it.

    Attributes:
        user: NFC; None when there is no user header.
        tags: NFC, within the key's `max_tags`; None without a tag header, which differs from an empty header and from
            one whose tags are all ignored.
        tags_ignored: number of texts of the header that gave no right.
    """

    user: str | None
    tags: frozenset[str] | None
    tags_ignored: int = 0


def extract_credential(headers: Mapping[str, str]) -> Secret | IdentityDenial | None:
    """Return the text presented as a key, in whatever form; None if it is missing.

    Args:
        headers: by lower-case name.
    """
    present = [name for name in CREDENTIAL_HEADERS if name in headers]
    if not present:
        return None
    name = present[-1]
    if len(present) > 1:
        return _conflicting_credentials(
            name, f"Send the key in one header only; it was sent in {' and '.join(present)}."
        )
    # A key contains no comma, so the gateway joined two headers.
    if "," in headers[name]:
        return _conflicting_credentials(name, f"The header {name} was sent more than once.")
    return Secret(_bearer_text(headers[name]) if name == AUTHORIZATION_HEADER else headers[name])


def is_access_token(text: str) -> bool:
    """Return whether a credential is treated as a token: an API key contains no dot, a signed token two."""
    return text.count(".") == _TOKEN_DOTS


def sign_in_token(headers: Mapping[str, str]) -> Secret | None:
    """Return the access token in the Authorization header; None where it has none, or is not the only credential.

    Args:
        headers: by lower-case name.
    """
    credential = extract_credential(headers) if AUTHORIZATION_HEADER in headers else None
    return credential if isinstance(credential, Secret) and is_access_token(credential.reveal()) else None


def read_identity_headers(key: ApiKey, headers: Mapping[str, str]) -> AssertedIdentity | IdentityDenial:
    """Return the end user in the headers (by lower-case name), or a denial where `key` may not assert it."""
    denial = _reject_tenant_header(headers) or _check_identity_allowed(key, headers)
    if denial is not None:
        return denial
    user = _parse_user_header(headers.get(USER_HEADER))
    if isinstance(user, IdentityDenial):
        return user
    sent = headers.get(TAGS_HEADER)
    return AssertedIdentity(user, None) if sent is None else _read_tags(key, user, sent)


def check_user_named(key: ApiKey, asserted: AssertedIdentity) -> IdentityDenial | None:
    """Return the denial of a call that names no user, by a key that requires one; else None."""
    if asserted.user is not None or key.user is not None or not key.options.require_user:
        return None
    message = f"{USER_HEADER}: The key requires the end user in each call: send this header."
    return IdentityDenial(AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.USER_REQUIRED, USER_HEADER, message)


def principal_for(key: ApiKey, asserted: AssertedIdentity, user_entry: frozenset[str] | None) -> Principal:
    """Return the principal of a call.

    Args:
        key: the admitted key, personal or acting for others.
        asserted: from `read_identity_headers` with the same key.
        user_entry: the tags that the tenant stores for the user, for a call that sent none; None without an entry. Tags
            outside `max_tags` are left out: an entry must not exceed the key's own bound, and since no rule denies by a
            tag, having fewer never shows more.
    """
    if key.kind is KeyKind.PERSONAL:
        return Principal(key.tenant, key.user, key.tags)
    tags = asserted.tags
    if tags is None:
        tags = frozenset(tag for tag in user_entry or () if is_tag_covered(key.max_tags, tag))
    return Principal(key.tenant, asserted.user, tags)


def ignored_tags(key: ApiKey, asserted: AssertedIdentity, user_entry: frozenset[str] | None) -> int:
    """Return the number of tags that `principal_for` left out: of the header, or of the user's entry."""
    if not _needs_user_entry(key, asserted):
        return asserted.tags_ignored
    return sum(not is_tag_covered(key.max_tags, tag) for tag in user_entry or ())


def principal_for_token(key: ApiKey, user: str, tags: frozenset[str]) -> Principal | IdentityDenial:
    """Return the principal of a call with a token: the token's user, with the tags of its groups that the key covers.

    Args:
        key: the admitted key, for tokens or acting for others.
        user: as the token names it.
        tags: kept by `groups.decide_groups` within the key's `max_tags`. Other tags were left out, as for a user's
            entry: nobody chose to send them with this call.
    """
    if len(tags) <= limits.MAX_TAGS_PER_CALL:
        return Principal(key.tenant, user, tags)
    # Dropping some of the tags would make the user's rights unpredictable.
    message = f"The token has {len(tags)} tags; at most {limits.MAX_TAGS_PER_CALL} are accepted."
    return IdentityDenial(AuthStatus.TAG_NOT_ALLOWED, AuthReason.TOKEN_TAGS, None, message)


def _needs_user_entry(key: ApiKey, asserted: AssertedIdentity) -> bool:
    """Return whether the principal depends on the tags that the tenant stores for the user."""
    return key.kind is KeyKind.ACT_AS and asserted.user is not None and asserted.tags is None


def tag_source(key: ApiKey, asserted: AssertedIdentity) -> TagSource:
    """Return the source of the tags that `principal_for` gives the principal."""
    if key.kind is KeyKind.PERSONAL:
        return TagSource.KEY
    return TagSource.ENTRY if _needs_user_entry(key, asserted) else TagSource.CALL


def _bearer_text(value: str) -> str:
    scheme, _, text = value.partition(" ")
    # RFC 9110, 11.1: the name of a scheme has no case.
    return text.strip() if scheme.lower() == "bearer" else ""


def _conflicting_credentials(header: str, message: str) -> IdentityDenial:
    return IdentityDenial(AuthStatus.CONFLICTING_CREDENTIALS, AuthReason.SEVERAL_CREDENTIALS, header, message)


def _bad_header(reason: AuthReason, header: str, message: str) -> IdentityDenial:
    return IdentityDenial(AuthStatus.BAD_IDENTITY_HEADER, reason, header, f"{header}: {message}")


def _reject_tenant_header(headers: Mapping[str, str]) -> IdentityDenial | None:
    for name in headers:
        # CGI and WSGI treat the two signs alike, so both spellings are refused.
        normalised = name.replace("_", "-")
        if normalised in _TENANT_HEADERS or normalised.startswith(_RESERVED_HEADER_PREFIX):
            # The caller chose this name: as short ASCII it is harmless in a message and in a log.
            shown = ascii(name[:64])[1:-1]
            return _bad_header(AuthReason.TENANT_HEADER, shown, "The key determines the tenant: leave this header out.")
    return None


def _check_identity_allowed(key: ApiKey, headers: Mapping[str, str]) -> IdentityDenial | None:
    if key.kind is KeyKind.ACT_AS:
        return _check_act_as_scope(key) or _check_one_identity(headers)
    sent = next((name for name in (*IDENTITY_HEADERS, USER_TOKEN_HEADER) if name in headers), None)
    if sent is None:
        return None
    reason, credential = _SINGLE_USER_KINDS[key.kind]
    message = f"{sent}: {credential} is valid only for its own user: leave the header out, or use a delegated key."
    return IdentityDenial(AuthStatus.IDENTITY_NOT_ALLOWED, reason, sent, message)


def _check_act_as_scope(key: ApiKey) -> IdentityDenial | None:
    scope = missing_scope(key.scopes, Scope.ACT_AS)
    if scope is None:
        return None
    message = f"The key lacks the scope {scope}."
    return IdentityDenial(AuthStatus.IDENTITY_NOT_ALLOWED, AuthReason.MISSING_SCOPE, None, message)


def _check_one_identity(headers: Mapping[str, str]) -> IdentityDenial | None:
    if USER_TOKEN_HEADER not in headers:
        return None
    also = next((name for name in IDENTITY_HEADERS if name in headers), None)
    if also is None:
        return None
    return _bad_header(AuthReason.SEVERAL_IDENTITIES, USER_TOKEN_HEADER, f"Send the user's token or {also}, not both.")


def _parse_user_header(header: str | None) -> str | IdentityDenial | None:
    if not header:
        return None
    # The gateway joins repeated headers by a comma, and one of the two may come from somebody else.
    if "," in header:
        return _bad_header(
            AuthReason.REPEATED_HEADER, USER_HEADER, "The header was sent more than once, or contains a comma."
        )
    try:
        return parse_user(header)
    except InvalidInput as error:
        return _bad_header(AuthReason.MALFORMED_USER, USER_HEADER, str(error))


def _read_tags(key: ApiKey, user: str | None, header: str) -> AssertedIdentity | IdentityDenial:
    """Return the identity with the tags of the header that count: usable, covered, and the first ones of too many."""
    try:
        given = read_tags_header(header) if header else []
        tags = exact_tags(given) if key.strict_tags else usable_tags(given)
    except InvalidInput as error:
        return _bad_header(AuthReason.MALFORMED_TAGS, TAGS_HEADER, str(error))
    covered = list(filter(partial(is_tag_covered, key.max_tags), tags))
    if key.strict_tags and len(covered) < len(tags):
        outside = min(frozenset(tags).difference(covered))
        message = f"{TAGS_HEADER}: The key may not assert the tag {outside[:64]!a}."
        return IdentityDenial(AuthStatus.TAG_NOT_ALLOWED, AuthReason.TAG_OUTSIDE_KEY, TAGS_HEADER, message)
    kept = covered[: limits.MAX_TAGS_PER_CALL]
    return AssertedIdentity(user, frozenset(kept), len(given) - len(kept))
