"""Composition of calls to sources that leave from this process."""

import os
import secrets
import time
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.settings import environment

if TYPE_CHECKING:
    from groundwire.ports import Definitions
    from groundwire.ports.sources import SourceClient, SourceGateway
    from groundwire.ports.system import Clock
    from groundwire.services.sources.guarded import GuardedSources
    from groundwire.services.sources.states import SourceStates
    from groundwire.settings.environment import Settings

_TABLE: Final = "DOCUMENTS_TABLE"


def new_tag() -> str:
    """Return a version token that no other write has."""
    return secrets.token_hex(8)


def build_source_states(definitions: "Definitions", clock: "Clock") -> "SourceStates":
    """Return the store of the states and listings of sources."""
    from groundwire.services.sources.states import SourceStates

    return SourceStates(definitions, new_tag, clock)


def build_guarded_sources(settings: "Settings", states: "SourceStates", clock: "Clock") -> "GuardedSources":
    """Return the gateway that calls sources from this process."""
    from groundwire.services.sources.guarded import GuardedSources

    return GuardedSources(build_source_client(settings), states, clock)


def build_source_client(settings: "Settings") -> "SourceClient":
    """Return the client of MCP servers; it calls public hosts, and those of the egress settings."""
    from groundwire.adapters.egress import AllowedHosts, EgressClient
    from groundwire.adapters.mcp_client import McpSourceClient

    egress = EgressClient(AllowedHosts(settings.egress.allowed), settings.egress.ca_file)
    provider = settings.identity_provider
    return McpSourceClient(egress, None if provider is None else provider.issuer)


def load_source_gateway() -> "SourceGateway":
    """Return the gateway of the sources function: over the states in DynamoDB, without keys, documents or secrets.

    Raises:
        InvalidInput: a setting is invalid or missing.
    """
    from groundwire.adapters.aws.clients import dynamodb
    from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions

    table = environment.deployment_settings(os.environ).get(_TABLE)
    if table is None:
        raise InvalidInput(f"GROUNDWIRE_{_TABLE} is not set: this function was not given it by template.yaml.")
    states = build_source_states(DynamoDefinitions(dynamodb(), table), time.time)
    return build_guarded_sources(environment.read_settings(os.environ), states, time.time)
