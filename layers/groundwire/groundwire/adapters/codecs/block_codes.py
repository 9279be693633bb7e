"""Codes of 22 characters for single blocks: a permutation that nobody without the key can compute."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from groundwire.adapters.codecs.base64_text import decode_base64, encode_base64

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.modes import ECB

_KEY_BYTES: Final = 32
_BLOCK_BYTES: Final = 16


class AesBlockCodes:
    """Implements `ports.BlockCodes`: one block of AES-256 in base64url without padding.

    AES is a permutation of all blocks that nobody without its key can tell from a random one. So a changed or invented
    code is a random block, whose fixed bits fit by chance alone. There is no mode and no nonce: a code has one block,
    and equal blocks shall give equal codes.

    The key of a purpose is HKDF-SHA-256 (RFC 5869) of the sealing key; `AesGcmSeal` derives its keys with other infos.

    Args:
        key: 32 secret bytes.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != _KEY_BYTES:
            raise ValueError(f"The key of codes must have {_KEY_BYTES} bytes.")
        self._key = key
        self._cipher = lru_cache(maxsize=16)(self._derive)

    def encode(self, purpose: str, block: bytes) -> str:
        """Return the code of a block of 16 bytes."""
        return encode_base64(self._cipher(purpose).encryptor().update(block))

    def decode(self, purpose: str, code: str) -> bytes | None:
        """Return the block; None unless the text is the one spelling of a block's code."""
        sealed = decode_base64(code)
        if sealed is None or len(sealed) != _BLOCK_BYTES:
            return None
        return self._cipher(purpose).decryptor().update(sealed)

    def _derive(self, purpose: str) -> "Cipher[ECB]":
        from cryptography.hazmat.primitives.ciphers import Cipher
        from cryptography.hazmat.primitives.ciphers.algorithms import AES
        from cryptography.hazmat.primitives.ciphers.modes import ECB
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        info = b"groundwire code\x00\x01" + purpose.encode()
        key = HKDF(SHA256(), length=_KEY_BYTES, salt=None, info=info).derive(self._key)
        # The mode without chaining is the block cipher itself, and a code has a single block.
        return Cipher(AES(key), ECB())  # noqa: S305
