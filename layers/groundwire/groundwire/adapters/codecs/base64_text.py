"""Bytes as base64url without padding, each in one spelling."""

import base64
import binascii


def encode_base64(raw: bytes) -> str:
    """Return the text of the bytes."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def decode_base64(text: str) -> bytes | None:
    """Return the bytes of a text; None unless it is what `encode_base64` makes of them."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return None
    # The decoder skips foreign characters and unused bits; bytes must have one spelling only.
    return raw if encode_base64(raw) == text else None
