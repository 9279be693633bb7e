"""Second looks at tenants that were deleted: messages that arrive when calls from before the deletion are long over."""

import json
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_sqs import SQSClient

DELAY_S: Final = 900
"""As long as a message can wait: an ingestion lasts no longer, and an address for an upload ends before."""
_RETRY_S: Final = 5


class SweepQueue:
    """Reaches nobody but the operator function."""

    def __init__(self, client: "SQSClient", url: str) -> None:
        self._client = client
        self._url = url

    def send(self, tenant: str) -> int:
        """The tenant is swept in so many seconds as are returned; Raises Unavailable."""
        message = json.dumps({"action": "tenant.sweep", "tenant": tenant})
        try:
            self._client.send_message(QueueUrl=self._url, MessageBody=message, DelaySeconds=DELAY_S)
        except (BotoCoreError, ClientError) as error:
            cause = type(error).__name__
            raise errors.Unavailable(f"The queue of sweeps does not answer ({cause}): repeat.", _RETRY_S) from error
        return DELAY_S
