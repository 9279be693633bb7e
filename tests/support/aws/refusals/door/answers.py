"""Answers of the proxy: the errors of AWS for requests that break a rule, in the form of the requested service."""

import json
from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from tests.support.aws.refusals.door.exchange import Answer, Request
from tests.support.aws.refusals.rule import Finding

_CODES: Final[Mapping[str, tuple[int, str]]] = {
    "header-total": (431, "RequestHeaderFieldsTooLarge"),
    "gateway-payload": (413, "RequestEntityTooLarge"),
    "invocation-payload": (413, "RequestTooLargeException"),
    "tenant-id-missing": (400, "InvalidParameterValueException"),
    "tenant-id-unwanted": (400, "InvalidParameterValueException"),
    "tenant-id-form": (400, "InvalidParameterValueException"),
    "log-streams-per-second": (400, "ThrottlingException"),
    "message-size": (400, "InvalidParameterValue"),
    "message-attributes": (400, "InvalidParameterValue"),
    "message-characters": (400, "InvalidMessageContents"),
    "queue-order": (400, "InvalidParameterValue"),
    "batch-entries": (400, "TooManyEntriesInBatchRequest"),
    "batch-ids": (400, "BatchEntryIdsNotDistinct"),
    "batch-size": (400, "BatchRequestTooLong"),
    "object-key": (400, "KeyTooLongError"),
    "object-metadata": (400, "MetadataTooLarge"),
    "presigned-age": (400, "AuthorizationQueryParametersError"),
    "objects-deleted": (400, "MalformedXML"),
}
_CODES_OF_TARGETS: Final[Mapping[str, str]] = {
    "DynamoDB_20120810": "ValidationException",
    "Logs_20140328": "InvalidParameterException",
    "secretsmanager": "InvalidParameterException",
}


def refusal(request: Request, finding: Finding) -> Answer:
    """Return AWS's answer to a request that breaks a rule."""
    status, code = _CODES.get(finding.rule, (400, ""))
    code = code or _CODES_OF_TARGETS.get(request.target.partition(".")[0], "ValidationException")
    return _in_json(status, code, finding) if _speaks_json(request) else _in_xml(status, code, str(finding))


def refused_stack(findings: str) -> Answer:
    """Return CloudFormation's answer to a stack that breaks rules."""
    text = f"<Type>Sender</Type><Code>ValidationError</Code><Message>{escape(findings)}</Message>"
    body = f"<ErrorResponse><Error>{text}</Error></ErrorResponse>".encode()
    return Answer(400, {"content-type": "text/xml"}, body)


def _speaks_json(request: Request) -> bool:
    return bool(request.target) or request.path.endswith("/invocations") or ".execute-api." in request.headers["host"]


def _in_json(status: int, code: str, finding: Finding) -> Answer:
    text = json.dumps({"__type": code, "message": f"AWS refuses this: {finding}"}).encode()
    return Answer(status, {"content-type": "application/x-amz-json-1.1", "x-amzn-errortype": code}, text)


def _in_xml(status: int, code: str, finding: str) -> Answer:
    text = f"<Error><Code>{code}</Code><Message>AWS refuses this: {escape(finding)}</Message></Error>"
    return Answer(status, {"content-type": "application/xml", "x-amzn-errortype": code}, text.encode())
