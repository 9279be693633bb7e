"""Status: what a monitor asks with a key."""

from pydantic import Field

from groundwire.domain.documents import DocumentState
from groundwire.entry.rest.models.form import Told


class Status(Told):
    """The service as this key sees it."""

    version: str
    tenant: str
    documents: dict[DocumentState, int] | None = Field(
        description="Living documents by state, of the whole tenant; null for a key that manages none."
    )
    visible_after_seconds: int = Field(description="How long what was written may stay unseen by searches.")
