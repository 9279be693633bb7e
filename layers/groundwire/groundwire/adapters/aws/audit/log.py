"""Audit log of a deployment: hash-chained lines in a CloudWatch log group.

Each execution environment writes its own streams, with one chain per stream. One chain for all environments would
serialise every call. `sequence` counts a stream's lines from 1, so a missing line shows. A write that is not confirmed
may or may not be stored: the next line then starts another stream, so no chain forks.
"""

from collections.abc import Mapping
from threading import Lock
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.adapters.codecs.audit_line import GENESIS_HASH, make_line
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_logs import CloudWatchLogsClient

    from groundwire.ports import Clock

_RETRY_S: Final = 5


class LogGroupAudit:
    """Implements `ports.AuditLog` in CloudWatch Logs.

    Args:
        prefix: start of the stream names; unique to this execution environment.
    """

    def __init__(self, client: "CloudWatchLogsClient", group: str, prefix: str, clock: "Clock") -> None:
        self._client = client
        self._group = group
        self._prefix = prefix
        self._clock = clock
        self._lock = Lock()
        self._stream_count = 0
        self._stream: str | None = None
        self._last_sequence = 0
        self._last_hash = GENESIS_HASH

    def append(self, record: Mapping[str, object]) -> None:
        """Write one line with the next sequence number.

        Raises:
            Unavailable: the line is not confirmed as written.
        """
        with self._lock:
            try:
                self._append(record, self._stream or self._start_stream())
            except (BotoCoreError, ClientError) as error:
                self._stream = None
                raise self._unavailable(type(error).__name__) from error

    def _start_stream(self) -> str:
        self._stream_count += 1
        stream = f"{self._prefix}/{self._stream_count}"
        self._client.create_log_stream(logGroupName=self._group, logStreamName=stream)
        self._stream, self._last_sequence, self._last_hash = stream, 0, GENESIS_HASH
        return stream

    def _append(self, record: Mapping[str, object], stream: str) -> None:
        sequence = self._last_sequence + 1
        line = make_line({**record, "stream": stream, "sequence": sequence}, self._last_hash)
        answer = self._client.put_log_events(
            logGroupName=self._group,
            logStreamName=stream,
            logEvents=[{"timestamp": int(self._clock() * 1000), "message": line.raw.rstrip().decode()}],
        )
        if answer.get("rejectedLogEventsInfo"):
            raise self._unavailable("the clock of this environment is wrong")
        self._last_sequence, self._last_hash = sequence, line.hash

    def _unavailable(self, cause: str) -> errors.Unavailable:
        return errors.Unavailable(f"The audit log group {self._group} does not accept lines ({cause}).", _RETRY_S)
