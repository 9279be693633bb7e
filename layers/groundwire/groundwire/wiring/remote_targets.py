"""Clients of deployments and servers that this machine administers."""

from typing import TYPE_CHECKING

from groundwire.wiring.external_backends import require_extra

if TYPE_CHECKING:
    from groundwire.adapters.aws.operator_function import OperatorFunction
    from groundwire.adapters.remote.rest_client import RestClient


def operator_client(name: str, region: str | None) -> "OperatorFunction":
    """Return a client of a stack's operator function.

    Raises:
        Unavailable: the extra `aws` is not installed.
    """
    with require_extra("aws", "--stack"):
        from groundwire.adapters.aws.operator_function import OperatorFunction
    return OperatorFunction(name, region)


def rest_client(url: str, key: str) -> "RestClient":
    """Return a client of the REST API at this URL with this key.

    Raises:
        InvalidInput: the URL or the key is malformed.
    """
    from groundwire.adapters.remote.rest_client import RestClient

    return RestClient(url, key)


def post_upload_form(url: str, fields: dict[str, str], content: bytes) -> None:
    """Send the content with the form of an upload ticket.

    Raises:
        Forbidden: the store rejects the file.
        Unavailable: the store does not respond.
    """
    from groundwire.adapters.remote.form_upload import post_file as post

    post(url, fields, content)
