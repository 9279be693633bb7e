"""Port of the verifier of access tokens."""

from typing import Protocol

from groundwire.domain.keys.oauth import Claims, TokenDenialReason


class TokenVerifier(Protocol):
    """Verifier of signed access tokens of one identity provider."""

    def verify(self, text: str, now: float) -> Claims | TokenDenialReason:
        """Return the claims of a token that the provider signed for this server and that is valid at `now`.

        Raises:
            Unavailable: the provider's keys cannot be fetched at present.
        """
        ...
