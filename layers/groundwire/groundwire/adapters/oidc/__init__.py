"""Verification of an OpenID Connect provider's signed tokens with the provider's published keys."""

from groundwire.adapters.oidc.jwt_verifier import JwtVerifier
from groundwire.adapters.oidc.provider_http import ProviderDocuments

__all__ = ["JwtVerifier", "ProviderDocuments"]
