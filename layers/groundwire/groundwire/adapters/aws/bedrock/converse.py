"""Planning models of Bedrock, by the Converse API; a tool's input is the structured output."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.adapters.egress_errors import as_unavailable
from groundwire.adapters.planning.plan_output import MalformedPlan, PlanOutput, token_count
from groundwire.adapters.planning.prompt import MAX_OUTPUT_TOKENS, SCHEMA, SCHEMA_NAME, PlanningPrompt
from groundwire.domain.errors import Unavailable
from groundwire_egress.bounded_calls import BoundedCalls
from groundwire_egress.messages import EgressError

if TYPE_CHECKING:
    from types_boto3_bedrock_runtime import BedrockRuntimeClient

_CALLS: Final = BoundedCalls("converse", most_pending=32, errors=(BotoCoreError, ClientError))
"""Calls with a time limit as a whole: that of botocore's client restarts with each byte."""
_TOOLS: Final[Any] = {
    "tools": [
        {
            "toolSpec": {
                "name": SCHEMA_NAME,
                "description": "Takes the queries of the search.",
                "inputSchema": {"json": SCHEMA},
            }
        }
    ],
    "toolChoice": {"tool": {"name": SCHEMA_NAME}},
}


class ConverseModel:
    """Model of Bedrock; implements `PlanningModel`.

    Args:
        make_client: returns a client with this read timeout in seconds.
        model_id: id of a model or of an inference profile.
    """

    def __init__(self, make_client: "Callable[[float], BedrockRuntimeClient]", model_id: str, seconds: float) -> None:
        self.name = self.deployment = model_id
        self._make_client = make_client
        self._seconds = seconds
        self._client: BedrockRuntimeClient | None = None

    def ask(self, prompt: PlanningPrompt, seconds: float, /) -> PlanOutput:
        """Return the output of the model, unchecked.

        Raises:
            Unavailable: Bedrock gives none in time.
        """
        try:
            return _output(_CALLS.run(lambda: self._converse(prompt), seconds))
        except EgressError as error:
            raise as_unavailable(error) from error
        except (TimeoutError, BotoCoreError, ClientError) as error:
            raise Unavailable(f"Bedrock does not answer ({type(error).__name__})") from error

    def _converse(self, prompt: PlanningPrompt) -> Mapping[str, Any]:
        # Made in the thread, since reading the service's description takes time; a second client does no harm.
        self._client = client = self._client or self._make_client(self._seconds)
        answer = client.converse(
            modelId=self.deployment,
            system=[{"text": prompt.instructions}],
            messages=[{"role": "user", "content": [{"text": prompt.conversation}]}],
            inferenceConfig={"maxTokens": MAX_OUTPUT_TOKENS},
            toolConfig=_TOOLS,
        )
        return cast("Mapping[str, Any]", answer)


def _output(answer: Mapping[str, Any]) -> PlanOutput:
    try:
        # After another reason, such as `max_tokens`, the input of the tool is cut off.
        if answer["stopReason"] != "tool_use":
            raise MalformedPlan("the output is not complete")
        content = cast("list[Mapping[str, Any]]", answer["output"]["message"]["content"])
        used = [each["toolUse"] for each in content if "toolUse" in each]
        [value] = [each["input"] for each in used if each["name"] == SCHEMA_NAME]
        usage = answer.get("usage")
    except (LookupError, TypeError, ValueError) as error:
        raise MalformedPlan("the answer has another form") from error
    return PlanOutput(value, token_count(usage, "inputTokens"), token_count(usage, "outputTokens"))
