"""URLs that owners give for their documents, cleaned to printable ASCII that is no markup in Markdown or HTML."""

import re
import unicodedata
from typing import Final
from urllib.parse import quote

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_SOURCE_URL_CHARACTERS

# Possessive, so that an address without a host is refused in linear time.
_FORM: Final = re.compile(r"(https?)://([^/?#]*+)(.*+)", re.IGNORECASE | re.DOTALL)
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9._])?(?::[0-9]{1,5})?")
_NOT_ENCODED: Final = "/?:@!$&*+,;=~"
"""Characters that are not encoded, besides letters, digits, `-`, `.` and `_`; `%` and `#` have rules of their own."""
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def clean_url(url: str) -> str:
    """Return the URL with characters that could be markup percent-encoded; cleaning twice changes nothing.

    Raises:
        InvalidInput: it is not an http or https URL of a host, or is too long; the message says what to change.
    """
    # A right-to-left override, for example, shows another address than the one that opens.
    if any(unicodedata.category(letter)[0] == "C" or letter in "\u2028\u2029" for letter in url):
        raise InvalidInput("The address of a document contains an invisible character: type it again.")
    parts = _FORM.fullmatch(url.strip())
    if parts is None:
        raise InvalidInput(
            "The address of a document must start with http:// or https://, such as https://wiki.example/leave."
        )
    scheme, host, rest = parts[1].lower(), parts[2], parts[3]
    if _HOST.fullmatch(host) is None:
        raise InvalidInput(
            "The host in the address of a document may have only letters, digits, '.' and '-', without "
            "user or password. Write a host with other letters as xn--…"
        )
    cleaned = f"{scheme}://{host}{_encoded(rest)}"
    if len(cleaned) > MAX_SOURCE_URL_CHARACTERS:
        raise InvalidInput(f"The address of a document can have at most {MAX_SOURCE_URL_CHARACTERS} characters.")
    return cleaned


def safe_url_or_none(url: str | None) -> str | None:
    """Return a stored URL, cleaned; None if it is missing, or where it cannot be cleaned."""
    try:
        return clean_url(url) if url else None
    except InvalidInput:
        return None


def _encoded(path_and_query: str) -> str:
    """Encode path, query and fragment; reserved characters are not encoded."""
    # `%25` is a valid escape, so cleaning twice changes nothing.
    path, separator, fragment = _STRAY_PERCENT.sub("%25", path_and_query).partition("#")
    return quote(path, safe=_NOT_ENCODED + "%") + separator + quote(fragment, safe=_NOT_ENCODED + "%")
