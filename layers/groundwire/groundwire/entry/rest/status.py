"""`/v1/status`: what a monitor with a key asks."""

from collections import Counter
from typing import Final

from fastapi import APIRouter

from groundwire import __version__
from groundwire.domain.scopes import may_call
from groundwire.entry.rest.models.status import Status
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work

router: Final = APIRouter(prefix="/v1/status", tags=["status"], route_class=ScopedRoute)


@router.get("", response_model=Status)
async def status(work: Asked) -> dict[str, object]:
    """The service as this key sees it."""
    return {
        "version": __version__,
        "tenant": work.tenant,
        "documents": _states(work) if may_call(work.caller.scopes, "GET /v1/documents") else None,
        "visible_after_seconds": work.services.visible_after_seconds,
    }


def _states(work: Work) -> Counter[str]:
    return Counter(document.state.value for document in work.services.stewardship.all(work.caller))
