"""An OpenID Connect provider's signed tokens, and the keys that it publishes."""

from groundwire.adapters.oidc.jwt_verifier import JwtVerifier

__all__ = ["JwtVerifier"]
