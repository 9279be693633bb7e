"""A tenant of one test: its documents, its commands, and the agent that speaks for its users."""

import json
from dataclasses import dataclass
from typing import Any, Final

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.services.ingest.request import IngestRequest, IngestResult
from groundwire.wiring.local.services import LocalServices
from tests.support.clients.agent import Agent
from tests.support.entry.demo_server import Server

PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
PUMP: Final = "# Pump\n\nThe blue pump takes 40 litres.\n"


def named(*users: str) -> Policy:
    """Readable by these users."""
    return Policy(public=False, users=frozenset(users), any_tags=frozenset(), all_tags=frozenset())


def tagged(*any_tags: str) -> Policy:
    """Readable by holders of one of these tags."""
    return Policy(public=False, users=frozenset(), any_tags=frozenset(any_tags), all_tags=frozenset())


@dataclass(frozen=True, slots=True)
class Company:
    """A tenant.

    Attributes:
        agent: holds a key that acts for others and may assert any tag.
    """

    tenant: str
    server: Server
    owner: LocalServices
    agent: Agent

    def ingest(
        self,
        name: str,
        text: str | bytes,
        policy: Policy = NO_READERS,
        *,
        doc_id: str | None = None,
        collection: str = "default",
        url: str | None = None,
        file_name: str | None = None,
    ) -> IngestResult:
        """Return the outcome of ingesting one file; its default name is the last part of its path."""
        content = text if isinstance(text, bytes) else text.encode()
        shown = file_name or name.rsplit("/", 1)[-1]
        request = IngestRequest(
            self.tenant, collection, name, shown, lambda: content, DeclaredPolicy(policy, None), doc_id, url
        )
        [outcome] = self.owner.ingestion.batch(self.tenant, collection, [request], lambda _done, _total: None)
        return outcome

    def run(self, *arguments: str) -> None:
        """A command about this tenant that must succeed."""
        self.server.command(*arguments, "-t", self.tenant).done()

    def key(self, *options: str) -> str:
        """The text of another key that acts for others."""
        return self.server.command.acting_key(self.tenant, *options)


def last_line(company: Company) -> dict[str, Any]:
    """Return the last line of the server's audit log."""
    return json.loads(company.server.audit.read_text().splitlines()[-1])
