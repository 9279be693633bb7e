"""The parser function and its client over a bucket that answers presigned addresses, in this process."""

import json
import os
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, cast
from unittest.mock import patch

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.parser_function import FunctionParsers
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.parse.function.messages import ParserIsolation
from groundwire.adapters.parse.function.own_process import Descendants, OwnProcess
from groundwire.adapters.parse.function.parser_function import ParserFunction
from groundwire.wiring.cloud.parsing import build_parser_function
from tests.support.aws.refusals.calls.invocations import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.rule import require_accepted
from tests.support.engines import ministack
from tests.support.engines.ministack import REGION, Account

if TYPE_CHECKING:
    from types_boto3_lambda import LambdaClient

FUNCTION: Final = "arn:aws:lambda:eu-central-1:123456789012:function:ParserFunction"
BUCKET: Final = "groundwire-documents"


class TestsProcess(OwnProcess):
    """The process of the tests, which has children that no document started.

    Attributes:
        fork_server: id of the fork server; None before the first document.
    """

    __test__ = False

    def __init__(self) -> None:
        super().__init__()
        self.fork_server: int | None = None

    def end_descendants(self, fork_server: int | None) -> Descendants:
        """End nothing."""
        self.fork_server = fork_server
        return Descendants(0, "")


def require_parser_call(parameters: Mapping[str, Any], *, isolated: bool) -> None:
    """Stop a call of the parser function that Lambda refuses; the parameters are those of `Invoke`."""
    payload, tenant = parameters["Payload"], parameters.get("TenantId", "")
    require_accepted(INVOCATION_RULES, Invocation("ParserFunction", payload, isolated=isolated, tenant=tenant))


@dataclass
class Lambda:
    """Lambda's `Invoke` before a handler of this process with tenant isolation; the events are JSON on their way.

    Attributes:
        handler: what runs; its errors are answered as Lambda does.
        invocations: parameters of every call, in order.
    """

    handler: Any
    invocations: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])

    def invoke(self, **parameters: Any) -> dict[str, Any]:
        """Return the answer of the handler."""
        self.invocations.append(parameters)
        require_parser_call(parameters, isolated=True)
        try:
            answer = self.handler(json.loads(parameters["Payload"]), f"request-{len(self.invocations)}")
        except Exception as error:  # noqa: BLE001 - the runtime reports each
            body = {"errorType": type(error).__name__, "errorMessage": str(error)}
            return {"Payload": BytesIO(json.dumps(body).encode()), "FunctionError": "Unhandled"}
        return {"Payload": BytesIO(json.dumps(answer).encode())}

    @property
    def client(self) -> "LambdaClient":
        """This as a client."""
        return cast("LambdaClient", self)


@contextmanager
def bucket() -> Generator[tuple[Account, Bucket]]:
    """An empty bucket with versions, and the account that it is in; Raises Absent."""
    # Presigned addresses are checked against the secret of the account's owner.
    with ministack.running({"AWS_SECRET_ACCESS_KEY": "local"}) as account:
        account.s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        account.s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        clients._session.cache_clear()  # pyright: ignore[reportPrivateUsage]
        with patch.dict(os.environ, account.credentials):
            client = clients.s3()
        clients._session.cache_clear()  # pyright: ignore[reportPrivateUsage]
        yield account, Bucket(client, BUCKET)


@contextmanager
def parser_function(account: Account, process: TestsProcess | None = None) -> Generator[ParserFunction]:
    """The function as it is composed in Lambda, but for its process."""
    variables = {"AWS_ENDPOINT_URL": account.url, "GROUNDWIRE_PARSER_ISOLATION": "tenant"}
    with closing(build_parser_function(variables, process or TestsProcess(), allow_unconfined=True)) as function:
        yield function


def function_parsers(
    opened: Bucket, function: Lambda, isolation: ParserIsolation = ParserIsolation.TENANT
) -> FunctionParsers:
    """Return the client of the function."""
    return FunctionParsers(function.client, FUNCTION, isolation, opened, ())
