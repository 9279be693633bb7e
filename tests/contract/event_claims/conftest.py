from collections.abc import Generator
from contextlib import nullcontext

import pytest
from moto import mock_aws

from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
from groundwire.ports import EventClaims
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place


def opened(url: str | None) -> EventClaims:
    return DynamoEventClaims(dynamodb.client(url), dynamo_place(url).tables.documents)


@pytest.fixture
def claims(dynamodb_url_or_moto: str | None) -> Generator[EventClaims]:
    """Claims of one process."""
    with mock_aws() if dynamodb_url_or_moto is None else nullcontext():
        yield opened(dynamodb_url_or_moto)


@pytest.fixture
def shared_claims(dynamodb_url: str) -> EventClaims:
    """Where callers can be many."""
    return opened(dynamodb_url)
