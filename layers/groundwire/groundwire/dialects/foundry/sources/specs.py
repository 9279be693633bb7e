"""Bodies of requests as specifications of sources, and of changes of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from groundwire.dialects.foundry.sources.models import (
    CollectionMappingMembers,
    KnowledgeSourceChange,
    NewKnowledgeSource,
    PolicyMembers,
    ToolMembers,
)
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_input import parse_policy
from groundwire.domain.errors import InvalidInput
from groundwire.domain.sources.source import CollectionMapping, McpSource, SourceAuthType, SourceKind
from groundwire.services.sources.spec import SourceChange, SourceSpec
from groundwire.services.sources.validation import SourceNotValid

if TYPE_CHECKING:
    from pydantic import BaseModel

_SECRETS = frozenset({"api_key", "client_secret"})


class _Server(NamedTuple):
    url: str
    label: str | None
    collection: str | None


class _Credential(NamedTuple):
    parameters: Mapping[str, str]
    secrets: Mapping[str, str]


_NO_CREDENTIAL = _Credential({}, {})


def new_spec(body: NewKnowledgeSource) -> SourceSpec:
    """Return the specification of a new source.

    Raises:
        InvalidInput: parameters do not fit the kind or the type of the credential, or a policy is not valid.
    """
    server = _server(body, body.kind)
    if server is None:
        raise InvalidInput(f"A source of the kind {body.kind} needs {_parameters_of(body.kind)}.")
    return SourceSpec(
        name=body.name,
        kind=body.kind,
        auth_type=body.auth_type,
        description=body.description,
        created_by=body.created_by,
        server_url=server.url,
        server_label=server.label,
        indexed_collection=server.collection,
        **_credential(body, body.auth_type)._asdict(),
        policy=_policy(body.policy) or NO_READERS,
        tools=_tools(body.tools or []),
        mapping=_mapping(body.collection_mapping),
    )


def changed_spec(body: KnowledgeSourceChange, stored: McpSource) -> SourceChange:
    """Return the change of a stored source; members that are missing keep their values.

    Raises:
        SourceNotValid: the parameters are of another kind than the source.
        InvalidInput: the parameters do not fit the type of the credential, or a policy is not valid.
    """
    if body.kind not in {None, stored.kind}:
        raise SourceNotValid(f"The kind of a source cannot change: this source has the kind {stored.kind}.")
    try:
        server = _server(body, stored.kind)
    except InvalidInput as error:
        raise SourceNotValid(str(error)) from error
    server = server or _Server(stored.server_url, stored.server_label, stored.indexed_collection)
    auth_type = body.auth_type or stored.auth_type
    credential = _credential(body, auth_type)
    if not credential.secrets and auth_type is stored.auth_type:
        credential = _Credential(stored.parameters, {})
    given = body.model_fields_set
    tools = {each.name: each.policy for each in stored.tools.values()}
    spec = SourceSpec(
        name=body.name or stored.name,
        kind=stored.kind,
        auth_type=auth_type,
        description=body.description if "description" in given else stored.description,
        created_by=body.created_by if "created_by" in given else stored.created_by,
        server_url=server.url,
        server_label=server.label,
        indexed_collection=server.collection,
        **credential._asdict(),
        policy=(_policy(body.policy) or NO_READERS) if "policy" in given else stored.policy,
        tools=_tools(body.tools or []) if "tools" in given else tools,
        mapping=_mapping(body.collection_mapping) if "collection_mapping" in given else stored.mapping,
    )
    return SourceChange(spec, body.accept_tools)


def _parameters_of(kind: SourceKind) -> str:
    return "remote_mcp_parameters" if kind is SourceKind.REMOTE_MCP else "indexed_sources_parameters"


def _server(body: NewKnowledgeSource | KnowledgeSourceChange, kind: SourceKind) -> _Server | None:
    """Return the server of the kind's parameters; None where they are missing."""
    remote, indexed = body.remote_mcp_parameters, body.indexed_sources_parameters
    if (indexed if kind is SourceKind.REMOTE_MCP else remote) is not None:
        raise InvalidInput(f"A source of the kind {kind} has {_parameters_of(kind)} and no other parameters.")
    if remote is not None:
        return _Server(remote.server_url, remote.server_label, None)
    return None if indexed is None else _Server(indexed.server_url, indexed.server_label, indexed.indexed_source_ref)


def _credential(body: NewKnowledgeSource | KnowledgeSourceChange, auth_type: SourceAuthType) -> _Credential:
    """Return the parameters of the credential's type; none where they are missing and may be."""
    given: dict[SourceAuthType, BaseModel | None] = {
        SourceAuthType.API_KEY: body.api_key_parameters,
        SourceAuthType.OAUTH_CLIENT_CREDENTIALS: body.oauth_client_credentials_parameters,
        SourceAuthType.MICROSOFT_ENTRA_ID: body.microsoft_entra_id_parameters,
    }
    if any(parameters is not None and kind is not auth_type for kind, parameters in given.items()):
        raise InvalidInput(f"The parameters belong to another auth_type than {auth_type}: give {auth_type}_parameters.")
    parameters = given.get(auth_type)
    if parameters is None:
        return _NO_CREDENTIAL
    members: dict[str, str] = parameters.model_dump(exclude_none=True)
    return _Credential(
        {name: value for name, value in members.items() if name not in _SECRETS},
        {name: value for name, value in members.items() if name in _SECRETS},
    )


def _policy(members: PolicyMembers | None) -> Policy | None:
    return None if members is None else parse_policy(**members.model_dump())


def _tools(entries: list[ToolMembers | str]) -> dict[str, Policy | None]:
    tools: dict[str, Policy | None] = {}
    for entry in entries:
        name, policy = (entry, None) if isinstance(entry, str) else (entry.name, _policy(entry.policy))
        if name in tools:
            raise InvalidInput(f"The tool {name!r} is named twice: name it once.")
        tools[name] = policy
    return tools


def _mapping(members: CollectionMappingMembers | None) -> CollectionMapping | None:
    return None if members is None else CollectionMapping(members.collection, members.tool, members.query_argument)
