"""Operator function of a stack, found by the stack's name and invoked with the caller's own credentials."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, cast

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import get_session

from groundwire.adapters.aws.account.clients import NOT_SIGNED_IN, not_signed_in
from groundwire.domain.error_codes import COMMAND_HINTS, error_from_members
from groundwire.domain.errors import DomainError, Forbidden, NotFound, Unavailable
from groundwire.domain.text.json_values import is_mapping, load_mapping

if TYPE_CHECKING:
    from types_boto3_cloudformation import CloudFormationClient
    from types_boto3_lambda import LambdaClient

_LOGICAL_ID: Final = "OperatorFunction"
# The read timeout is the function's own limit. No retries: a command whose answer was lost may have been executed.
_INVOKE_CONFIG: Final = Config(connect_timeout=10, read_timeout=900, retries={"total_max_attempts": 1})
_LOOKUP_CONFIG: Final = Config(connect_timeout=10, read_timeout=30, retries={"mode": "standard"})
_FORBIDDEN: Final = frozenset({"AccessDenied", "AccessDeniedException"})
_EXPIRED: Final = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"}
)


class OperatorFunction:
    """Commands to one stack; every method raises the `DomainError` that the function returns.

    Args:
        region: the stack's region; None: the default of the AWS command line.
    """

    def __init__(self, stack: str, region: str | None) -> None:
        self._stack = stack
        self._region = region
        self._name: str | None = None

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """Execute one command and return its answer.

        Raises:
            DomainError: the error that the function returned, or the reason why it could not be invoked.
        """
        try:
            answer = self._invoke(json.dumps({"action": action, **fields}).encode())
        except NOT_SIGNED_IN as error:
            raise not_signed_in(error) from error
        except ClientError as error:
            raise self._translate(error) from error
        except BotoCoreError as error:
            raise Unavailable(f"AWS does not answer: {_sentence(error)}") from error
        error_members = answer.get("error")
        if is_mapping(error_members):
            raise error_from_members(error_members, COMMAND_HINTS)
        if answer.get("ok") is not True:
            raise DomainError(f"The operator function of {self._stack} failed. Its log group has the error.")
        return answer

    def function_variables(self) -> Mapping[str, Mapping[str, str]]:
        """Return the variables of each function of the stack, by its logical id, with the stack's region among them.

        Raises:
            DomainError: there is no such stack, or AWS does not answer.
        """
        try:
            return {
                resource["LogicalResourceId"]: self._variables_of(resource.get("PhysicalResourceId", ""))
                for page in self._cloudformation_client()
                .get_paginator("list_stack_resources")
                .paginate(StackName=self._stack)
                for resource in page["StackResourceSummaries"]
                if resource["ResourceType"] == "AWS::Lambda::Function"
            }
        except NOT_SIGNED_IN as error:
            raise not_signed_in(error) from error
        except ClientError as error:
            raise self._translate(error) from error
        except BotoCoreError as error:
            raise Unavailable(f"AWS does not answer: {_sentence(error)}") from error

    def _variables_of(self, function: str) -> Mapping[str, str]:
        configuration = self._lambda_client().get_function_configuration(FunctionName=function)
        # arn:partition:lambda:REGION:account:function:name. Lambda itself sets it, so no configuration has it.
        region = configuration.get("FunctionArn", "").split(":")[3]
        return {**configuration.get("Environment", {}).get("Variables", {}), "AWS_DEFAULT_REGION": region}

    def _invoke(self, payload: bytes) -> Mapping[str, object]:
        answer = self._lambda_client().invoke(FunctionName=self._function_name(), Payload=payload)
        return load_mapping(answer["Payload"].read()) or {}

    def _function_name(self) -> str:
        if self._name is None:
            found = self._cloudformation_client().describe_stack_resource(
                StackName=self._stack, LogicalResourceId=_LOGICAL_ID
            )
            self._name = found["StackResourceDetail"].get("PhysicalResourceId", "")
        return self._name

    def _translate(self, error: ClientError) -> DomainError:
        code = str(error.response.get("Error", {}).get("Code"))
        if code == "ValidationError":
            return NotFound(
                f"This account has no stack {self._stack!r} with an operator function: check the name and --region."
            )
        if code in _FORBIDDEN:
            return Forbidden(
                "Your AWS user lacks cloudformation:DescribeStackResource or lambda:InvokeFunction for this stack."
            )
        if code in _EXPIRED:
            return Forbidden("Your AWS credentials have expired: sign in again.")
        return Unavailable(f"AWS refuses the call ({code}): try again later.")

    def _lambda_client(self) -> "LambdaClient":
        return cast("LambdaClient", self._client("lambda", _INVOKE_CONFIG))

    def _cloudformation_client(self) -> "CloudFormationClient":
        return cast("CloudFormationClient", self._client("cloudformation", _LOOKUP_CONFIG))

    def _client(self, service: str, config: Config) -> object:
        return get_session().create_client(service, region_name=self._region, config=config)  # pyright: ignore[reportUnknownMemberType] - its clients have no types


def _sentence(error: Exception) -> str:
    return f"{str(error).rstrip('.')}."
