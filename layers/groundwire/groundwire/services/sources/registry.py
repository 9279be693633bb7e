"""Stored sources of a tenant, and the targets of calls to them with their secrets opened."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from groundwire.domain.errors import NotFound
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.sources.source import McpSource, SourceAuthType
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.ports.definitions import DefinitionKind
from groundwire.services.sources.records import SourceRecord, record_from_definition
from groundwire_egress.mcp_client.calls import (
    ApiKeyCredential,
    ClientCredential,
    ExchangeCredential,
    SourceCredential,
    SourceTarget,
)

if TYPE_CHECKING:
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import DefinitionAdmin


class TenantMemory(Protocol):
    """Memory of tenants, such as `UnmappedTenants` of the joins, which depend on this registry."""

    def add(self, tenant: str) -> None:
        """Remember a tenant."""
        ...

    def remove(self, tenant: str) -> None:
        """Forget a tenant."""
        ...


class SourceRegistry:
    """Sources of the caller's tenant.

    Args:
        unmapped: takes the tenants that have no source that joins answers.
    """

    def __init__(self, definitions: "DefinitionAdmin", unmapped: TenantMemory) -> None:
        self._definitions = definitions
        self._unmapped = unmapped

    def records(self, call: "CallContext") -> list[SourceRecord]:
        """Return the sources, the oldest first."""
        found = map(record_from_definition, self._definitions.list_all(call, DefinitionKind.MCP_SOURCE))
        # The id decides between equal times, so that the order is the same every time.
        return sorted(found, key=lambda record: (record.source.created_at, record.source.source_id))

    def mapped_records(self, call: "CallContext") -> list[SourceRecord]:
        """Return the sources that join answers over a collection."""
        mapped = [record for record in self.records(call) if record.source.mapping is not None]
        if not mapped:
            self._unmapped.add(call.caller.principal.tenant)
        return mapped

    def forget(self, call: "CallContext") -> None:
        """Forget what is remembered of the caller's tenant, after a change of its sources."""
        self._unmapped.remove(call.caller.principal.tenant)

    def find(self, call: "CallContext", source_id: str) -> SourceRecord | None:
        """Return the source of this id; None if it is missing."""
        try:
            return record_from_definition(self._definitions.find(call, DefinitionKind.MCP_SOURCE, source_id))
        except NotFound:
            return None

    def secrets(self, call: "CallContext", record: SourceRecord) -> Mapping[str, str]:
        """Return the secrets of a source by name; empty where it has none, or they cannot be opened here."""
        opened = self._definitions.open_secrets(call, record.definition).get("secrets")
        return {name: text for name, text in mapping_or_empty(opened).items() if isinstance(text, str)}

    def target_of(self, call: "CallContext", record: SourceRecord, user_token: Secret | None) -> SourceTarget:
        """Return the target of calls to a stored source."""
        source = record.source
        has_secret = source.auth_type is not SourceAuthType.UNAUTHENTICATED
        return self.target(call, source, self.secrets(call, record) if has_secret else {}, user_token)

    def target(
        self, call: "CallContext", source: McpSource, secrets: Mapping[str, str], user_token: Secret | None
    ) -> SourceTarget:
        """Return the target of calls to a source with these secrets."""
        credential = _credential(source, {name: Secret(text) for name, text in secrets.items()}, user_token)
        return SourceTarget(call.caller.principal.tenant, source.source_id, source.server_url, credential)


def _credential(source: McpSource, secrets: Mapping[str, Secret], user_token: Secret | None) -> SourceCredential:
    parameters, missing = source.parameters, Secret("")
    match source.auth_type:
        case SourceAuthType.UNAUTHENTICATED:
            return None
        case SourceAuthType.API_KEY:
            return ApiKeyCredential(parameters["header"], secrets.get("api_key", missing))
        case SourceAuthType.OAUTH_CLIENT_CREDENTIALS:
            secret = secrets.get("client_secret", missing)
            return ClientCredential(parameters["token_url"], parameters["client_id"], secret, parameters.get("scope"))
        case SourceAuthType.MICROSOFT_ENTRA_ID:
            secret = secrets.get("client_secret", missing)
            return ExchangeCredential(
                parameters["client_id"], secret, parameters.get("scope"), parameters["grant"], user_token
            )
