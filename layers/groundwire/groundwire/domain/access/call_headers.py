"""Headers of a call that name its caller: credentials and identity; the functions here decide nothing.

They are apart from `keys.identity`: a function behind the authorizer needs the names alone for its first answer.
"""

from collections.abc import Mapping
from typing import Final

USER_HEADER: Final = "x-user-id"
TAGS_HEADER: Final = "x-session-tags"
IDENTITY_HEADERS: Final = (USER_HEADER, TAGS_HEADER)
AUTHORIZATION_HEADER: Final = "authorization"
USER_TOKEN_HEADER: Final = "x-ms-query-source-authorization"  # noqa: S105
"""Header of the end user's access token, without `Bearer`, on the routes of dialects that declare it."""
CREDENTIAL_HEADERS: Final = (AUTHORIZATION_HEADER, "api-key", "x-api-key", "x-goog-api-key")


def lower_case_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers by lower-case name, with repeated names joined by a comma, as the gateway does."""
    joined: dict[str, str] = {}
    for name, value in headers.items():
        lower = name.lower()
        joined[lower] = f"{joined[lower]},{value}" if lower in joined else value
    # RFC 9110, 5.5: white space around a value is no part of it.
    return {name: value.strip(" \t") for name, value in joined.items()}


def has_two_credentials(headers: Mapping[str, str]) -> bool:
    """Return whether a call has a credential in more than one header, in any letter case."""
    return len(frozenset(map(str.lower, headers)).intersection(CREDENTIAL_HEADERS)) > 1


def keep_credential(headers: Mapping[str, str], leading: str | None) -> Mapping[str, str]:
    """Return the headers without the other credentials where `leading` is one of them; else all headers."""
    if leading is None or leading not in {name.lower() for name in headers}:
        return headers
    others = {*CREDENTIAL_HEADERS} - {leading}
    return {name: value for name, value in headers.items() if name.lower() not in others}
