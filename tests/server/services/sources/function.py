"""The sources function in this process, behind a client of Lambda that has AWS's own encoder between them."""

import io
import json
from typing import TYPE_CHECKING, Any, cast

from awslambdaric.lambda_runtime_marshaller import LambdaMarshaller

from groundwire.entry.functions.sources import SourcesHandler

if TYPE_CHECKING:
    from types_boto3_lambda import LambdaClient

    from groundwire.ports.sources import SourceGateway

ARN = "arn:aws:lambda:eu-central-1:123456789012:function:sources"


class InProcessFunction:
    """Function that is invoked as by Lambda: an error is a response with its type and text.

    Attributes:
        events: payloads of all invocations. waits: read timeouts of the clients that were made.
    """

    def __init__(self, gateway: "SourceGateway") -> None:
        self._handler = SourcesHandler(lambda: gateway)
        self.events: list[bytes] = []
        self.waits: list[float] = []

    def client(self, read_timeout_s: float) -> "LambdaClient":
        self.waits.append(read_timeout_s)
        return cast("LambdaClient", self)

    def invoke(self, *, FunctionName: str, Payload: bytes) -> dict[str, Any]:  # noqa: N803 - botocore's names
        assert FunctionName == ARN
        self.events.append(Payload)
        try:
            content, _ = LambdaMarshaller().marshal_response(self._handler(json.loads(Payload), None))
        except Exception as error:  # noqa: BLE001 - as Lambda does
            failure = json.dumps({"errorType": type(error).__name__, "errorMessage": str(error)})
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(failure.encode())}
        return {"Payload": io.BytesIO(str(content).encode())}
