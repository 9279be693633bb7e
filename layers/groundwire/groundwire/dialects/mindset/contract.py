"""The callers to whom Mindset AI's contract applies."""

from groundwire.domain.toolsets import MINDSET_TOOLSET
from groundwire.services.call import Call


def is_mindset(call: Call) -> bool:
    """Tell whether the key of the call was made for Mindset AI."""
    return call.caller.toolset == MINDSET_TOOLSET
