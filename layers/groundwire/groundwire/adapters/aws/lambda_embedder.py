"""Embedder that invokes the embedding function; messages as in `domain.embedding_request`, vectors checked."""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.adapters.aws.model_retry import NotRetryable, Pause, attempt_timeout_seconds, random_pause, retry_once
from groundwire.domain.embedding_request import (
    WARM_UP_EVENT,
    EmbeddingKind,
    EmbeddingRequest,
    batch_requests,
    decode_response,
)
from groundwire.domain.errors import Unavailable
from groundwire.domain.search.model_languages import ModelLanguages, stated_languages
from groundwire.ports import ModelId, Vector

if TYPE_CHECKING:
    from types_boto3_lambda import LambdaClient
    from types_boto3_lambda.type_defs import InvocationResponseTypeDef

_RETRY_S: Final = 5
_PERMANENT_ERRORS: Final = frozenset({"AccessDeniedException", "ResourceNotFoundException"})


class LambdaEmbedder:
    """Implements `ports.Embedder`; safe to share between threads."""

    def __init__(
        self, client: "Callable[[float], LambdaClient]", function: str, model: ModelId, pause: Pause = random_pause
    ) -> None:
        """Configure the function and the model it must answer with.

        Args:
            client: makes a client with this read timeout in seconds.
            function: ARN of a published alias; only a published version has a snapshot to start from.
            model: the expected name and dimension.
            pause: runs before a second attempt.
        """
        self._make_client = client
        self._function = function
        self._model = model
        self._pause = pause
        self._clients: dict[EmbeddingKind, LambdaClient] = {}

    @property
    def model(self) -> ModelId:
        """The configured model; no call is made."""
        return self._model

    @property
    def languages(self) -> ModelLanguages:
        """Languages that the model's name implies; no call is made."""
        return stated_languages(self._model.name)

    def embed(self, texts: Sequence[str], kind: EmbeddingKind) -> list[Vector]:
        """Return one vector per text, in order; splits the texts by the function's limits.

        Raises:
            Unavailable: the function does not answer, or answers with other vectors than configured.
        """
        # A lone surrogate cannot be sent: a question mark replaces it.
        encodable = [text.encode("utf-8", "replace").decode() for text in texts]
        return [vector for call in batch_requests(encodable, kind) for vector in self._vectors(call)]

    def warm(self) -> None:
        """Tell the function to load its model, without waiting for it.

        Raises:
            Unavailable: the function does not accept the event.
        """
        try:
            self._client("query").invoke(
                FunctionName=self._function, InvocationType="Event", Payload=json.dumps(WARM_UP_EVENT).encode()
            )
        except (BotoCoreError, ClientError) as error:
            raise _unavailable(error) from error

    def _vectors(self, call: EmbeddingRequest) -> list[Vector]:
        payload = json.dumps(call.to_event(), ensure_ascii=False).encode()
        content = retry_once(lambda: self._invoke(payload, call.kind), self._pause)
        try:
            return decode_response(json.loads(content), self._model.name, self._model.dimension, len(call.texts))
        except ValueError as wrong:
            raise Unavailable(f"The embedding function does not give what is expected: {wrong}.") from wrong

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


def _unavailable(error: BotoCoreError | ClientError) -> Unavailable:
    code = error.response.get("Error", {}).get("Code") if isinstance(error, ClientError) else type(error).__name__
    kind = NotRetryable if code in _PERMANENT_ERRORS else Unavailable
    return kind(f"The embedding function does not answer ({code}): look at its alias, its role and its log.", _RETRY_S)


def _function_error(answer: "InvocationResponseTypeDef", content: bytes) -> Unavailable:
    try:
        failure = json.loads(content)
        cause = f"{failure['errorType']}: {failure['errorMessage']}"
    except (ValueError, KeyError, TypeError):
        cause = answer.get("FunctionError", "")
    return Unavailable(f"The embedding function failed ({cause}).", _RETRY_S)
