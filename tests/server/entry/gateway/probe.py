"""A small stack whose functions tell what they were given, so that a test sees what the gateway does."""

from pathlib import Path

_TEMPLATE = """
Globals:
  Function: {Runtime: python3.13, Handler: app.handler}
Resources:
  Authorizer:
    Type: AWS::ApiGatewayV2::Authorizer
    Properties:
      AuthorizerType: REQUEST
      AuthorizerPayloadFormatVersion: "2.0"
      EnableSimpleResponses: true
      AuthorizerResultTtlInSeconds: 0
      AuthorizerUri: !Sub arn:aws:apigateway:${AWS::Region}:lambda:path/functions/${GuardFunction.Arn}/invocations
  EchoIntegration:
    Type: AWS::ApiGatewayV2::Integration
    Properties:
      IntegrationUri: !GetAtt EchoFunction.Arn
      RequestParameters:
        overwrite:header.x-user-id: $context.authorizer.headerUser
  GuardedRoute:
    Type: AWS::ApiGatewayV2::Route
    Properties:
      RouteKey: ANY /guarded
      AuthorizationType: CUSTOM
      AuthorizerId: !Ref Authorizer
      Target: !Sub integrations/${EchoIntegration}
  OpenRoute:
    Type: AWS::ApiGatewayV2::Route
    Properties:
      RouteKey: ANY /echo
      AuthorizationType: NONE
      Target: !Sub integrations/${EchoIntegration}
  ItemRoute:
    Type: AWS::ApiGatewayV2::Route
    Properties:
      RouteKey: GET /items/{item}
      AuthorizationType: NONE
      Target: !Sub integrations/${EchoIntegration}
  AnswerIntegration:
    Type: AWS::ApiGatewayV2::Integration
    Properties:
      IntegrationUri: !GetAtt AnswerFunction.Arn
  AnswerRoute:
    Type: AWS::ApiGatewayV2::Route
    Properties:
      RouteKey: POST /answer
      AuthorizationType: NONE
      Target: !Sub integrations/${AnswerIntegration}
  GuardFunction:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: guard}
  EchoFunction:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: echo, Timeout: 20, MemorySize: 256}
  AnswerFunction:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: answer}
"""

_GUARD = '''
import json
from pathlib import Path

CALLS = Path(__file__).with_name("calls.jsonl")


def handler(event, context):
    """Answers what x-verdict asks for, and keeps the event."""
    with CALLS.open("a") as calls:
        calls.write(json.dumps(event) + "\\n")
    verdict = event["headers"].get("x-verdict", '{"isAuthorized": true, "context": {"headerUser": "maria"}}')
    if verdict == "crash":
        raise RuntimeError("the authorizer broke")
    return json.loads(verdict)
'''

_ECHO = '''
def handler(event, context):
    """The event, and what the context says."""
    said = {
        "aws_request_id": context.aws_request_id,
        "function_name": context.function_name,
        "invoked_function_arn": context.invoked_function_arn,
        "memory_limit_in_mb": context.memory_limit_in_mb,
        "remaining": context.get_remaining_time_in_millis(),
    }
    return {"event": event, "context": said}
'''

_ANSWER = '''
import json


def handler(event, context):
    """Returns what the body says, or does what it says when JSON cannot say it."""
    asked = json.loads(event["body"])
    if asked == "crash":
        raise RuntimeError("the function broke")
    if asked == "bytes":
        return {"statusCode": 200, "body": b"not JSON"}
    return asked
'''


class ProbeStack:
    """The stack's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.template = folder / "template.yaml"
        self.template.write_text(_TEMPLATE)
        for name, source in {"guard": _GUARD, "echo": _ECHO, "answer": _ANSWER}.items():
            (folder / name).mkdir()
            (folder / name / "app.py").write_text(source)

    @property
    def authorizer_calls(self) -> list[str]:
        """Events that the authorizer received, as JSON."""
        calls = self._folder / "guard" / "calls.jsonl"
        return calls.read_text().splitlines() if calls.exists() else []

    def rewrite(self, old: str, new: str) -> Path:
        """A template that differs in one place."""
        text = self.template.read_text()
        assert old in text
        changed = self._folder / "changed.yaml"
        changed.write_text(text.replace(old, new))
        return changed
