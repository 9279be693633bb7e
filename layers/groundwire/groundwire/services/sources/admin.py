"""Administration of sources: registration with validation, changes, acceptance of changed tools, deletion."""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from groundwire.domain.audit.facts import policy_change
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, PreconditionFailed
from groundwire.domain.limits import MAX_SOURCES
from groundwire.domain.sources.pinned_tool import PinnedTool, declaration_digest
from groundwire.domain.sources.source import McpSource, SourceAuthType, ValidationStatus, unused_prefix
from groundwire.ports.definitions import DefinitionKind, Presence
from groundwire.services.sources.records import SECRET_MEMBERS, SourceRecord, to_body
from groundwire.services.sources.spec import SourceChange, SourceSpec, needs_server, new_source
from groundwire.services.sources.states import DeclaredTool
from groundwire.services.sources.validation import SourceNotValid, list_tools, pin_tools
from groundwire_egress.mcp_client.calls import SourceListing

if TYPE_CHECKING:
    from groundwire.ports.registry.tenants import Collections
    from groundwire.ports.sources import SourceGateway
    from groundwire.ports.system import Clock
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import DefinitionAdmin
    from groundwire.services.sources.registry import SourceRegistry
    from groundwire.services.sources.states import SourceStates
    from groundwire.services.sources.validation import OwnAddress

_UNKNOWN: Final = "There is no source of this id."
_NO_ISSUER: Final = (
    "The auth_type `microsoft_entra_id` needs an identity provider, which this server lacks. Use another auth_type."
)


class SourceAdmin:
    """Administration of the sources of the caller's tenant; the dialect checks the caller's scope.

    A source of a collection that the caller's key does not cover does not exist for the caller.

    Args:
        own_address: the address of this server: a source there is a collection, and no call is made.
        has_issuer: whether an identity provider is configured, at which users' tokens can be exchanged.
    """

    def __init__(
        self,
        registry: "SourceRegistry",
        definitions: "DefinitionAdmin",
        states: "SourceStates",
        gateway: "SourceGateway",
        collections: "Collections",
        own_address: "OwnAddress",
        clock: "Clock",
        *,
        has_issuer: bool,
    ) -> None:
        self._registry = registry
        self._definitions = definitions
        self._states = states
        self._gateway = gateway
        self._collections = collections
        self._own_address = own_address
        self._clock = clock
        self._has_issuer = has_issuer

    def list_all(self, call: "CallContext") -> list[McpSource]:
        """Return the sources, the oldest first."""
        return [source for record in self._registry.records(call) if _is_covered(call, source := record.source)]

    def find(self, call: "CallContext", source_id: str) -> McpSource:
        """Return the source.

        Raises:
            NotFound: there is none of this id.
        """
        return self._find(call, source_id).source

    def listing(self, call: "CallContext", source: McpSource) -> Mapping[str, DeclaredTool]:
        """Return the tools of a source's server as it declared them last, by name."""
        return self._states.listing(call.caller.principal.tenant, source.source_id)

    def create(self, call: "CallContext", spec: SourceSpec) -> McpSource:
        """Validate and store a source.

        Raises:
            InvalidInput: a tool is not the server's, or cannot be offered.
            SourceNotValid: the server cannot be used, or the collection does not exist; nothing is stored.
            Conflict: another source has the name, or there are `MAX_SOURCES`.
        """
        _check_mapping(call, spec)
        existing = self._registry.records(call)
        if any(record.source.name == spec.name for record in existing):
            raise _name_taken()
        if len(existing) >= MAX_SOURCES:
            raise _too_many()
        now = self._clock()
        used = {record.source.tool_prefix for record in existing}
        source = new_source(spec, str(uuid.uuid4()), unused_prefix(spec.server_label or spec.name, used), now)
        source, listing = self._validated(call, source, spec, {}, {})
        stored = self._checked_again(call, self._store(call, source, spec.secrets, Presence.ABSENT), spec.secrets)
        self._store_listing(call, stored, listing)
        return stored

    def change(self, call: "CallContext", source_id: str, make: Callable[[McpSource], SourceChange]) -> McpSource:
        """Validate and store the change that `make` returns for the stored source.

        The server is called only where something about it, its credential or its tools changes.

        Raises:
            NotFound: there is no source of this id.
            InvalidInput, SourceNotValid: as of `create`; nothing is changed.
            Conflict: another source has the name, a tool is not as accepted, or somebody else changed the source.
        """
        record = self._find(call, source_id)
        stored, change = record.source, make(record.source)
        spec, now = change.spec, self._clock()
        _check_mapping(call, spec)
        others = [each.source for each in self._registry.records(call) if each.source.source_id != source_id]
        if spec.name != stored.name and any(other.name == spec.name for other in others):
            raise _name_taken()
        prefix = stored.tool_prefix
        if spec.server_label != stored.server_label:
            prefix = unused_prefix(spec.server_label or spec.name, {other.tool_prefix for other in others})
        secrets = self._secrets(call, record, spec)
        source = replace(
            new_source(spec, source_id, prefix, now),
            created_at=stored.created_at,
            tools=stored.tools,
            validation_status=stored.validation_status,
            validated_at=stored.validated_at,
        )
        listing = None
        if needs_server(stored, change) or prefix != stored.tool_prefix:
            checked = replace(spec, secrets=secrets)
            kept = {name: tool for name, tool in stored.tools.items() if name not in change.accepted}
            source, listing = self._validated(call, source, checked, kept, change.accepted)
        else:
            tools = {name: replace(stored.tools[name], policy=policy) for name, policy in spec.tools.items()}
            source = replace(source, tools=tools)
        replaced = self._store(call, source, secrets, record.definition.tag)
        self._store_listing(call, replaced, listing)
        call.audit_fields.update(policy_change(stored.policy, replaced.policy))
        return replaced

    def delete(self, call: "CallContext", source_id: str) -> None:
        """Delete a source with its state.

        Raises:
            NotFound: there is none of this id.
        """
        if not self.delete_each(call, [source_id]):
            raise NotFound(_UNKNOWN)

    def delete_each(self, call: "CallContext", source_ids: Iterable[str]) -> int:
        """Delete sources, and return how many of them there were."""
        wanted, deleted = set(source_ids), list[str]()
        for source in self.list_all(call):
            if source.source_id in wanted and self._delete(call, source.source_id):
                deleted.append(source.source_id)
        call.audit_fields["sources"] = sorted(deleted)
        return len(deleted)

    def _delete(self, call: "CallContext", source_id: str) -> bool:
        try:
            self._definitions.delete(call, DefinitionKind.MCP_SOURCE, source_id, Presence.ANY)
        except NotFound:
            return False
        self._states.delete(call.caller.principal.tenant, source_id)
        return True

    def _checked_again(self, call: "CallContext", stored: McpSource, secrets: Mapping[str, str]) -> McpSource:
        """Return the stored source, with another prefix where another one took its own meanwhile.

        Raises:
            Conflict: another source took the name, or the last place; the new one is deleted again.
        """
        records = self._registry.records(call)
        others = [each.source for each in records if each.source.source_id != stored.source_id]
        if any(other.name == stored.name for other in others) or len(others) >= MAX_SOURCES:
            self._delete(call, stored.source_id)
            raise _name_taken() if len(others) < MAX_SOURCES else _too_many()
        used = {other.tool_prefix for other in others}
        if stored.tool_prefix not in used:
            return stored
        prefix = unused_prefix(stored.server_label or stored.name, used)
        return self._store(call, replace(stored, tool_prefix=prefix), secrets, Presence.PRESENT)

    def _find(self, call: "CallContext", source_id: str) -> SourceRecord:
        record = self._registry.find(call, source_id)
        if record is None or not _is_covered(call, record.source):
            raise NotFound(_UNKNOWN)
        return record

    def _validated(
        self,
        call: "CallContext",
        source: McpSource,
        spec: SourceSpec,
        kept: Mapping[str, PinnedTool],
        accepted: Mapping[str, str],
    ) -> tuple[McpSource, SourceListing | None]:
        """Return the source as validated, and the list of its server's tools; None for a collection."""
        validated = replace(source, validation_status=ValidationStatus.ACTIVE, validated_at=self._clock())
        if self._own_address.includes(spec.server_url):
            self._check_collection(call, spec)
            return validated, None
        if spec.auth_type is SourceAuthType.MICROSOFT_ENTRA_ID and not self._has_issuer:
            raise SourceNotValid(_NO_ISSUER, remedy="set_identity_provider")
        if spec.auth_type is not SourceAuthType.UNAUTHENTICATED and not spec.secrets:
            raise InvalidInput(f"The auth_type {spec.auth_type} needs {spec.auth_type}_parameters.")
        target = self._registry.target(call, source, spec.secrets, user_token=None)
        listing = list_tools(self._gateway, target)
        self._check_accepted(call, source, accepted, listing)
        return replace(validated, tools=pin_tools(source.tool_prefix, spec.tools, kept, listing)), listing

    def _check_accepted(
        self, call: "CallContext", source: McpSource, accepted: Mapping[str, str], listing: SourceListing
    ) -> None:
        declared = {str(each.get("name")): declaration_digest(each) for each in listing.declarations}
        different = [name for name, digest in accepted.items() if declared.get(name) != digest]
        if not different:
            return
        if self._find(call, source.source_id).source.server_url == source.server_url:
            # The next inspection shows what the server declares now, which can then be accepted.
            self._store_listing(call, source, listing)
        raise Conflict(
            f"The tool {different[0]!r} was changed again, or is missing: look at the source, then try again."
        )

    def _check_collection(self, call: "CallContext", spec: SourceSpec) -> None:
        if spec.indexed_collection is None:
            raise SourceNotValid(
                "This URL is this server's own: give the kind `indexed_sources_mcp`, with a collection as"
                " `indexed_source_ref`."
            )
        names = {each.name for each in self._collections.all(call.caller.principal.tenant)}
        if spec.indexed_collection not in names or not call.caller.allows_collection(spec.indexed_collection):
            raise SourceNotValid(f"There is no collection {spec.indexed_collection!r}.")
        if spec.tools or spec.mapping:
            raise InvalidInput("A collection of this server has no further tools: leave out `tools`.")

    def _secrets(self, call: "CallContext", record: SourceRecord, spec: SourceSpec) -> Mapping[str, str]:
        """Return the secrets of a changed source: the given ones, else those stored for the same server."""
        stored = record.source
        if spec.secrets or spec.auth_type is SourceAuthType.UNAUTHENTICATED:
            return spec.secrets
        kept = self._registry.secrets(call, record)
        moves = _origin(spec.server_url) != _origin(stored.server_url) or spec.parameters != stored.parameters
        if kept and (moves or spec.auth_type is not stored.auth_type):
            raise InvalidInput("Another address or client of a source needs its secret again: give it, too.")
        return kept

    def _store(
        self, call: "CallContext", source: McpSource, secrets: Mapping[str, str], expected: Presence | str
    ) -> McpSource:
        call.audit_fields["source"] = source.source_id
        self._registry.forget(call)
        body = to_body(source, secrets)
        try:
            written = self._definitions.put(
                call, DefinitionKind.MCP_SOURCE, source.source_id, body, SECRET_MEMBERS, expected
            )
        except PreconditionFailed as error:
            raise _changed_meanwhile() from error
        return replace(source, updated_at=written.definition.updated_at)

    def _store_listing(self, call: "CallContext", source: McpSource, listing: SourceListing | None) -> None:
        if listing is not None:
            self._states.store_listing(call.caller.principal.tenant, source.source_id, listing)


def _is_covered(call: "CallContext", source: McpSource) -> bool:
    """Return whether the caller's key covers the collections that the source names."""
    return all(map(call.caller.allows_collection, source.collections))


def _check_mapping(call: "CallContext", spec: SourceSpec) -> None:
    mapping = spec.mapping
    if mapping is not None and mapping.tool not in spec.tools:
        raise InvalidInput(f"The mapped tool {mapping.tool!r} is not among `tools`: name it there, too.")
    if mapping is not None and not call.caller.allows_collection(mapping.collection):
        raise InvalidInput(f"The key may not map a source to {mapping.collection!r}: name a collection of the key.")


def _origin(url: str) -> tuple[str, str]:
    return urlsplit(url)[:2]


def _name_taken() -> Conflict:
    return Conflict("Another source has this name: choose another one.")


def _too_many() -> Conflict:
    return Conflict(f"There are {MAX_SOURCES} sources, the maximum: delete one first.")


def _changed_meanwhile() -> Conflict:
    return Conflict("Somebody else changed or deleted the source meanwhile: read its current state, then try again.")
