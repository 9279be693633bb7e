"""Client of all HTTPS calls out of the server to hosts that settings, definitions or other servers name."""

from groundwire.adapters.egress.client import EgressClient
from groundwire.adapters.egress.destinations import AllowedHosts
from groundwire.adapters.egress.messages import EgressLimits, EgressRefused, EgressRequest, EgressResponse, SendRequest
from groundwire.adapters.egress.session import EgressSession

__all__ = [
    "AllowedHosts",
    "EgressClient",
    "EgressLimits",
    "EgressRefused",
    "EgressRequest",
    "EgressResponse",
    "EgressSession",
    "SendRequest",
]
