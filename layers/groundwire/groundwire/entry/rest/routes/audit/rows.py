"""Parameters of the audit log's route, and the schema of its rows."""

from typing import Annotated, Final, Literal

from pydantic import Field

from groundwire.domain.documents.ids import MAX_UID_CHARACTERS
from groundwire.domain.limits import DEFAULT_AUDIT_PAGE, MAX_AUDIT_PAGE, MAX_USER_CHARACTERS
from groundwire.entry.rest.schema import RequestModel, ResponseModel, Timestamp

_MAX_NAME_CHARACTERS: Final = 256
_Name = Annotated[str, Field(max_length=_MAX_NAME_CHARACTERS)]


class AuditQuery(RequestModel):
    """Conditions on lines, of which each must hold, and the part of the list to return."""

    user: Annotated[str, Field(max_length=MAX_USER_CHARACTERS)] | None = Field(
        default=None, description="User of the call or the change, in any letter case."
    )
    document: Annotated[str, Field(max_length=MAX_UID_CHARACTERS)] | None = Field(
        default=None, description="Id of a document that the line names."
    )
    kid: _Name | None = Field(default=None, description="Id of the key of the call.")
    call: _Name | None = Field(default=None, description="Tool, method, route or action.")
    outcome: _Name | None = Field(default=None, description="Outcome, or reason of a decision.")
    since: _Name | None = Field(
        default=None, description="First time: `2026-10-01`, `2026-10-01T12:00`, or `7d`, `24h`, `90m` before now."
    )
    until: _Name | None = Field(default=None, description="Time after the last one, in the same form.")
    after: str | None = Field(default=None, description="Value of `next` of the part before.")
    limit: Annotated[int, Field(ge=1, le=MAX_AUDIT_PAGE)] = DEFAULT_AUDIT_PAGE


class AuditRow(ResponseModel):
    """A line of the audit log: a call, or a change by a command or an ingestion."""

    time: Timestamp | None
    call: str | None = Field(description="Tool, method, route or action.")
    content: Literal["original", "passages"] | None = Field(
        description="Content of documents that the call gave: the stored file, or passages; null: none."
    )
    documents: list[str] = Field(description="Each document as `<id>@<version of its policy>`.")
    user: str | None
    user_by: str | None = Field(description="`token`: an access token named the user.")
    kid: str | None = Field(description="Id of the key.")
    operator: str | None = Field(description="User of the operating system, for a change by a command.")
    decision: str | None = Field(description="Whether the call was admitted.")
    outcome: str | None
    reason: str | None = Field(description="Reason of the decision.")
    status: int | None = Field(description="HTTP status.")
    passages: int | None = Field(description="Number of passages in the answer.")
    request_id: str | None
    trace: str | None
    duration_ms: float | None
    details: dict[str, object] = Field(description="Further members, by the names in the log.")


class AuditList(ResponseModel):
    """A part of the lines of the tenant, the latest first."""

    rows: list[AuditRow]
    next: str | None = Field(description="Value of `after` for the next part; null: there are no more.")
    complete: bool = Field(
        description="False while the index lacks lines of the log. Until it is true, the first part is empty and has a "
        "`next`."
    )


class AuditVerification(ResponseModel):
    """Verification of a part of the log's chain, which has the lines of every tenant."""

    intact: bool = Field(description="Whether each line of the part is as it was written.")
    lines: int = Field(description="Number of intact lines of the tenant in this part.")
    problem: str | None = Field(description="The first defect of the chain; null: none.")
    next: str | None = Field(description="Value of `after` for the next part; null: there are no more.")
