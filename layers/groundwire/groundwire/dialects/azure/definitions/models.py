"""Models of agents and knowledge bases: checks of their entries, and the keys that a change keeps."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

from groundwire.dialects.azure.definitions.members import MODEL_PARAMETERS
from groundwire.dialects.azure.errors import invalid_parameter
from groundwire.ports.models import ModelDeployment

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.dialects.azure.requests.members import Members
    from groundwire.services.definitions.body import JsonBody, JsonValue

SECRET: Final = "apiKey"  # noqa: S105 - the name of a member
MODEL_KIND: Final = "azureOpenAI"
MAX_MODELS: Final = 10
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_HTTPS: Final = "https"


def check_models(models: "Sequence[Members]") -> None:
    """Check the entries of `models`.

    Raises:
        AzureError: there are too many, or one has a member that is not served.
    """
    if len(models) > MAX_MODELS:
        raise invalid_parameter(f"models can have at most {MAX_MODELS} entries.")
    for at, model in enumerate(models):
        path = f"models[{at}].{MODEL_PARAMETERS}"
        parameters = cast("Members", model[MODEL_PARAMETERS])
        if "authIdentity" in parameters:
            raise invalid_parameter(f"{path}.authIdentity: this server has no managed identities: send {SECRET}.")
        if _host(parameters.get("resourceUri")) is None:
            raise invalid_parameter(
                f"{path}.resourceUri must be an https address of a host, without user and password."
            )


def keep_secrets(body: "JsonBody", stored: "JsonBody") -> "JsonBody":
    """Return the body with the stored keys of the models whose key it leaves out.

    A key stays at its position and only for the same host and deployment, so that no change sends it elsewhere.

    Args:
        body: as sent.
        stored: with its secrets.
    """
    models = cast("list[JsonBody]", body.get("models") or [])
    before = cast("list[JsonBody]", stored.get("models") or [])
    kept = [_keep(model, before[at] if at < len(before) else {}) for at, model in enumerate(models)]
    return {**body, "models": cast("list[JsonValue]", kept)}


def lacks_secret(body: "JsonBody") -> bool:
    """Return whether a model has no key of its own."""
    return any(_parameters(model).get(SECRET) is None for model in cast("list[JsonBody]", body.get("models") or []))


def model_deployments(body: "JsonBody", open_body: "Callable[[], JsonBody]") -> "list[ModelDeployment]":
    """Return the models of a stored definition.

    Args:
        body: without secrets.
        open_body: returns it with its secrets; called only where a key is used.
    """
    models = cast("list[JsonBody]", body.get("models") or [])
    return [_deployment(_parameters(model), at, open_body) for at, model in enumerate(models)]


def _deployment(parameters: "JsonBody", at: int, open_body: "Callable[[], JsonBody]") -> ModelDeployment:
    def open_key() -> str | None:
        opened = cast("list[JsonBody]", open_body().get("models") or [])
        key = _parameters(opened[at]).get(SECRET) if at < len(opened) else None
        return key if isinstance(key, str) and key else None

    deployment = str(parameters.get("deploymentId"))
    return ModelDeployment(
        str(parameters.get("resourceUri")), deployment, str(parameters.get("modelName") or deployment), open_key
    )


def _keep(model: "JsonBody", before: "JsonBody") -> "JsonBody":
    sent, stored = _parameters(model), _parameters(before)
    # A GET returns no key, so that a client that puts back what it read sends none.
    if sent.get(SECRET) is not None or stored.get(SECRET) is None or _target(sent) != _target(stored):
        return model
    return {**model, MODEL_PARAMETERS: {**sent, SECRET: stored[SECRET]}}


def _parameters(model: "JsonBody") -> "JsonBody":
    return cast("JsonBody", model.get(MODEL_PARAMETERS) or {})


def _target(parameters: Mapping[str, object]) -> tuple[object, ...]:
    return _host(parameters.get("resourceUri")), parameters.get("deploymentId")


def _host(uri: object) -> tuple[str, str, int | None] | None:
    """Return scheme, host and port of an address that may get a key; None where it may not.

    Plain HTTP is for a model on the same machine.
    """
    try:
        parts = urlsplit(str(uri))
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    # Other parsers may read another host behind a user or a backslash, which would then get the key.
    if not host or "@" in parts.netloc or "\\" in parts.netloc:
        return None
    is_safe = parts.scheme == _HTTPS or (parts.scheme == "http" and host in _LOOPBACK)
    return (parts.scheme, host, port) if is_safe else None
