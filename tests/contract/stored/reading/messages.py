"""Answers of the functions to messages, orders and contexts."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from groundwire.adapters.onnx.models.manifest import ModelManifest
from groundwire.domain.errors import NotFound
from groundwire.domain.passages.embedding_request import WARM_UP_EVENT, decode_response, parse_request
from groundwire.domain.search.model_languages import ALL_LANGUAGES
from groundwire.entry.functions.ingestion import parse_task
from groundwire.entry.http.authorizer_context import decision_from_event, to_context
from groundwire.ports import ModelId, Vector
from groundwire.services.object_events.embedding_cache import CachingEmbedders
from groundwire.services.object_events.tasks import to_message

from .fixture import Fixture

_MODEL = ModelId("hashed-words", 64)


def read_messages(fixture: Fixture) -> dict[str, Any]:
    """Return the facts of the stored messages, by their receiver."""
    messages = fixture.json("messages")
    reported = {**messages["ingestion"], **messages["events"]}
    return {
        "ingestion": {name: _task(body) for name, body in reported.items()},
        "sweeps": json.loads(messages["operator_queue"]),
        "embedding": _embedding(messages["embedding"]),
        "embedded_again": _embedded_again(messages["work"]),
        "built_model": _built(fixture),
    }


def read_contexts(fixture: Fixture) -> dict[str, Any]:
    """Write the context anew from what a handler reads of it."""
    return {
        name: to_context(decision_from_event(_event(reported))) for name, reported in fixture.json("contexts").items()
    }


def _event(reported: Mapping[str, str]) -> dict[str, object]:
    return {"requestContext": {"authorizer": {"lambda": reported}}}


def _task(body: str) -> Any:
    """Write the message anew from the task that it was read as."""
    task = parse_task(body)
    return None if task is None else json.loads(to_message(task))


def _embedding(reported: Mapping[str, Any]) -> dict[str, Any]:
    call = parse_request(reported["call"])
    vectors = decode_response(reported["answer"], _MODEL.name, _MODEL.dimension, len(call.texts))
    return {
        "call": call.to_event(),
        "vectors": [_digest(each) for each in vectors],
        "warm": reported["warm"] == WARM_UP_EVENT,
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


class _Blobs:
    """Holds the vectors of one piece of work."""

    def __init__(self, key: str, content: bytes) -> None:
        self._held = {key: content}

    def get(self, tenant: str, key: str) -> bytes:
        if key not in self._held:
            raise NotFound(key)
        return self._held[key]

    def delete(self, tenant: str, key: str) -> None:
        self._held.pop(key, None)


class _Counting:
    """Embedder that counts its calls; none is expected."""

    model = _MODEL
    languages = ALL_LANGUAGES

    def __init__(self) -> None:
        self.requested: list[str] = []

    @property
    def default(self) -> "_Counting":
        return self

    def for_model(self, model: ModelId) -> "_Counting":
        return self

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        self.requested += texts
        return [b"\0" * 4 * _MODEL.dimension for _ in texts]


def _embedded_again(work: Mapping[str, str]) -> list[str]:
    """Texts whose vectors a repeated attempt does not find."""
    embedder = _Counting()
    blobs: Any = _Blobs(work["key"], base64.b64decode(work["content"]))
    remembering = CachingEmbedders(embedder, blobs)
    with remembering.cache_for("t-acme", "handbook/pumps.md", lambda: False):
        remembering.default.embed(["a pump", "a valve"], "passage")
    return embedder.requested


def _built(fixture: Fixture) -> list[object]:
    model = ModelManifest.from_json((fixture.folder / "built-model.json").read_bytes())
    source = [model.source.package, model.source.wheel_sha256, model.source.weights_sha256]
    prefixes = [model.prefix("query"), model.prefix("passage")]
    return [model.name, model.dimension, model.max_tokens, model.pooling, model.licence, source, prefixes, model.files]
