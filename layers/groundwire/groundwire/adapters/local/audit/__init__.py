"""Audit log of one machine: hash-chained JSON lines in `audit.jsonl`, their count and last hash in `audit.head`.

`trail` finds the lines of a tenant by an index, which is a cache.
"""

from groundwire.adapters.local.audit.log import FileAudit
from groundwire.adapters.local.audit.running import RunMarks

__all__ = ["FileAudit", "RunMarks"]
