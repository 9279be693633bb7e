"""Accepted signature algorithms: asymmetric ones, with the key types that each may use (RFC 7518, RFC 8037)."""

from collections.abc import Mapping
from typing import Final

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
ALGORITHMS_BY_KEY_TYPE: Final[Mapping[tuple[object, object], tuple[str, ...]]] = {
    ("RSA", None): _RSA,
    ("EC", "P-256"): ("ES256",),
    ("EC", "P-384"): ("ES384",),
    ("EC", "P-521"): ("ES512",),
    ("OKP", "Ed25519"): ("EdDSA",),
    ("OKP", "Ed448"): ("EdDSA",),
}
"""Algorithms by the key's `kty` and `crv`. HMAC is excluded: the public key would be its secret."""
ACCEPTED_ALGORITHMS: Final = frozenset(name for names in ALGORITHMS_BY_KEY_TYPE.values() for name in names)
_RSA_BITS: Final = range(2_048, 8_193)
"""Accepted RSA key sizes: shorter keys can be broken, longer ones only cost time."""


def is_strong(key: object) -> bool:
    """Return whether a public key has an accepted size."""
    return not isinstance(key, RSAPublicKey) or key.key_size in _RSA_BITS
