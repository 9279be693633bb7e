"""Text of an API key: `gw_<live|test|local>_<kid: 12>_<secret: 43><checksum: 6>`, the last three base62.

    gw_live_4fGh7Kq2LmNp_<43 characters: 256 bits><6 characters: CRC-32 of all characters before>

Underscores only, so that a double click selects the whole key; no tenant's name inside. The checksum rejects typing
errors and guesses before any read of the registry. It is no protection, the secret is.
"""

import hmac
import re
from binascii import crc32
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, get_args

Environment = Literal["live", "test", "local"]

RandomBytes = Callable[[int], bytes]
"""Function that returns so many bytes from a cryptographic source, such as `secrets.token_bytes`."""

KID_CHARACTERS: Final = 12
SECRET_BYTES: Final = 32
# 62^43 is the first power of 62 above 2^256.
SECRET_CHARACTERS: Final = 43
CHECKSUM_CHARACTERS: Final = 6
MIN_PEPPER_BYTES: Final = 16

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEY_PATTERN: Final = re.compile(
    rf"gw_(?:{'|'.join(get_args(Environment))})_(?P<kid>[0-9A-Za-z]{{{KID_CHARACTERS}}})"
    rf"_[0-9A-Za-z]{{{SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}}"
)


@dataclass(frozen=True, slots=True, repr=False)
class Secret:
    """Text that must not be logged: it prints as `****` and is read only by `reveal()`."""

    _text: str

    def reveal(self) -> str:
        """Return the text itself."""
        return self._text

    def __repr__(self) -> str:
        return "****"

    __str__ = __repr__


@dataclass(frozen=True, slots=True)
class MintedKey:
    """New key that nobody has seen yet.

    Attributes:
        kid: its public part.
        text: the whole key, to be shown once and never stored.
    """

    kid: str
    text: Secret


@dataclass(frozen=True, slots=True)
class ParsedKey:
    """Text with the form and the checksum of a key, which need not have been issued.

    Attributes:
        kid: its public part.
        text: the whole key, for `key_digest`.
    """

    kid: str
    text: Secret


def mint_key(environment: Environment, random_bytes: RandomBytes) -> MintedKey:
    """Create a new key with a new kid."""
    return mint_rotated_key(environment, base62_kid(random_bytes(16)), random_bytes)


def base62_kid(entropy: bytes) -> str:
    """Derive a kid from at least 16 bytes: 128 random bits distribute over the 62^12 kids without measurable bias."""
    return _base62(int.from_bytes(entropy, "big") % 62**KID_CHARACTERS, KID_CHARACTERS)


def mint_rotated_key(environment: Environment, kid: str, random_bytes: RandomBytes) -> MintedKey:
    """Create a new secret for an existing kid, for rotation."""
    return MintedKey(kid, Secret(with_checksum(f"gw_{environment}_{kid}_{base62_secret(random_bytes)}")))


def parse_key(text: str) -> ParsedKey | None:
    """Return the key in `text`, or None when form or checksum is wrong; reads no store."""
    match = _KEY_PATTERN.fullmatch(text)
    if match is None or not has_checksum(text):
        return None
    return ParsedKey(match["kid"], Secret(text))


def key_digest(pepper: bytes, key: str) -> bytes:
    """Return the digest that a store keeps instead of the key: HMAC-SHA-256, 32 bytes.

    A slow hash would add cost without safety, as the secret has 256 random bits. The pepper prevents somebody with
    write access to the store from creating keys.

    Raises:
        ValueError: the pepper is too short.
    """
    if len(pepper) < MIN_PEPPER_BYTES:
        raise ValueError(f"The pepper must have at least {MIN_PEPPER_BYTES} bytes.")
    # One call in C: `hmac.new` would make an object for each admission.
    return hmac.digest(pepper, key.encode(), "sha256")


def base62_secret(random_bytes: RandomBytes) -> str:
    """Return 256 random bits as base62 text of `SECRET_CHARACTERS`."""
    return _base62(int.from_bytes(random_bytes(SECRET_BYTES), "big"), SECRET_CHARACTERS)


def with_checksum(body: str) -> str:
    """Return the text with its checksum at the end, `CHECKSUM_CHARACTERS` of base62."""
    # Six digits hold any CRC-32, as 62^6 is above 2^32.
    return body + _base62(crc32(body.encode()), CHECKSUM_CHARACTERS)


def has_checksum(text: str) -> bool:
    """Return whether the end of the text is the checksum of all characters before."""
    return text == with_checksum(text[:-CHECKSUM_CHARACTERS])


def _base62(number: int, length: int) -> str:
    digits: list[str] = []
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits.append(_ALPHABET[digit])
    return "".join(reversed(digits))
