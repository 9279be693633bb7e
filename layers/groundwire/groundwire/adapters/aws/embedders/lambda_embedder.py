"""Embedders that invoke the embedding function; messages as in `domain.passages.embedding_request`, vectors checked."""

import json
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.adapters.aws.embedders.model_retry import (
    NotRetryable,
    Pause,
    attempt_timeout_seconds,
    retry_once,
)
from groundwire.domain.errors import Unavailable
from groundwire.domain.passages.embedding_request import (
    WARM_UP_EVENT,
    EmbeddingKind,
    EmbeddingRequest,
    ImageQueryRequest,
    ThumbnailRequest,
    batch_image_queries,
    batch_requests,
    batch_thumbnails,
    decode_response,
)
from groundwire.domain.search.model_languages import ModelLanguages, stated_languages
from groundwire.ports import ModelId, Vector

if TYPE_CHECKING:
    from types_boto3_lambda import LambdaClient
    from types_boto3_lambda.type_defs import InvocationResponseTypeDef

_RETRY_S: Final = 5
_PERMANENT_ERRORS: Final = frozenset({"AccessDeniedException", "ResourceNotFoundException"})


class _EmbeddingFunction:
    """The function behind both embedders, for vectors of one model."""

    def __init__(
        self, make_client: "Callable[[float], LambdaClient]", function: str, model: ModelId, pause: Pause
    ) -> None:
        self._make_client = make_client
        self._function = function
        self._pause = pause
        self._clients: dict[EmbeddingKind, LambdaClient] = {}
        self.model = model

    def vectors(
        self, call: EmbeddingRequest | ImageQueryRequest | ThumbnailRequest, count: int, kind: EmbeddingKind
    ) -> list[Vector]:
        """Return the vectors of a request for `count` inputs; the kind decides how long an attempt may take."""
        payload = json.dumps(call.to_event(), ensure_ascii=False).encode()
        content = retry_once(lambda: self._invoke(payload, kind), self._pause)
        try:
            return decode_response(json.loads(content), self.model.name, self.model.dimension, count)
        except ValueError as wrong:
            raise Unavailable(f"The embedding function did not return what is expected: {wrong}.") from wrong

    def warm(self) -> None:
        """Send the warm-up event without waiting for the response."""
        try:
            self._client("query").invoke(
                FunctionName=self._function, InvocationType="Event", Payload=json.dumps(WARM_UP_EVENT).encode()
            )
        except (BotoCoreError, ClientError) as error:
            raise _unavailable(error) from error

    def _invoke(self, payload: bytes, kind: EmbeddingKind) -> bytes:
        try:
            answer = self._client(kind).invoke(FunctionName=self._function, Payload=payload)
            content = answer["Payload"].read()
        except (BotoCoreError, ClientError) as error:
            raise _unavailable(error) from error
        if "FunctionError" in answer:
            raise _function_error(answer, content)
        return content

    def _client(self, kind: EmbeddingKind) -> "LambdaClient":
        if kind not in self._clients:
            self._clients[kind] = self._make_client(attempt_timeout_seconds(kind))
        return self._clients[kind]


class LambdaEmbedder:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(
        self, client: "Callable[[float], LambdaClient]", function: str, model: ModelId, pause: Pause = time.sleep
    ) -> None:
        """Configure the function and the model it must answer with.

        Args:
            client: makes a client with this read timeout in seconds.
            function: ARN of a published alias; only a published version has a snapshot to start from.
            model: the expected name and dimension.
            pause: runs before a second attempt.
        """
        self._function = _EmbeddingFunction(client, function, model, pause)

    @property
    def model(self) -> ModelId:
        """The configured model; no call is made."""
        return self._function.model

    @property
    def languages(self) -> ModelLanguages:
        """Languages that the model's name implies; no call is made."""
        return stated_languages(self._function.model.name)

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """Return one vector per text, in order; splits the texts by the function's limits.

        Raises:
            Unavailable: the function does not answer, or answers with other vectors than configured.
        """
        calls = batch_requests(_encodable(texts), kind)
        return [vector for call in calls for vector in self._function.vectors(call, len(call.texts), call.kind)]

    def warm(self) -> None:
        """Tell the function to load its model, without waiting for it.

        Raises:
            Unavailable: the function does not accept the event.
        """
        self._function.warm()


class LambdaImageEmbedder:
    """Implements `ports.ImageEmbedder` by the image model of the embedding function; safe to share between threads."""

    def __init__(
        self, client: "Callable[[float], LambdaClient]", function: str, model: ModelId, pause: Pause = time.sleep
    ) -> None:
        """Configure the function and the image model it must answer with; arguments as of `LambdaEmbedder`."""
        self._function = _EmbeddingFunction(client, function, model, pause)

    @property
    def model(self) -> ModelId:
        """The configured model; no call is made."""
        return self._function.model

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector per text, in order; splits the texts by the function's limits.

        Raises:
            Unavailable: the function does not answer, or answers with other vectors than configured.
        """
        calls = batch_image_queries(_encodable(texts))
        return [vector for call in calls for vector in self._function.vectors(call, len(call.texts), "query")]

    def embed_images(self, thumbnails: Sequence[bytes]) -> list[Vector]:
        """Return one vector per thumbnail, in order; splits the thumbnails by the function's limits.

        Raises:
            InvalidInput: a thumbnail is not of THUMBNAIL_BYTES bytes.
            Unavailable: the function does not answer, or answers with other vectors than configured.
        """
        calls = batch_thumbnails(thumbnails)
        return [vector for call in calls for vector in self._function.vectors(call, len(call.thumbnails), "passage")]


def _encodable(texts: Sequence[str]) -> list[str]:
    """Return the texts with a question mark for each lone surrogate, which cannot be sent."""
    return [text.encode("utf-8", "replace").decode() for text in texts]


def _unavailable(error: BotoCoreError | ClientError) -> Unavailable:
    code = error.response.get("Error", {}).get("Code") if isinstance(error, ClientError) else type(error).__name__
    kind = NotRetryable if code in _PERMANENT_ERRORS else Unavailable
    return kind(f"The embedding function does not answer ({code}). Check its alias, its role and its log.", _RETRY_S)


def _function_error(answer: "InvocationResponseTypeDef", content: bytes) -> Unavailable:
    try:
        failure = json.loads(content)
        cause = f"{failure['errorType']}: {failure['errorMessage']}"
    except (ValueError, KeyError, TypeError):
        cause = answer.get("FunctionError", "")
    return Unavailable(f"The embedding function failed ({cause}).", _RETRY_S)
