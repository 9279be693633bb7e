"""Clients of deployments and servers that this machine administers."""

from typing import TYPE_CHECKING

from groundwire.wiring.external_backends import require_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.adapters.aws.account.operator_function import OperatorFunction
    from groundwire.adapters.remote.rest_client import RestClient
    from groundwire.ports.account import DeployedStack, ProspectiveAccount
    from groundwire_mcp.transport.http import HttpResponse


def operator_client(name: str, region: str | None) -> "OperatorFunction":
    """Return a client of a stack's operator function.

    Raises:
        Unavailable: the extra `aws` is not installed.
    """
    with require_extra("aws", "--stack"):
        from groundwire.adapters.aws.account.operator_function import OperatorFunction
    return OperatorFunction(name, region)


def deployed_stack(name: str, region: str | None) -> "DeployedStack":
    """Return a view of a stack with the caller's AWS credentials.

    Raises:
        InvalidInput: there are no credentials.
        Unavailable: the extra `aws` is not installed.
    """
    with require_extra("aws", "--stack"):
        from groundwire.adapters.aws.account.clients import AccountClients
        from groundwire.adapters.aws.account.stack import CloudFormationStack
    clients = AccountClients(region)
    # At once, or each check would fail for the same reason.
    clients.require_credentials()
    return CloudFormationStack(name, clients)


def prospective_account(region: str | None) -> "ProspectiveAccount":
    """Return a view of the account of the caller's AWS credentials, before a deployment.

    Raises:
        Unavailable: the extra `aws` is not installed.
    """
    with require_extra("aws", "--before"):
        from groundwire.adapters.aws.account.clients import AccountClients
        from groundwire.adapters.aws.account.prospective import ProspectiveRegion
    return ProspectiveRegion(AccountClients(region))


def send_http(method: str, url: str, headers: "Mapping[str, str]", body: bytes | None) -> "HttpResponse":
    """Send one request and return its response of any status; redirects are not followed.

    Raises:
        InvalidInput: the URL is neither https nor on this machine.
        Unavailable: there is no response.
    """
    from groundwire.adapters.remote.http_client import send_request
    from groundwire_mcp.transport.http import HttpResponse

    response = send_request(method, url, headers, body)
    return HttpResponse(response.status, response.headers, response.body)


def service_address(url: str) -> str:
    """Return the address of a service without a slash at its end.

    Raises:
        InvalidInput: the address is malformed.
    """
    from groundwire.adapters.remote.http_client import checked_url

    return checked_url(url)


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
