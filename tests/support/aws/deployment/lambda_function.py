"""One function of a deployment, under the runtime emulator instead of the account's: AWS's own client of the runtime
runs the built artifact, with the variables and the services that the deployed one has."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.deployment.stack import Stack
from tests.support.engines import lambda_runtime
from tests.support.engines.ministack import Account


def variables(account: Account, stack: Stack, function: str) -> dict[str, str]:
    """Return the environment variables of the function with this logical id, as the account stores them."""
    physical = stack.resources[function]
    configuration = account.functions.get_function_configuration(FunctionName=physical)
    return dict(configuration.get("Environment", {}).get("Variables", {}))


@contextmanager
def function(
    account: Account, artifacts: Mapping[str, Artifact], name: str, variables: Mapping[str, str]
) -> Generator[lambda_runtime.Function]:
    """The artifact with this logical id as a function, for as long as the block; Raises Absent."""
    artifact = artifacts[name]
    layers = [artifacts[layer].folder for layer in artifact.layers]
    services = {**account.credentials, "AWS_LAMBDA_FUNCTION_NAME": name}
    with lambda_runtime.running(artifact.folder, layers, {**services, **variables}, artifact.handler) as running:
        yield running
