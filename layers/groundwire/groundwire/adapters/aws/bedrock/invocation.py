"""InvokeModel calls of Bedrock: JSON in, JSON out, and Bedrock's errors as domain errors."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, cast

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from groundwire.adapters.aws.embedders.model_retry import NotRetryable, Pause, retry_once
from groundwire.domain.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient

_JSON: Final = "application/json"
_RETRY_S: Final = 5
_REFUSED_RETRY_S: Final = 30
_PERMANENT_ERRORS: Final = frozenset({"AccessDeniedException", "ResourceNotFoundException", "ValidationException"})
"""Error codes that a repeat does not change: the model is missing, not allowed, or refuses the request's form."""

JsonObject = Mapping[str, object]


class BedrockModel:
    """One model, invoked with one retry."""

    def __init__(self, client: "Callable[[], BedrockRuntimeClient]", model_id: str, pause: Pause) -> None:
        self._make_client = client
        self._model_id = model_id
        self._pause = pause
        self._client: BedrockRuntimeClient | None = None

    def connect(self) -> None:
        """Make the client, before threads share it."""
        self._client = self._client or self._make_client()

    def invoke(self, body: JsonObject) -> JsonObject:
        """Return the model's answer.

        Raises:
            Unavailable: the model does not answer, or answers no JSON object.
            InvalidInput: the text is no model id.
        """
        self.connect()
        payload = json.dumps(body, ensure_ascii=False).encode()
        content = retry_once(lambda: self._invoke_once(payload), self._pause)
        try:
            answer = json.loads(content)
        except ValueError as broken:
            raise self.malformed_answer() from broken
        if not isinstance(answer, dict):
            raise self.malformed_answer()
        return cast("JsonObject", answer)

    def malformed_answer(self) -> Unavailable:
        """Return the error for an answer that does not follow the model's documentation."""
        return Unavailable(f"The answer of the model {self._model_id} does not have the documented form.", _RETRY_S)

    def _invoke_once(self, payload: bytes) -> bytes:
        client = self._client or self._make_client()
        try:
            answer = client.invoke_model(modelId=self._model_id, body=payload, contentType=_JSON, accept=_JSON)
            return answer["body"].read()
        # Before `BotoCoreError`, its base class.
        except ParamValidationError as wrong:
            raise InvalidInput(f"{self._model_id} is not a valid model id: {wrong}") from wrong
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code"))
            if code in _PERMANENT_ERRORS:
                raise NotRetryable(
                    f"Bedrock refuses {self._model_id} ({code}): check the model's id and region, and that the role"
                    " may invoke it.",
                    _REFUSED_RETRY_S,
                ) from error
            raise self._unavailable(code) from error
        except BotoCoreError as error:
            raise self._unavailable(type(error).__name__) from error

    def _unavailable(self, cause: str) -> Unavailable:
        return Unavailable(f"The model {self._model_id} does not answer ({cause}). Try again soon.", _RETRY_S)
