"""Reranking model of Bedrock: Cohere's or Amazon's, by model id.

Both take `query`, `documents` and `top_n`; Cohere's also requires `api_version`, which Amazon's refuses. Both answer
`results` with `index` and `relevance_score`, best first.
"""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from groundwire.adapters.aws.bedrock.invocation import BedrockModel
from groundwire.adapters.aws.embedders.model_retry import Pause, attempt_timeout_seconds
from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient

_COHERE: Final = re.compile(r"(?:arn:[^/]+/)?cohere\.rerank-v3-5:\d+")
_AMAZON: Final = re.compile(r"(?:arn:[^/]+/)?amazon\.rerank-v1:\d+")
_COHERE_API: Final = 2


class BedrockReranker:
    """Implements `ports.Reranker`; safe to share between threads."""

    def __init__(
        self, client: "Callable[[float], BedrockRuntimeClient]", model_id: str, pause: Pause = time.sleep
    ) -> None:
        """Choose the request format by the model id.

        Raises:
            InvalidInput: no format is known for this model id.
        """
        if not (_COHERE.fullmatch(model_id) or _AMAZON.fullmatch(model_id)):
            raise InvalidInput(
                f"{model_id} is not a supported reranker of Bedrock. Supported: cohere.rerank-v3-5:0 and "
                "amazon.rerank-v1:0."
            )
        self._name = model_id
        self._sends_api_version = _COHERE.fullmatch(model_id) is not None
        self._model = BedrockModel(lambda: client(attempt_timeout_seconds("query")), model_id, pause)

    @property
    def name(self) -> str:
        """Model id."""
        return self._name

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return the relevance of each passage, in their order.

        Raises:
            Unavailable: the model does not answer, or its answer is malformed.
            InvalidInput: the configured text is no model id.
        """
        if not passages:
            return []
        version = {"api_version": _COHERE_API} if self._sends_api_version else {}
        answer = self._model.invoke({"query": query, "documents": list(passages), "top_n": len(passages), **version})
        try:
            results = cast("Sequence[Mapping[str, Any]]", answer["results"])
            scores = {int(each["index"]): float(each["relevance_score"]) for each in results}
            # The answer is in the order of the scores; a passage that it lacks raises KeyError.
            return [scores[position] for position in range(len(passages))]
        except (KeyError, TypeError, ValueError) as broken:
            raise self._model.malformed_answer() from broken
