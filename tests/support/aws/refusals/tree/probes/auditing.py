"""Starts as many environments in one second as Lambda may, each of which records its first call in the audit log.

The service keeps one rule, CloudWatch Logs' quota of new streams: its times come in on standard input.
"""

import json
import sys
from types import SimpleNamespace
from typing import Any

from botocore.exceptions import ClientError

from groundwire.adapters.aws.audit import LogGroupAudit
from groundwire.domain.errors import DomainError

_GROUP = "/groundwire/audit"


class _Logs:
    """CloudWatch Logs within one second: it creates so many streams and throttles every further call."""

    exceptions = SimpleNamespace(
        ResourceNotFoundException=type("ResourceNotFoundException", (ClientError,), {}),
        ResourceAlreadyExistsException=type("ResourceAlreadyExistsException", (ClientError,), {}),
    )

    def __init__(self, streams_per_second: int) -> None:
        self._left = streams_per_second
        self._streams: set[str] = set()

    def create_log_stream(self, *, logGroupName: str, logStreamName: str) -> dict[str, Any]:  # noqa: N803
        if not self._left:
            raise ClientError({"Error": {"Code": "ThrottlingException", "Message": logGroupName}}, "CreateLogStream")
        self._left -= 1
        self._streams.add(logStreamName)
        return {}

    def put_log_events(self, *, logGroupName: str, logStreamName: str, logEvents: Any) -> dict[str, Any]:  # noqa: N803
        if logStreamName not in self._streams:
            message = {"Code": "ResourceNotFoundException", "Message": f"{logGroupName}: {len(logEvents)}"}
            raise self.exceptions.ResourceNotFoundException({"Error": message}, "PutLogEvents")
        return {}


def _main() -> None:
    environments, streams_per_second = (int(argument) for argument in sys.argv[2:])
    logs: Any = _Logs(streams_per_second)
    failed = 0
    problem = ""
    for number in range(environments):
        audit = LogGroupAudit(logs, _GROUP, f"environment-{number}", lambda: 0.0)
        try:
            audit.append({"tool": "rag_search"})
        except DomainError as error:
            failed, problem = failed + 1, str(error)
    found = (
        [f"{failed} of {environments} environments that start in one second answer 503: {problem}"] if failed else []
    )
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main()
