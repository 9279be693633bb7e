"""The ingestion function over the bucket, the queue and the tables of the template, in this process.

Index, embedder and parser are cheap ones; everything else is what is deployed.
"""

import json
import runpy
import secrets
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import boto3
import pytest
from moto import mock_aws

from groundwire import wiring
from groundwire.adapters.aws.s3.bucket import Bucket as OpenedBucket
from groundwire.adapters.aws.sqs import SqsWorkQueue
from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.domain.documents.record import Document
from groundwire.domain.errors import Unavailable
from groundwire.ports import DocumentVersion
from groundwire.wiring.cloud.services import IngestionFunction
from tests.support.aws import buckets
from tests.support.aws.template import tables
from tests.support.documents.mail_parser import Mails
from tests.support.engines import dynamodb
from tests.support.models.hashed_words import HashedWords, OnlyHashedWords
from tests.support.registry.records import tenant
from tests.support.worlds.exchange import exchange

if TYPE_CHECKING:
    from types_boto3_sqs import SQSClient

TENANT: Final = "t-acme"
RECEIVES: Final = 3
_APP: Final = Path(__file__).parents[3] / "functions" / "ingestion" / "app.py"
_TABLES: Final = {"KeysTable": "KEYS_TABLE", "UsersTable": "USERS_TABLE", "DocumentsTable": "DOCUMENTS_TABLE"}


@dataclass
class Context:
    """Lambda context with a scripted remaining time: the last entry is repeated for all later calls."""

    left_ms: list[int] = field(default_factory=lambda: [300_000])
    function_name: str = "ingestion"

    def get_remaining_time_in_millis(self) -> int:
        return self.left_ms.pop(0) if len(self.left_ms) > 1 else self.left_ms[0]


@dataclass
class Bucket:
    """The bucket, and the events that it sends, in order."""

    events: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    def put(self, path: str, content: bytes | str, *, of: str = TENANT, **metadata: str) -> dict[str, object]:
        raw = content.encode() if isinstance(content, str) else content
        named = {name.replace("_", "-"): value for name, value in metadata.items()}
        key = f"tenants/{of}/{path}"
        buckets.client().put_object(Bucket=buckets.NAME, Key=key, Body=raw, Metadata=named)
        return self._event("Object Created", key)

    def delete(self, path: str) -> dict[str, object]:
        key = f"tenants/{TENANT}/{path}"
        buckets.client().delete_object(Bucket=buckets.NAME, Key=key)
        return self._event("Object Deleted", key)

    def paths(self) -> list[str]:
        """Return the paths in the bucket, without those that ingestion itself stores."""
        listed = buckets.client().list_objects_v2(Bucket=buckets.NAME).get("Contents", [])
        return [each.get("Key", "") for each in listed if "/.blobs/" not in each.get("Key", "")]

    def work_left(self) -> list[str]:
        listed = buckets.client().list_objects_v2(Bucket=buckets.NAME).get("Contents", [])
        return [each.get("Key", "") for each in listed if "/.blobs/work" in each.get("Key", "")]

    def _event(self, kind: str, key: str) -> dict[str, object]:
        sequencer = f"{len(self.events) + 1:016X}"
        detail = {"bucket": {"name": buckets.NAME}, "object": {"key": key, "sequencer": sequencer}}
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.events.append({"detail-type": kind, "source": "aws.s3", "time": at, "detail": detail})
        return self.events[-1]


class Undelayed(SqsWorkQueue):
    """Nobody waits in a test."""

    def send(self, messages: Sequence[str], delay_s: int) -> None:
        assert 0 <= delay_s <= 900
        super().send(messages, 0)


@dataclass
class KeptLines:
    """Implements `AuditLog` by keeping the lines; the log group of a stack has tests of its own.

    Attributes:
        failures: number of the next lines that cannot be written.
    """

    lines: list[Mapping[str, object]] = field(default_factory=list[Mapping[str, object]])
    failures: int = 0

    def append(self, record: Mapping[str, object]) -> None:
        if self.failures:
            self.failures -= 1
            raise Unavailable("The audit log does not respond.", retry_after_s=1)
        self.lines.append(record)


@dataclass
class Deployment:
    services: IngestionFunction
    bucket: Bucket
    sqs: "SQSClient"
    queue: str
    audit: KeptLines

    def deliver(self, *events: Mapping[str, object], receives: int = 1, context: Context | None = None) -> list[str]:
        """The ids of the messages that failed: `0`, `1`, … in the order given."""
        records = [_record(str(number), json.dumps(event), receives) for number, event in enumerate(events)]
        answer: Any = _handler()({"Records": records}, context or Context())
        return [each["itemIdentifier"] for each in answer["batchItemFailures"]]

    def drain(self, context: Context | None = None) -> int:
        """Carries out what the function has sent to itself until nothing is left; returns how many messages."""
        done = 0
        while messages := self.sent():
            for message in messages:
                assert self.deliver(message, context=context) == []
                done += 1
        return done

    def sent(self) -> list[dict[str, Any]]:
        """Messages in the queue, delayed or not, taken out of it."""
        taken: list[dict[str, Any]] = []
        while found := self.sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10).get("Messages", []):
            for each in found:
                self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=each.get("ReceiptHandle", ""))
                taken.append(json.loads(each.get("Body", "")))
        return taken

    def documents(self) -> list[Document]:
        return self.services.stores.documents.all(TENANT, None)

    def document(self, name: str) -> Document:
        [found] = [each for each in self.documents() if each.source_file_name == name]
        return found

    def state(self) -> Mapping[str, tuple[object, ...]]:
        """All that an owner could see of the documents that live, and what answers: by path, without made-up ids."""
        index = self.services.stores.indexes.for_tenant(TENANT)
        living = self.documents()
        return {str(each.source_path): (each.state, each.policy, each.reason, self._texts(each)) for each in living} | {
            "rows": (index.count_rows() == sum(each.segments for each in living),)
        }

    def _texts(self, document: Document) -> tuple[str, ...]:
        version = DocumentVersion(document.doc_id, document.version)
        return tuple(each.text for each in self.services.stores.indexes.for_tenant(TENANT).segments(version))


@contextmanager
def deployed(folder: Path, patch: pytest.MonkeyPatch) -> Generator[Deployment]:
    """One deployment with one tenant."""
    with mock_aws(), buckets.bucket():
        client, names = dynamodb.client(None), tables.create(dynamodb.client(None))
        sqs = _sqs()
        queue = sqs.create_queue(QueueName=f"ingestion-{secrets.token_hex(4)}")["QueueUrl"]
        variables = {name: names[table] for table, name in _TABLES.items()} | {"SESSIONS_TABLE": names["SessionsTable"]}
        variables |= {"BUCKET": buckets.NAME, "QUEUE": queue, "MAX_RECEIVES": str(RECEIVES)}
        for name, value in variables.items():
            patch.setenv(f"GROUNDWIRE_{name}", value)
        patch.delenv("GROUNDWIRE_HOME", raising=False)
        wiring.reset()
        services = wiring.ingestion_services()
        indexes = EmbeddedIndexes(folder / "tenants", HashedWords.model)
        image_indexes = EmbeddedIndexes(folder / "images", HashedWords.model)
        exchange(services, embedders=OnlyHashedWords(), parser=Mails(), indexes=indexes, image_indexes=image_indexes)
        audit = KeptLines()
        exchange(
            services,
            audit=audit,
            work_queue=Undelayed(sqs, queue),
            _dynamodb=client,
            _bucket=OpenedBucket(buckets.client(), buckets.NAME),
        )
        services.stores.tenants.add(tenant(TENANT))
        yield Deployment(services, Bucket(), sqs, queue, audit)
        indexes.close()
        image_indexes.close()
        wiring.reset()


@cache
def _sqs() -> "SQSClient":
    return boto3.Session().client(
        "sqs", region_name=buckets.REGION, aws_access_key_id="local", aws_secret_access_key="local"
    )


@cache
def _handler() -> Any:
    return runpy.run_path(str(_APP))["handler"]


def _record(number: str, body: str, receives: int) -> dict[str, object]:
    return {"messageId": number, "body": body, "attributes": {"ApproximateReceiveCount": str(receives)}}
