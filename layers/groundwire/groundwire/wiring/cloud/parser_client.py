"""Client of the parser function, for the functions that have files parsed or pages drawn."""

from typing import TYPE_CHECKING

from groundwire.adapters.aws.clients import lambda_functions, s3
from groundwire.adapters.aws.parser_function import FunctionParsers
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.parse.function.messages import read_isolation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.wiring.cloud.deployment_settings import DeploymentSettings


def parser_client(deployment: "DeploymentSettings", wait_seconds: float, languages: "Sequence[str]") -> FunctionParsers:
    """Return the client.

    Args:
        deployment: settings of the function that calls.
        wait_seconds: longest wait for the parser function.
        languages: of its text recognition; empty without one.

    Raises:
        InvalidInput: a setting is missing or invalid.
    """
    return FunctionParsers(
        lambda_functions(wait_seconds),
        deployment.require("PARSER_FUNCTION"),
        read_isolation(deployment.require("PARSER_ISOLATION")),
        Bucket(s3(), deployment.require("BUCKET")),
        languages,
    )
