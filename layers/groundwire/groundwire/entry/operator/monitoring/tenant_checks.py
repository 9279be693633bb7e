"""Checks of one tenant that its administrators see: nothing of the host, of other tenants, or beyond a key's bounds."""

from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.documents.changes.ceiling import has_earlier_ceiling
from groundwire.domain.documents.record import PENDING_STATES, Document, DocumentState
from groundwire.domain.errors import DomainError
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.sharing import is_bounded
from groundwire.domain.limits import KEY_EXPIRY_WARNING_DAYS
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext
    from groundwire.wiring.services import ApiServices

_ASK_OPERATOR: Final = "Ask the operator: `groundwire doctor` on the server finds the cause."


class CheckStatus(StrEnum):
    """Result of a check; a warning is about what will fail if nobody acts."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


class TenantCheck(NamedTuple):
    """One check of a tenant.

    Attributes:
        message: what the check saw. remedy: what to do; None where nothing is to be done.
    """

    name: str
    status: CheckStatus
    message: str
    remedy: str | None = None


def check_tenant(services: "ApiServices", call: "CallContext") -> list[TenantCheck]:
    """Return the checks of the caller's tenant; a key with bounds sees documents and keys within them only."""
    checks = _CHECKS if is_bounded(call.caller) else (*_CHECKS, *_UNBOUNDED_CHECKS)
    return [each for name, check in checks for each in _findings(name, lambda check=check: check(services, call))]


def expiry_text(key: ApiKey, days: int) -> str:
    """Return when a key ends, which has less than this number of days and one more."""
    remaining = "in less than a day" if days == 0 else f"in {days} {'day' if days == 1 else 'days'}"
    return f"expires {remaining}, on {format_utc(key.expires_at)}"


_Findings = Iterator[TenantCheck]


def _findings(name: str, check: Callable[[], _Findings]) -> list[TenantCheck]:
    try:
        return list(check())
    except (DomainError, OSError):
        # The error's text may name folders and addresses of the installation.
        return [TenantCheck(name, CheckStatus.FAILED, _FAILURES[name], _ASK_OPERATOR)]


def _documents(services: "ApiServices", call: "CallContext") -> _Findings:
    documents = list(services.administration.managed_documents.all(call.caller))
    yield from _state_checks(Counter(document.state for document in documents))
    yield from _ceiling_checks(documents)


def _state_checks(counts: Counter[DocumentState]) -> _Findings:
    readable, unread = counts[DocumentState.INDEXED], counts[DocumentState.FAILED]
    pending = sum(counts[state] for state in PENDING_STATES)
    # A refusal is about a file and no defect of the service, so that its number alone is given.
    message = f"indexed: {readable:,}, refused: {counts[DocumentState.REFUSED]:,}, not read yet: {pending:,}"
    yield TenantCheck("documents", CheckStatus.OK, message)
    if unread:
        yield TenantCheck(
            "documents",
            CheckStatus.WARNING,
            f"No parser could read {unread:,} {'document' if unread == 1 else 'documents'}.",
            "`groundwire documents list` has their reasons. Send the files again once the operator has mended them.",
        )


def _ceiling_checks(documents: list[Document]) -> _Findings:
    count = sum(map(has_earlier_ceiling, documents))
    if count:
        manual = "manual policy" if count == 1 else "manual policies"
        yield TenantCheck(
            "ceilings",
            CheckStatus.WARNING,
            f"{count:,} {manual} of an earlier release, which no run replaces.",
            "`groundwire documents list --ceilings` lists the documents.",
        )


def _keys(services: "ApiServices", call: "CallContext") -> _Findings:
    now = services.clock()
    keys = services.administration.delegated_key_admin.all(call.caller)
    expiring = [(key, days) for key in keys if (days := key.expires_in_days(now)) is not None]
    for key, days in expiring:
        message = f"{key.kid} ({key.name}) {expiry_text(key, days)}."
        yield TenantCheck("keys", CheckStatus.WARNING, message, "Create a new key before then.")
    if not expiring:
        yield TenantCheck("keys", CheckStatus.OK, f"None expires within {KEY_EXPIRY_WARNING_DAYS} days.")
    searching = sum(key.options.may_search_as and key.is_active(now) for key in keys)
    if searching:
        yield TenantCheck("search_as", CheckStatus.OK, f"Keys that may search as another person: {searching}.")


def _index(services: "ApiServices", call: "CallContext") -> _Findings:
    tenant = call.caller.principal.tenant
    # A tenant without collections has no index yet, and a check must not create one.
    collections = services.stores.collections.all(tenant)
    if not any(call.caller.allows_collection(each.name) for each in collections):
        yield TenantCheck("index", CheckStatus.OK, "There is none yet: it comes with the first document.")
        return
    index = services.stores.indexes.for_tenant(tenant)
    index.count_rows()
    # Rows of a model that is not installed any more are there, and no search can use them.
    services.models.embedders.for_model(index.model)
    yield TenantCheck("index", CheckStatus.OK, f"It answers, and has its model {index.model.name}.")


def _sign_in(services: "ApiServices", _call: "CallContext") -> _Findings:
    sign_in = services.settings.sign_in
    if sign_in.problem is not None:
        # The problem names settings of the server.
        yield TenantCheck("sign_in", CheckStatus.FAILED, _FAILURES["sign_in"], _ASK_OPERATOR)
    elif sign_in.usable is None:
        yield TenantCheck("sign_in", CheckStatus.OK, "Only keys are accepted: there is no identity provider.")
    else:
        yield TenantCheck("sign_in", CheckStatus.OK, f"Access tokens of {sign_in.usable.issuer} are accepted.")


def _sources(services: "ApiServices", call: "CallContext") -> _Findings:
    from groundwire.services.sources.states import ToolStatus, tool_status

    # By the last listing: a page that is opened must not call servers of other systems.
    for source in services.sources.admin.list_all(call):
        listing = services.sources.admin.listing(call, source)
        statuses = {name: tool_status(tool, listing) for name, tool in source.tools.items()}
        different = [f"{name} ({status})" for name, status in statuses.items() if status is not ToolStatus.ENABLED]
        if different:
            message = f"{source.name} does not offer until they are accepted again: {', '.join(different)}."
            remedy = "`groundwire source accept` shows what changed."
            yield TenantCheck("sources", CheckStatus.WARNING, message, remedy)
        else:
            yield TenantCheck("sources", CheckStatus.OK, f"{source.name} has its {len(statuses)} tools as accepted.")


_Check = Callable[["ApiServices", "CallContext"], _Findings]
_CHECKS: Final[tuple[tuple[str, _Check], ...]] = (("documents", _documents), ("keys", _keys), ("index", _index))
_UNBOUNDED_CHECKS: Final[tuple[tuple[str, _Check], ...]] = (("sign_in", _sign_in), ("sources", _sources))
"""Checks of what no bound of a key covers."""
_FAILURES: Final = {
    "documents": "The registry of documents does not answer.",
    "keys": "The registry of keys does not answer.",
    "index": "The index, or the model of its passages, does not answer.",
    "sign_in": "The settings of the identity provider are not valid, so no access token is accepted.",
    "sources": "The registry of sources does not answer.",
}
