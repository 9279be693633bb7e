"""One function of a deployment, under the runtime emulator instead of the account's: AWS's own client of the runtime
runs the built artifact, with the variables and the services that the deployed one has."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from tests.cloud.artifacts import Artifact
from tests.cloud.stack import Stack
from tests.engines import runtime
from tests.engines.ministack import Account


def variables(account: Account, stack: Stack, function: str) -> dict[str, str]:
    """What the template tells the function with this logical id, as the account has it."""
    physical = stack.resources[function]
    told = account.functions.get_function_configuration(FunctionName=physical)
    return dict(told.get("Environment", {}).get("Variables", {}))


@contextmanager
def function(
    account: Account, artifacts: Mapping[str, Artifact], name: str, told: Mapping[str, str]
) -> Generator[runtime.Function]:
    """The artifact with this logical id as a function, for as long as the block; Raises Absent."""
    artifact = artifacts[name]
    layers = [artifacts[layer].folder for layer in artifact.layers]
    services = {**account.credentials, "AWS_LAMBDA_FUNCTION_NAME": name}
    with runtime.running(artifact.folder, layers, {**services, **told}, artifact.handler) as running:
        yield running
