"""The queue of ingestion: news of the bucket, and what remains to be done of earlier ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_sqs import SQSClient

_AT_ONCE: Final = 10
_LONGEST_DELAY_S: Final = 900


class SqsWorkQueue:
    """Implements `ports.WorkQueue`."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, messages: Sequence[str], delay_s: int) -> None:
        """Ten to a request; no message waits longer than SQS lets it."""
        for start in range(0, len(messages), _AT_ONCE):
            self._some(messages[start : start + _AT_ONCE], min(delay_s, _LONGEST_DELAY_S))

    def _some(self, messages: Sequence[str], delay_s: int) -> None:
        try:
            answer = self._client.send_message_batch(
                QueueUrl=self._url,
                Entries=[
                    {"Id": str(number), "MessageBody": message, "DelaySeconds": delay_s}
                    for number, message in enumerate(messages)
                ],
            )
        except (BotoCoreError, ClientError) as error:
            raise _silent(type(error).__name__) from error
        if failed := answer.get("Failed", []):
            raise _silent(failed[0]["Code"])


def _silent(cause: str) -> errors.Unavailable:
    return errors.Unavailable(f"The queue of ingestion does not answer ({cause}): repeat soon.")
