from collections.abc import Generator

import pytest
from moto import mock_aws

from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
from groundwire.ports import EventClaims
from tests.support.engines import dynamodb
from tests.support.registry.backends import dynamo_place


def opened(url: str | None) -> EventClaims:
    return DynamoEventClaims(dynamodb.client(url), dynamo_place(url).tables.documents)


@pytest.fixture(params=["dynamodb", "moto"])
def deliveries(request: pytest.FixtureRequest) -> Generator[EventClaims]:
    if request.param == "dynamodb":
        yield request.getfixturevalue("shared_deliveries")
    else:
        with mock_aws():
            yield opened(None)


@pytest.fixture
def shared_deliveries(dynamodb_url: str) -> EventClaims:
    """Where callers can be many."""
    return opened(dynamodb_url)
