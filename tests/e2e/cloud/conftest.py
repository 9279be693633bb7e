"""Fixtures for one deployment in each process: the unchanged template with the built functions."""

from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial

import pytest

from tests.e2e.cloud import embedding
from tests.e2e.cloud.deployment import Deployment
from tests.support.aws.deployment import artifacts
from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.deployment.stack import deploy, parameters
from tests.support.engines import ministack
from tests.support.engines.missing import Absent, answer


@pytest.fixture(scope="session")
def built() -> Mapping[str, Artifact]:
    """Functions and layers, for this machine."""
    try:
        return artifacts.build()
    except Absent as absent:
        answer(absent)


@contextmanager
def deploying(built: Mapping[str, Artifact], index: str, **chosen: str) -> Generator[Deployment]:
    """The stack with these parameters, with a real index and a running embedding function."""
    with ExitStack() as stack:
        try:
            invocations = stack.enter_context(embedding.serving(built["GroundwireLayer"]))
            # More exact than the address of everything, which functions are told otherwise.
            account = stack.enter_context(ministack.running({"AWS_ENDPOINT_URL_LAMBDA": invocations.url}))
        except Absent as absent:
            answer(absent)
        made = deploy(account, built.values(), {**parameters(index), **chosen})
        deployed = Deployment(account, made, invocations)
        invocations.stack = made
        # It runs in the account, with its role; the embedding function alone runs elsewhere.
        invocations.others["SourcesFunction"] = partial(deployed.invoked, "SourcesFunction")
        invocations.others["ParserFunction"] = partial(deployed.answered, "ParserFunction")
        yield deployed
        deployed.http.close()
        assert invocations.refused == []


@pytest.fixture(scope="session")
def deployment(built: Mapping[str, Artifact], opensearch_url: str) -> Generator[Deployment]:
    """The stack with the template's defaults."""
    with deploying(built, opensearch_url) as deployed:
        yield deployed
