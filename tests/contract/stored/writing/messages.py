"""Messages of the queues, orders, and what the functions send each other."""

import base64
import json
from contextlib import suppress
from typing import Any, Final

import boto3
from moto import mock_aws

from groundwire.adapters.aws.sqs import SqsWorkQueue, TenantSweepQueue
from groundwire.domain.errors import Conflict, NotFound
from groundwire.domain.passages.embedding_request import WARM_UP_EVENT, EmbeddingRequest, encode_response
from groundwire.ports import ModelId
from groundwire.services.object_events.embedding_cache import CachingEmbedders
from groundwire.services.object_events.tasks import (
    ObjectChanged,
    ReconcileStale,
    SidecarChange,
    UpdateSubtree,
    to_message,
)
from tests.contract.stored.reading.sidecars import MOMENT, environment
from tests.contract.stored.writing.items import REGION
from tests.support.models.hashed_words import OnlyHashedWords

TASKS: Final = {
    "file": ObjectChanged("t-acme", "handbook/pumps.md", "0066F0A1B2C3D4E5F6", MOMENT),
    "file_again": ObjectChanged("t-acme", "handbook/größe.md", None, MOMENT, 2),
    "beneath_policy": UpdateSubtree("t-acme", "handbook/", SidecarChange.POLICY, ""),
    "beneath_metadata": UpdateSubtree(
        "t-acme", "handbook/board/", SidecarChange.METADATA, "handbook/board/a.md", "handbook/z", 1
    ),
    "sweep_all": ReconcileStale(None),
    "sweep": ReconcileStale("t-acme"),
}


def write_messages() -> dict[str, Any]:
    """By what reads them."""
    return {
        "ingestion": _sent({name: to_message(task) for name, task in TASKS.items()}),
        "events": {
            "created": _event("Object Created", "tenants/t-acme/handbook/pumps.md"),
            "deleted": _event("Object Deleted", "tenants/t-acme/handbook/board/größe.md"),
            "schedule": json.dumps({"sweep": True}),
        },
        "operator_queue": _swept(),
        "embedding": _embedding(),
        "work": _work(),
    }


def _sent(messages: dict[str, str]) -> dict[str, str]:
    """Send the messages, and return those that the queue gives out."""
    with mock_aws(), _access():
        sqs: Any = boto3.client("sqs")  # pyright: ignore[reportUnknownMemberType]
        url = sqs.create_queue(QueueName="ingestion")["QueueUrl"]
        SqsWorkQueue(sqs, url).send([*messages.values()], 0)
        received = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
        bodies = {each["Body"] for each in received}
    return {name: text for name, text in messages.items() if text in bodies}


def _swept() -> str:
    with mock_aws(), _access():
        sqs: Any = boto3.client("sqs")  # pyright: ignore[reportUnknownMemberType]
        url = sqs.create_queue(QueueName="sweeps")["QueueUrl"]
        sent: list[str] = []

        def note(params: Any, **_more: Any) -> None:
            sent.append(str(params["MessageBody"]))

        # It cannot be received for a quarter of an hour.
        sqs.meta.events.register("provide-client-params.sqs.SendMessage", note)
        TenantSweepQueue(sqs, url).send("t_0123456789abcdef")
    return sent[0]


def _access() -> Any:
    return environment(AWS_ACCESS_KEY_ID="local", AWS_SECRET_ACCESS_KEY="local", AWS_DEFAULT_REGION=REGION)


def _event(kind: str, key: str) -> str:
    """Return an event of S3 as EventBridge sends it."""
    stored = {"key": key, "size": 48_213, "etag": "0123456789abcdef", "sequencer": "0066F0A1B2C3D4E5F6"}
    detail = {"version": "0", "bucket": {"name": "groundwire-documents"}, "object": stored}
    reported = {
        "version": "0",
        "detail-type": kind,
        "source": "aws.s3",
        "time": "2026-10-01T12:00:00Z",
        "detail": detail,
    }
    return json.dumps(reported)


def _embedding() -> dict[str, Any]:
    model = ModelId("hashed-words", 64)
    vectors = OnlyHashedWords().for_model(model).embed(["a pump", "a valve"], "passage")
    return {
        "call": EmbeddingRequest(["a pump", "a valve"], "passage").to_event(),
        "answer": encode_response(model.name, model.dimension, vectors),
        "warm": dict(WARM_UP_EVENT),
    }


class _Blobs:
    """Keeps what is put, in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, tenant: str, key: str, content: bytes) -> None:
        self.kept[key] = content

    def get(self, tenant: str, key: str) -> bytes:
        raise NotFound(key)


def _work() -> dict[str, str]:
    """Vectors that an attempt at a piece of work left, by the name under which the next one finds them."""
    blobs: Any = _Blobs()
    embedders: Any = OnlyHashedWords()
    with suppress(Conflict):
        _attempt(CachingEmbedders(embedders, blobs))
    [(key, content)] = blobs.kept.items()
    return {"key": key, "content": base64.b64encode(content).decode()}


def _attempt(embedders: CachingEmbedders) -> None:
    """Something else was changed meanwhile."""
    with embedders.cache_for("t-acme", "handbook/pumps.md", lambda: False):
        embedders.default.embed(["a pump", "a valve"], "passage")
        raise Conflict("changed meanwhile")
