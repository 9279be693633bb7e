"""URLs that may carry signing keys, tokens and other secrets."""

from typing import Final
from urllib.parse import urlsplit

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})


def is_secure_url(text: str) -> bool:
    """Return whether signing keys may be fetched from this URL.

    It must be https, or http on this machine, without query, fragment or user.
    """
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        return False
    if not text.isascii() or not text.isprintable() or " " in text or url.query or url.fragment or "@" in url.netloc:
        return False
    return host is not None and (url.scheme == "https" or (url.scheme == "http" and host in _LOOPBACK))
