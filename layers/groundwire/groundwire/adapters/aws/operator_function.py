"""The operator function of a stack, found by the stack's name and invoked with the caller's own credentials."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError
from botocore.session import get_session

from groundwire.domain.advice import COMMANDS
from groundwire.domain.errors import Denied, Invalid, NotFound, Problem, Unavailable
from groundwire.domain.problem_codes import problem_from

if TYPE_CHECKING:
    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_lambda import LambdaClient

_LOGICAL_ID: Final = "OperatorFunction"
# As long as the function may run; and once: an order that was lost on its way may have been carried out.
_CONFIG: Final = Config(connect_timeout=10, read_timeout=900, retries={"total_max_attempts": 1})
_LOOKING: Final = Config(connect_timeout=10, read_timeout=30, retries={"mode": "standard"})
_FORBIDDEN: Final = frozenset({"AccessDenied", "AccessDeniedException"})
_EXPIRED: Final = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"}
)


class OperatorFunction:
    """Orders to one stack; every method raises the `errors.Problem` that the function tells.

    Args:
        region: of the stack; None: as the AWS command line finds it.
    """

    def __init__(self, stack: str, region: str | None) -> None:
        self._stack = stack
        self._region = region
        self._name: str | None = None

    def order(self, action: str, **fields: object) -> Mapping[str, object]:
        """The answer to an order that was carried out."""
        try:
            answer = self._invoke(json.dumps({"action": action, **fields}).encode())
        except (NoCredentialsError, NoRegionError) as error:
            raise Invalid(f"{_plain(error)} Sign in as for the AWS command line, and say --region.") from error
        except ClientError as error:
            raise self._refused(error) from error
        except BotoCoreError as error:
            raise Unavailable(f"AWS does not answer: {_plain(error)}") from error
        told = answer.get("error")
        if isinstance(told, Mapping):
            raise problem_from(cast("Mapping[str, object]", told), COMMANDS)
        if answer.get("ok") is not True:
            raise Problem(f"The operator function of {self._stack} broke: its log group says how.")
        return answer

    def _invoke(self, payload: bytes) -> Mapping[str, object]:
        answer = self._lambda().invoke(FunctionName=self._found(), Payload=payload)
        value: object = json.loads(answer["Payload"].read() or b"null")
        return cast("dict[str, object]", value) if isinstance(value, dict) else {}

    def _found(self) -> str:
        if self._name is None:
            found = self._cloudformation().describe_stack_resource(StackName=self._stack, LogicalResourceId=_LOGICAL_ID)
            self._name = found["StackResourceDetail"].get("PhysicalResourceId", "")
        return self._name

    def _refused(self, error: ClientError) -> Problem:
        code = str(error.response.get("Error", {}).get("Code"))
        if code == "ValidationError":
            return NotFound(
                f"There is no stack {self._stack!r} with an operator function here: check name and --region."
            )
        if code in _FORBIDDEN:
            return Denied(
                "Your AWS user lacks cloudformation:DescribeStackResource or lambda:InvokeFunction for this stack."
            )
        if code in _EXPIRED:
            return Denied("Your AWS credentials are not valid any more: sign in again.")
        return Unavailable(f"AWS refuses the call ({code}): try again later.")

    def _lambda(self) -> "LambdaClient":
        return cast("LambdaClient", self._client("lambda", _CONFIG))

    def _cloudformation(self) -> "CloudFormationClient":
        return cast("CloudFormationClient", self._client("cloudformation", _LOOKING))

    def _client(self, service: str, config: Config) -> object:
        return get_session().create_client(service, region_name=self._region, config=config)  # pyright: ignore[reportUnknownMemberType] - its clients have no types


def _plain(error: Exception) -> str:
    return f"{str(error).rstrip('.')}."
