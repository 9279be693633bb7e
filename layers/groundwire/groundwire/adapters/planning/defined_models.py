"""Models that definitions name: only at hosts that the operator lists, and with the definition's own key."""

from collections.abc import Callable
from urllib.parse import urlsplit

from groundwire.adapters.planning.chat_completions import ChatModel, azure_endpoint
from groundwire.adapters.planning.plan_output import PlanningModel
from groundwire.domain.errors import DomainError
from groundwire.ports import ModelDeployment
from groundwire_egress import SendRequest
from groundwire_egress.secure_urls import is_secure_url


class DefinedModels:
    """Finder of the models that definitions name.

    Args:
        hosts: each a host, for the usual port, or `host:port`.
        api_version: of Azure OpenAI.
    """

    def __init__(self, hosts: frozenset[str], api_version: str, send: SendRequest) -> None:
        self._hosts = hosts
        self._api_version = api_version
        self._send = send

    def find(self, model: ModelDeployment) -> PlanningModel | None:
        """Return the model; None where its host is not listed, or its key cannot be read."""
        if not self._is_listed(model.resource_uri) or (key := _key_of(model)) is None:
            return None
        endpoint = azure_endpoint(model.resource_uri, model.deployment, self._api_version)
        return ChatModel(endpoint, (model.model, model.deployment), _constant(key), self._send)

    def _is_listed(self, uri: str) -> bool:
        if not is_secure_url(uri):
            return False
        parts = urlsplit(uri)
        # A dot at the end names the same host.
        host = (parts.hostname or "").removesuffix(".")
        return (host if parts.port in {None, 443} else f"{host}:{parts.port}") in self._hosts


def _key_of(model: ModelDeployment) -> str | None:
    """Return the key of the definition; None where it has none, or the sealing key cannot be read now."""
    try:
        return model.open_key()
    except DomainError:
        return None


def _constant(key: str) -> Callable[[], str]:
    return lambda: key
