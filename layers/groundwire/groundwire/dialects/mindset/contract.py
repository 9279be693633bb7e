"""The callers to whom Mindset AI's contract applies."""

from groundwire.domain.access.toolsets import MINDSET_TOOLSET
from groundwire.services.call_context import CallContext


def is_mindset_key(call: CallContext) -> bool:
    """Tell whether the key of the call was made for Mindset AI."""
    return call.caller.toolset == MINDSET_TOOLSET
