"""Deployments and servers that are administered from this machine."""

from typing import TYPE_CHECKING

from groundwire.wiring.services_of_aws import extra

if TYPE_CHECKING:
    from groundwire.adapters.aws.operator_function import OperatorFunction
    from groundwire.adapters.remote.service import Service


def stack(name: str, region: str | None) -> "OperatorFunction":
    """The operator function of a stack; Raises Unavailable where this installation cannot reach AWS."""
    with extra("aws", "--stack"):
        from groundwire.adapters.aws.operator_function import OperatorFunction
    return OperatorFunction(name, region)


def service(url: str, key: str) -> "Service":
    """The REST API at this address, called with this key; Raises Invalid."""
    from groundwire.adapters.remote.service import Service

    return Service(url, key)


def post_file(url: str, fields: dict[str, str], content: bytes) -> None:
    """The content goes where an upload ticket says; Raises Denied, Unavailable."""
    from groundwire.adapters.remote.form_post import post_file as post

    post(url, fields, content)
