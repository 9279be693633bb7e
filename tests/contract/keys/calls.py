"""Entry points of processes that use one key concurrently."""

from groundwire.domain.keys.api_key import AdmissionDenied
from tests.support.registry.backends import Place, Stores, opened
from tests.support.registry.records import CURRENT, NOW, PERSONAL_KEY


def outcome(stores: Stores, digest: bytes = CURRENT) -> str:
    """The word "admitted", or why not."""
    admission = stores.keys.admit(PERSONAL_KEY.kid, digest, NOW)
    return admission.reason.value if isinstance(admission, AdmissionDenied) else "admitted"


def two_hundred_calls(place: Place, _: int) -> list[str]:
    with opened(place) as stores:
        return [outcome(stores) for _ in range(200)]
