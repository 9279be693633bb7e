"""Deployments and servers that are administered from this machine."""

from typing import TYPE_CHECKING

from groundwire.wiring.external_backends import require_extra

if TYPE_CHECKING:
    from groundwire.adapters.aws.operator_function import OperatorFunction
    from groundwire.adapters.remote.rest_client import RestClient


def operator_client(name: str, region: str | None) -> "OperatorFunction":
    """The operator function of a stack; Raises Unavailable where this installation cannot reach AWS."""
    with require_extra("aws", "--stack"):
        from groundwire.adapters.aws.operator_function import OperatorFunction
    return OperatorFunction(name, region)


def rest_client(url: str, key: str) -> "RestClient":
    """The REST API at this address, called with this key; Raises Invalid."""
    from groundwire.adapters.remote.rest_client import RestClient

    return RestClient(url, key)


def post_upload_form(url: str, fields: dict[str, str], content: bytes) -> None:
    """The content goes where an upload ticket says; Raises Denied, Unavailable."""
    from groundwire.adapters.remote.form_upload import post_file as post

    post(url, fields, content)
