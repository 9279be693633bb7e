"""What a stack makes, in this process: tables, secret, log and queue of moto, an index and files in a folder."""

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import boto3
import pytest
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.local.blobs import FileBlobs
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.entry.gateway.lambda_runtime import load_function
from groundwire.entry.gateway.template import FunctionSpec
from tests.support.aws import buckets
from tests.support.aws.template import tables
from tests.support.engines import dynamodb
from tests.support.models.two_models import TwoModels
from tests.support.worlds.exchange import exchange

if TYPE_CHECKING:
    from groundwire.wiring.cloud.services import ApiFunction

GROUP: Final = "audit"
URL: Final = "https://groundwire.example"
_FUNCTION: Final = FunctionSpec(
    name="OperatorFunction",
    file=Path(__file__).parents[3] / "functions" / "operator" / "app.py",
    attribute="handler",
    timeout_s=900,
    memory_mb=1024,
)
_TABLES: Final = {
    "KEYS_TABLE": "KeysTable",
    "USERS_TABLE": "UsersTable",
    "DOCUMENTS_TABLE": "DocumentsTable",
    "SESSIONS_TABLE": "SessionsTable",
}


@dataclass(frozen=True)
class Stack:
    """The operator function, invoked as by somebody whom IAM lets, and what it works on."""

    variables: Mapping[str, str]
    folder: Path
    models: TwoModels

    @property
    def services(self) -> "ApiFunction":
        return wiring.cloud_services()

    def invoke(self, event: object) -> dict[str, Any]:
        """The answer, as it comes back through Lambda."""
        answer = load_function(_FUNCTION).invoke(json.loads(json.dumps(event)))
        return dict(json.loads(json.dumps(answer)))

    def done(self, action: str, **fields: object) -> dict[str, Any]:
        """The answer to an order that is carried out."""
        answer = self.invoke({"action": action, **fields})
        assert answer.get("ok") is True, answer
        return answer

    def refused(self, action: str, **fields: object) -> dict[str, Any]:
        """Why an order is not carried out."""
        answer = self.invoke({"action": action, **fields})
        assert set(answer) == {"error"}, answer
        return dict(answer["error"])

    def queued(self) -> list[str]:
        """Bodies of the messages in the queue of sweeps, those that still wait included."""
        attributes = self._sqs.get_queue_attributes(
            QueueUrl=self.variables["SWEEP_QUEUE"], AttributeNames=["ApproximateNumberOfMessagesDelayed"]
        )["Attributes"]
        return ["delayed"] * int(attributes["ApproximateNumberOfMessagesDelayed"])

    def work(self) -> list[dict[str, Any]]:
        """Messages in the queue of files, taken out of it."""
        found = self._sqs.receive_message(QueueUrl=self.variables["QUEUE"], MaxNumberOfMessages=10)
        return [json.loads(each["Body"]) for each in found.get("Messages", [])]

    def audit_lines(self) -> list[dict[str, Any]]:
        """All of them, in order."""
        logs: Any = boto3.client("logs")  # pyright: ignore[reportUnknownMemberType]
        streams = logs.describe_log_streams(logGroupName=GROUP)["logStreams"]
        events = [
            event
            for stream in streams
            for event in logs.get_log_events(logGroupName=GROUP, logStreamName=stream["logStreamName"])["events"]
        ]
        return [json.loads(event["message"]) for event in events]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Everything in one of the tables, by the name of its variable."""
        return list(dynamodb.client(None).scan(TableName=self.variables[table])["Items"])

    @property
    def _sqs(self) -> Any:
        return boto3.client("sqs")  # pyright: ignore[reportUnknownMemberType]


@contextmanager
def opened_stack(folder: Path, patch: pytest.MonkeyPatch) -> Generator[Stack]:
    """A stack for as long as the block; nothing of it is found by the environment outside of the function."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        patch.setenv(name, "local")
    patch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with mock_aws(), buckets.bucket():
        variables = _made()
        with variables_set(variables, patch):
            services = wiring.cloud_services()
            models = TwoModels()
            exchange(
                services,
                indexes=EmbeddedIndexes(folder, models.default.model),
                image_indexes=EmbeddedIndexes(folder / "images", models.default.model),
                blobs=FileBlobs(folder),
                embedders=models,
            )
            yield Stack(variables, folder, models)
            for opened in (services.stores.indexes, services.stores.image_indexes):
                opened.close()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - as made above
    wiring.reset()


@contextmanager
def variables_set(variables: Mapping[str, str], patch: pytest.MonkeyPatch) -> Generator[None]:
    """Run the block as in a function whose environment names its stores."""
    wiring.reset()
    patch.setenv("AWS_LAMBDA_FUNCTION_NAME", "operator")
    patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    patch.delenv("GROUNDWIRE_HOME", raising=False)
    for name, value in variables.items():
        patch.setenv(f"GROUNDWIRE_{name}", value)
    yield


def _made() -> dict[str, str]:
    made = tables.create(dynamodb.client(None))
    boto3.client("logs").create_log_group(logGroupName=GROUP)  # pyright: ignore[reportUnknownMemberType]
    secret = boto3.client("secretsmanager").create_secret(  # pyright: ignore[reportUnknownMemberType]
        Name="secret", SecretString=json.dumps({"root": "r" * 43})
    )
    sqs = boto3.client("sqs")  # pyright: ignore[reportUnknownMemberType]
    queue, work = sqs.create_queue(QueueName="sweeps"), sqs.create_queue(QueueName="work")
    return {
        **{variable: made[logical_id] for variable, logical_id in _TABLES.items()},
        "AUDIT_LOG_GROUP": GROUP,
        "SECRET": secret["ARN"],
        "SWEEP_QUEUE": queue["QueueUrl"],
        "QUEUE": work["QueueUrl"],
        "BUCKET": buckets.NAME,
        "PUBLIC_URL": URL,
    }
