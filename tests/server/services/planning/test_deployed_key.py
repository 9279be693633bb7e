"""The key of the planner's model in a deployment: read from its secret, once, and never shown."""

from collections.abc import Mapping

import pytest
from botocore.session import get_session
from botocore.stub import Stubber

from groundwire.adapters.aws import clients
from groundwire.domain.errors import Unavailable
from groundwire.settings.environment import deployment_settings, read_settings
from groundwire.wiring.cloud.backends import cloud_backends
from groundwire.wiring.cloud.services import ApiFunction, build_api, build_authorizer, build_reading, build_sources
from tests.server.services.planning.conftest import FOLLOW_UP
from tests.support.models.model_service import KEY, ModelService

ARN = "arn:aws:secretsmanager:eu-central-1:1:secret:planner-AbCdEf"


def deployed(environment: Mapping[str, str]) -> ApiFunction:
    backends = cloud_backends(read_settings(environment), deployment_settings(environment))
    sources = build_sources(backends)
    return build_api(backends, build_authorizer(backends), build_reading(backends, sources), sources)


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> Stubber:
    """Secrets Manager, which answers what a test puts in and nothing else."""
    client = get_session().create_client(
        "secretsmanager", "eu-central-1", aws_access_key_id="test", aws_secret_access_key="test"
    )
    monkeypatch.setattr(clients, "secrets_manager", lambda: client)
    stubber = Stubber(client)
    stubber.activate()
    return stubber


def test_the_key_of_the_secret_is_read_once_and_sent(service: ModelService, secret: Stubber) -> None:
    secret.add_response("get_secret_value", {"SecretString": f'{{"key": "{KEY}"}}'}, {"SecretId": ARN})
    environment = service.environment(PLANNER_KEY="", PLANNER_SECRET=ARN)
    planner = deployed(environment).reading.query_planners.for_tenant("t_amber", ())
    for _ in range(2):
        assert planner.plan(FOLLOW_UP, 3).usage is not None
    assert [each.headers["authorization"] for each in service.requests] == [f"Bearer {KEY}"] * 2
    secret.assert_no_pending_responses()


@pytest.mark.parametrize("text", [KEY, "[]", '{"key": ""}', '{"key": 1}', "[" * 100_000])
def test_a_secret_of_another_form_leaves_the_rules_and_an_error_without_it(
    service: ModelService, secret: Stubber, text: str
) -> None:
    for _ in range(2):
        secret.add_response("get_secret_value", {"SecretString": text}, {"SecretId": ARN})
    services = deployed(service.environment(PLANNER_KEY="", PLANNER_SECRET=ARN))
    assert services.reading.query_planners.for_tenant("t_amber", ()).plan(FOLLOW_UP, 3).usage is None
    assert service.requests == []
    with pytest.raises(Unavailable) as refused:
        services.installation.planner_key()
    assert KEY not in str(refused.value)


def test_without_a_secret_there_is_no_key() -> None:
    assert deployed({}).installation.planner_key() is None
