"""Messages that want no answer."""

from groundwire.protocol.jsonrpc import Notification
from groundwire.protocol.outcomes import Outcome, Refusal


def check_notification(message: Notification) -> None:
    """Raises Refusal when the message cannot be meant as one without an answer."""
    if not message.method.startswith("notifications/"):
        # Most likely a request whose author forgot the id: silence would leave them waiting for an answer.
        raise Refusal(Outcome.INVALID_REQUEST, "Invalid request: a request must have an `id`.")
