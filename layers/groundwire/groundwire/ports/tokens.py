"""What the authorizer needs of whoever can verify a token."""

from typing import Protocol

from groundwire.domain.keys.oauth import Claims, TokenDenialReason


class TokenVerifier(Protocol):
    """Signed access tokens of one identity provider."""

    def verify(self, text: str, now: float) -> Claims | TokenDenialReason:
        """The claims of a token that the provider has signed for this server and that is valid at `now`.

        Raises:
            Unavailable: the provider's keys cannot be had just now.
        """
        ...
