"""Verification of an OpenID Connect provider's signed tokens with the provider's published keys."""

from groundwire.adapters.oidc.jwt_verifier import JwtVerifier

__all__ = ["JwtVerifier"]
