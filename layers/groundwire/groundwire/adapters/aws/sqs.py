"""Ingestion queues in SQS: sweeps of tenants, and follow-up work of object events."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_sqs import SQSClient

SWEEP_DELAY_S: Final = 900
"""Seconds of delay, the maximum of SQS: an ingestion is shorter, and an upload address expires earlier."""
_RETRY_S: Final = 5


class TenantSweepQueue:
    """Delayed sweep messages to the operator function."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, tenant: str) -> int:
        """Queue a sweep of the tenant and return the delay in seconds.

        Raises:
            Unavailable: the queue does not answer.
        """
        message = json.dumps({"action": "tenant.sweep", "tenant": tenant})
        try:
            self._client.send_message(QueueUrl=self._url, MessageBody=message, DelaySeconds=SWEEP_DELAY_S)
        except (BotoCoreError, ClientError) as error:
            cause = type(error).__name__
            raise errors.Unavailable(
                f"The queue of sweeps does not answer ({cause}): try again soon.", _RETRY_S
            ) from error
        return SWEEP_DELAY_S


_BATCH_SIZE: Final = 10
_MAX_DELAY_S: Final = 900


class SqsWorkQueue:
    """Implements `ports.WorkQueue`."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, messages: Sequence[str], delay_s: int) -> None:
        """Send the messages in batches of ten, with at most the delay that SQS allows."""
        for start in range(0, len(messages), _BATCH_SIZE):
            self._send_batch(messages[start : start + _BATCH_SIZE], min(delay_s, _MAX_DELAY_S))

    def _send_batch(self, messages: Sequence[str], delay_s: int) -> None:
        try:
            answer = self._client.send_message_batch(
                QueueUrl=self._url,
                Entries=[
                    {"Id": str(number), "MessageBody": message, "DelaySeconds": delay_s}
                    for number, message in enumerate(messages)
                ],
            )
        except (BotoCoreError, ClientError) as error:
            raise _unavailable(type(error).__name__) from error
        if failed := answer.get("Failed", []):
            raise _unavailable(failed[0]["Code"])


def _unavailable(cause: str) -> errors.Unavailable:
    return errors.Unavailable(f"The queue of ingestion does not answer ({cause}): try again soon.")
