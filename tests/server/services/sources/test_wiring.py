"""Which gateway a process gets, in the cloud and on one machine, and the function with no setting but its table."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
from groundwire.adapters.aws.lambda_sources import LambdaSources
from groundwire.domain.errors import InvalidInput
from groundwire.entry.gateway.lambda_runtime import load_function
from groundwire.entry.gateway.template import FunctionSpec
from groundwire.ports.definitions import DefinitionKind
from groundwire.ports.sources import SourceUnavailable
from groundwire.services.sources.guarded import GuardedSources
from groundwire.settings import environment
from groundwire.wiring.cloud.backends import cloud_backends
from groundwire.wiring.cloud.services import build_sources
from groundwire.wiring.local.services import open_home
from groundwire.wiring.use_cases.sources import SourceUseCases
from groundwire_egress.mcp_client.calls import SourceTarget
from tests.server.services.sources.conftest import Start
from tests.server.services.sources.function import ARN
from tests.support.aws.template import tables
from tests.support.engines import dynamodb
from tests.support.entry.mcp_servers.scripted_server import Script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from types_boto3_dynamodb import DynamoDBClient

ROOT = Path(__file__).parents[4]
FUNCTION = FunctionSpec("SourcesFunction", ROOT / "functions" / "sources" / "app.py", "handler", 25, 1024)


def cloud(**deployment: str) -> SourceUseCases:
    return build_sources(cloud_backends(environment.read_settings({}), deployment))


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> "Iterator[DynamoDBClient]":
    """An account in this process, in which the function gets its table and nothing else."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "sources")
    monkeypatch.delenv("GROUNDWIRE_HOME", raising=False)
    with mock_aws():
        client = dynamodb.client(None)
        monkeypatch.setenv("GROUNDWIRE_DOCUMENTS_TABLE", tables.create(client)["DocumentsTable"])
        wiring.reset()
        yield client
        client.close()
    wiring.reset()


def invoke() -> dict[str, Any]:
    """The response to the sample event."""
    event = json.loads((ROOT / "events" / "sources.json").read_text(encoding="utf-8"))
    answer: Any = load_function(FUNCTION).invoke(event)
    return dict(json.loads(answer))


def test_calls_of_a_deployment_leave_from_the_function_that_the_template_names() -> None:
    assert isinstance(cloud(SOURCES_FUNCTION=ARN).gateway, LambdaSources)


def test_calls_of_one_machine_leave_from_its_process(tmp_path: Path) -> None:
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(tmp_path / "home")}))
    assert isinstance(services.sources.gateway, GuardedSources)
    services.close()


def test_a_host_that_is_allowed_for_the_operators_services_stays_closed_to_sources(
    tmp_path: Path, start: Start
) -> None:
    server = start(Script())
    host = f"127.0.0.1:{server.port}"
    to = SourceTarget("t", "s", f"http://{host}/mcp", None)
    home = {"GROUNDWIRE_HOME": str(tmp_path)}
    planner = open_home(environment.read_settings({**home, "GROUNDWIRE_EGRESS_ALLOW": host}))
    with pytest.raises(SourceUnavailable):
        planner.sources.gateway.inspect(to)
    assert not server.raw
    sources = open_home(environment.read_settings({**home, "GROUNDWIRE_SOURCE_HOSTS": host}))
    assert sources.sources.gateway.inspect(to).declarations


def test_the_setting_is_one_of_a_deployment() -> None:
    assert environment.deployment_settings({"GROUNDWIRE_SOURCES_FUNCTION": ARN}) == {"SOURCES_FUNCTION": ARN}


def test_the_function_itself_calls_from_its_process_and_counts_in_the_partition_of_states(
    account: "DynamoDBClient",
) -> None:
    table = os.environ["GROUNDWIRE_DOCUMENTS_TABLE"]
    assert isinstance(wiring.cloud_services().sources.gateway, GuardedSources)
    assert invoke()["error"]["code"] == "source_unavailable"
    states = DynamoDefinitions(account, table).list_all("t_0123456789abcdef", DefinitionKind.SOURCE_STATE)
    assert [json.loads(each.body)["failures"] for each in states] == [1]
    rows = account.scan(TableName=table)["Items"]
    assert {str(row["tenant"]) for row in rows} == {"{'S': 'source-state#t_0123456789abcdef'}"}


@pytest.mark.usefixtures("account")
def test_a_function_without_its_table_names_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROUNDWIRE_DOCUMENTS_TABLE")
    with pytest.raises(InvalidInput, match="GROUNDWIRE_DOCUMENTS_TABLE"):
        invoke()
