"""Sealed tokens: AES-256-GCM with a key of its own for each purpose."""

import hmac
import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from groundwire.adapters.codecs.base64_text import decode_base64, encode_base64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_VERSION: Final = b"\x01"
_NONCE_BYTES: Final = 12
_TAG_BYTES: Final = 16
_KEY_BYTES: Final = 32
_OVERHEAD: Final = len(_VERSION) + _NONCE_BYTES + _TAG_BYTES


@dataclass(frozen=True, slots=True)
class _PurposeKeys:
    """Keys of a purpose: the cipher, and the secret from which nonces of repeatable tokens are derived."""

    cipher: "AESGCM"
    nonce_key: bytes


class AesGcmSeal:
    """Implements `ports.Sealer`: `version (1 byte) | nonce (12) | ciphertext | tag (16)`, base64url without padding.

    The key of a purpose is HKDF-SHA-256 (RFC 5869) of the sealing key, with the purpose as info. So the nonces of
    different purposes never collide. Version and purpose are associated data.

    The nonce of a repeatable token is synthetic: HMAC-SHA-256 of the payload, cut to 12 bytes, with a key that encrypts
    nothing. Equal payloads get equal tokens; different ones share a nonce as rarely as with random nonces. AES-SIV (RFC
    5297) and AES-GCM-SIV (RFC 8452) would need another wire form, which the previous release does not open while both
    serve; and OpenSSL before 3.2 has no AES-GCM-SIV.

    Args:
        key: 32 secret bytes.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != _KEY_BYTES:
            raise ValueError(f"The sealing key must have {_KEY_BYTES} bytes.")
        self._key = key
        self._keys = lru_cache(maxsize=64)(self._derive)

    def seal(self, purpose: str, payload: bytes) -> str:
        """Return a token that only this key and this purpose open; 39 characters longer than base64 of the payload."""
        return self._seal(purpose, payload, os.urandom(_NONCE_BYTES))

    def seal_repeatably(self, purpose: str, payload: bytes) -> str:
        """Return a token as `seal` does, the same for each call with this payload, in every process with this key."""
        digest = hmac.digest(self._keys(purpose).nonce_key, payload, "sha256")
        return self._seal(purpose, payload, digest[:_NONCE_BYTES])

    def unseal(self, purpose: str, token: str) -> bytes | None:
        """Return the payload; None unless every character is as sealed with this key for this purpose."""
        from cryptography.exceptions import InvalidTag

        raw = decode_base64(token)
        if raw is None or len(raw) < _OVERHEAD or raw[:1] != _VERSION:
            return None
        nonce, sealed = raw[1 : 1 + _NONCE_BYTES], raw[1 + _NONCE_BYTES :]
        try:
            return self._keys(purpose).cipher.decrypt(nonce, sealed, _associated_data(purpose))
        except InvalidTag:
            return None

    def _seal(self, purpose: str, payload: bytes, nonce: bytes) -> str:
        sealed = self._keys(purpose).cipher.encrypt(nonce, payload, _associated_data(purpose))
        return encode_base64(_VERSION + nonce + sealed)

    def _derive(self, purpose: str) -> _PurposeKeys:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        def derived(info: bytes) -> bytes:
            return HKDF(SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(self._key)

        return _PurposeKeys(AESGCM(derived(_associated_data(purpose))), derived(_nonce_info(purpose)))


def _associated_data(purpose: str) -> bytes:
    return b"groundwire seal\x00" + _VERSION + purpose.encode()


def _nonce_info(purpose: str) -> bytes:
    return b"groundwire seal nonce\x00" + _VERSION + purpose.encode()
