"""Entry points of processes that open the registry concurrently."""

from tests.support.registry.backends import Place, opened


def known_tenants(place: Place, _number: int) -> list[str]:
    with opened(place) as stores:
        return [each.tenant for each in stores.tenants.all()]
