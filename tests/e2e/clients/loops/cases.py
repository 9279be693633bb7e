"""Cases of an agent's call: an answer, an empty one, and each kind of error."""

import shutil
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire import wiring
from groundwire.domain.errors import DomainError, Unavailable
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.ports import VectorIndex
from groundwire.settings import environment as settings
from groundwire.wiring.local.services import open_home
from tests.e2e.clients.environments import ROOT
from tests.e2e.clients.judge import TOOL
from tests.e2e.clients.loops.replies import ToolCall
from tests.e2e.clients.relay import no_headers
from tests.support.entry.command import Command

QUESTION: Final = "How many days of annual leave does a new colleague have?"
UNKNOWN_TOOL: Final = "no_such_tool"
RETRY_S: Final = 37
"""Seconds after which a repeat is worth trying, in the case of a retryable error."""
PROBLEM: Final = "/srv/index is damaged"
"""Cause of the server's failure in the case of one: for its operator, and nobody else."""
RATE_WORDS: Final = "Too many calls"
_DOCUMENTS: Final = (
    "company/employee-handbook.pdf",
    "support/support-faq.html",
    "engineering/firmware-release-notes.md",
)
_READER: Final = {"x-user-id": "elif@weirhaven.example", "x-session-tags": '["department:sales"]'}
_STRANGER: Final = {"x-user-id": "noor@weirhaven.example", "x-session-tags": "[]"}
_UNHURRIED: Final = ("--rate", "100000", "--burst", "10000")
_ONE_A_MINUTE: Final = ("--rate", "1", "--burst", "1")
_PING: Final = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_ERRORS: Final[Mapping[str, DomainError]] = {
    "failing": DomainError(PROBLEM),
    "waiting": Unavailable(PROBLEM, retry_after_s=RETRY_S),
}
"""By the name of the tenant whose index has it."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call by a model.

    Attributes:
        headers: of the agent that holds the tools.
        told: what the model must read in any case, beside the server's own words.
        is_fault: whether the server answers with a fault.
        headers_of_calls: returns the headers that replace the agent's in its calls of tools.
    """

    name: str
    headers: Mapping[str, str]
    call: ToolCall
    reported: str = ""
    is_error: bool = True
    headers_of_calls: Callable[[], Mapping[str, str]] = no_headers


@dataclass(frozen=True, slots=True)
class Company:
    """A server that runs.

    Attributes:
        url: the server's, without path.
        path: that of the MCP endpoint.
    """

    url: str
    cases: tuple[Case, ...]
    path: str = "/mcp"


@contextmanager
def open_company(folder: Path) -> Generator[Company]:
    """Serve sample documents until the end of the block: one tenant works, the indexes of two others fail."""
    home = folder / "home"
    command = Command(home, {})
    tenants = {name: command.tenant(name) for name in ("weirhaven", *_ERRORS)}
    # Copies, without the policies that lie beside the originals.
    copies = [shutil.copy(ROOT / "samples" / "documents" / document, folder) for document in _DOCUMENTS]
    for name, tenant in tenants.items():
        # Where its user may read nothing, an index is not asked.
        command.ingest(tenant, *(copies[-1:] if name in _ERRORS else copies), "--any-tag", "department:sales")
    keys = {name: command.acting_key(tenant, *_UNHURRIED) for name, tenant in tenants.items()}
    slow_key = command.acting_key(tenants["weirhaven"], *_ONE_A_MINUTE)
    with pytest.MonkeyPatch.context() as patch, _serving(home, patch, tenants) as url:
        slow = {"authorization": f"Bearer {slow_key}", **_READER}
        yield Company(url, tuple(_cases(keys, lambda: _spend_rate(url, slow))))


def _spend_rate(url: str, headers: Mapping[str, str]) -> Mapping[str, str]:
    """Spend the rate of a key that has one call a minute, and return the headers."""
    httpx.post(f"{url}/mcp", json=_PING, headers=dict(headers))
    return headers


def _cases(keys: Mapping[str, str], spend_rate: Callable[[], Mapping[str, str]]) -> list[Case]:
    answering, failing, waiting = ({"authorization": f"Bearer {key}", **_READER} for key in keys.values())
    search = ToolCall(TOOL, {"search_phrases": [QUESTION]})
    return [
        Case("answer", answering, search, is_error=False),
        Case("empty", {**answering, **_STRANGER}, search, is_error=False),
        Case("arguments", answering, ToolCall(TOOL, {"search_phrases": [" "]}), "search_phrases"),
        Case("failure", failing, search),
        Case("retryable", waiting, search, str(RETRY_S)),
        # Only the calls of tools have the key whose rate is spent: without its list of tools no agent calls one.
        Case("rate", answering, search, RATE_WORDS, headers_of_calls=spend_rate),
        Case("unknown tool", answering, ToolCall(UNKNOWN_TOOL, {}), UNKNOWN_TOOL),
    ]


@contextmanager
def _serving(home: Path, patch: pytest.MonkeyPatch, tenants: Mapping[str, str]) -> Generator[str]:
    services = open_home(settings.read_settings({"GROUNDWIRE_HOME": str(home)}))
    wire_errors = {tenants[name]: error for name, error in _ERRORS.items()}
    index_of = services.stores.indexes.for_tenant

    def for_tenant(tenant: str) -> VectorIndex:
        if tenant in wire_errors:
            raise wire_errors[tenant]
        return index_of(tenant)

    patch.setattr(services.stores.indexes, "for_tenant", for_tenant)
    wiring.RUNTIME.use_local(services)
    # As `groundwire serve` has it: what failed is to be seen, not a line for every call.
    patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    patch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
    try:
        with run_in_background(ROOT / "template.yaml") as url:
            yield url
    finally:
        wiring.reset()
        services.close()
