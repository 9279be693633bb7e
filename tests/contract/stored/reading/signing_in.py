"""Sign-in of a user: the authorizer's context for a token; the signature is not verified here."""

from collections.abc import Mapping

from groundwire import wiring

from .gateway import context

_TOKEN = "aaaa.bbbb.cccc"


class _Tokens:
    """Every token names one person."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant

    def verify(self, text: str, now: float) -> Mapping[str, object]:
        scope = "openid groundwire:search groundwire:verify"
        return {"company": self._tenant, "sub": "maria@acme.example", "scope": scope, "exp": now + 300}


def signed_in(tenant: str) -> dict[str, str]:
    """The context of a call of one of the tenant's people."""
    vars(wiring.authorizer_services())["token_verifier"] = _Tokens(tenant)
    return context(_TOKEN)
