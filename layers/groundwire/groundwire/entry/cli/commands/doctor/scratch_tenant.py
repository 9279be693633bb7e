"""The scratch tenant of one check of a deployed service: its keys, its address, its creation and its deletion."""

from collections.abc import Mapping
from functools import cached_property, partial
from http import HTTPStatus
from typing import Final

from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.entry.cli.commands.doctor.findings import DefectFound
from groundwire.entry.cli.commands.doctor.http_service import HttpService
from groundwire.entry.cli.commands.doctor.run_budget import RunBudget
from groundwire.entry.cli.target.action_client import ActionClient, row_of
from groundwire.entry.cli.target.rest_api import RestApi
from groundwire.wiring import remote_targets

READER: Final = "doctor-reader"
"""User whom the policy of the scratch file names."""
OTHER: Final = "doctor-other"
"""User whom no policy names."""
_AGENT: Final = {"kind": "act_as", "scopes": ["search", "verify"], "max_tags": ["*"], "collections": "every"}
_ADMINISTRATOR: Final = {
    "kind": "personal",
    "user": "doctor-owner",
    "scopes": ["admin", "ingest", "share", "search"],
    "collections": "every",
}


class ScratchTenant:
    """A tenant of a stack that one check creates and deletes.

    Args:
        address: URL of the service; None: the stack's own.
        budget: time of all waits.
    """

    def __init__(self, operator: ActionClient, address: str | None, budget: RunBudget) -> None:
        self._operator = operator
        self._address = address
        self.budget = budget
        self.id = ""
        self.keys: dict[str, str] = {}

    @cached_property
    def service(self) -> HttpService:
        """The service at its address, which is known from the creation on."""
        return HttpService(str(self._address))

    def create(self) -> str:
        """Create the tenant and its keys; return a sentence about it."""
        response = self._operator.execute("stack.create_scratch_tenant")
        tenant = row_of(response, "tenant")
        self.id = str(tenant["tenant"])
        self._address = (self._address or str(response["url"])).rstrip("/")
        for name, spec in (("agent", _AGENT), ("administrator", _ADMINISTRATOR)):
            key = row_of(self._operator.execute("key.create", tenant=self.id, **spec), "key")
            self.keys[name] = str(key["key"])
        return f"{tenant['name']} ({self.id}) at {self._address}."

    def headers_of(self, key: str, user: str | None = None) -> dict[str, str]:
        """Return the headers of a call with a key; `user` is whom an agent speaks for."""
        return {"authorization": f"Bearer {self.keys[key]}", **({} if user is None else {"x-user-id": user})}

    def rest(self) -> RestApi:
        """Return the REST API for the tenant's administrator."""
        return remote_targets.rest_client(self.service.url, self.keys["administrator"])

    def report(self) -> Mapping[str, object]:
        """Return the operator function's report about the tenant."""
        return self._operator.execute("stack.report", tenant=self.id)

    def wake_index(self) -> Mapping[str, object]:
        """Return the operator function's answer once the index has answered it; Unavailable while it wakes."""
        return self._operator.execute("stack.wake_index")

    def delete(self) -> str:
        """Delete the tenant, after an ingestion that still runs; return a sentence with what it had.

        Raises:
            DefectFound: something of it is there still; the text names the command that deletes it later.
        """
        delete = partial(self._operator.execute, "tenant.delete", tenant=self.id)
        try:
            erased = mapping_or_empty(self.budget.wait_for_deletion(delete)["deleted"])
        except DefectFound as error:
            raise DefectFound(f"{error} Delete {self.id} later with `doctor --leftovers`.") from error
        counts = ", ".join(f"{count} {kind}" for kind, count in erased.items() if count)
        # A key that outlives its tenant would be worse than any row that is left.
        refused = self.service.mcp(self.headers_of("agent", READER), "ping") if self.keys else None
        if refused is not None:
            expect_status("a key of the deleted tenant", {refused.status}, HTTPStatus.UNAUTHORIZED)
        return f"{counts or 'It was empty'}. `doctor --leftovers` proves later that nothing came after."


def expect_status(what: str, statuses: set[int], expected: HTTPStatus) -> None:
    """Check the statuses of several calls.

    Raises:
        DefectFound: one of them is not the expected one.
    """
    if statuses != {expected}:
        got = ", ".join(map(str, sorted(statuses)))
        raise DefectFound(f"{what} was answered with {got}, not {expected.value}: read the logs of the functions.")
