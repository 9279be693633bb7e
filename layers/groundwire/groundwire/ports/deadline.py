"""Deadline of one call: use cases set it, and each adapter that waits for a response reads it.

It is the deadline that the egress client reads by itself, so that one limit counts for all calls.
"""

from groundwire_egress.deadline import remaining_seconds, time_limit

__all__ = ["remaining_seconds", "time_limit"]
