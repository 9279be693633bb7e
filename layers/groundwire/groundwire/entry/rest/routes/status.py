"""Status for monitors with a key, and checks of the tenant for its administrators."""

from collections import Counter
from typing import Final

from fastapi import APIRouter
from pydantic import Field

from groundwire import __version__
from groundwire.domain.access.scopes import may_call
from groundwire.domain.documents.record import DocumentState
from groundwire.entry.operator.monitoring.tenant_checks import CheckStatus, check_tenant
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import ResponseModel


class Status(ResponseModel):
    """State of the service for this key."""

    version: str
    tenant: str
    documents: dict[DocumentState, int] | None = Field(
        description="Number of documents by state; null for a key that manages none."
    )
    visible_after_seconds: int = Field(description="Seconds until a search finds a new document.")


class CheckRecord(ResponseModel):
    """A check of the tenant; one check can have several records."""

    name: str = Field(description="`documents`, `ceilings`, `keys`, `search_as`, `index`, `sign_in` or `sources`.")
    status: CheckStatus = Field(description="`warning`: something will fail if nobody acts.")
    message: str
    remedy: str | None = Field(description="What to do; null where nothing is to be done.")


class CheckList(ResponseModel):
    """The checks of the tenant within the bounds of the key."""

    checks: list[CheckRecord]


router: Final = APIRouter(prefix="/v1", tags=["status"], route_class=ScopedRoute)


@router.get("/status", response_model=Status)
async def status(context: CurrentContext) -> dict[str, object]:
    """Show version, tenant, documents by state and the delay of the index."""
    return {
        "version": __version__,
        "tenant": context.tenant,
        # A key that may not list documents must not count them either.
        "documents": _document_counts(context) if may_call(context.caller.scopes, "GET /v1/documents") else None,
        "visible_after_seconds": context.services.administration.visibility_delay_seconds,
    }


@router.get("/doctor", response_model=CheckList)
async def doctor(context: CurrentContext) -> dict[str, object]:
    """Check documents, keys and index of the tenant; for a key without bounds also sign-in and sources."""
    return {"checks": [check._asdict() for check in check_tenant(context.services, context.call)]}


def _document_counts(context: RestContext) -> Counter[str]:
    return Counter(
        document.state.value for document in context.services.administration.managed_documents.all(context.caller)
    )
