"""Fields that a document would add to an index: a change of its mapping, which a service may refuse to a writer.

No text of AWS says that the right to write documents includes that change, so the emulator refuses it.
"""

import json
from collections import defaultdict
from threading import Lock
from typing import Any, Final

from tests.support.opensearch.emulator.node.node import Node, mapping_of
from tests.support.opensearch.emulator.requests.bulks import Action, Item

_STATUS: Final = 403
_KIND: Final = "security_exception"


class Fields:
    """The fields of the indexes, as far as they were looked up."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._known: defaultdict[str, set[str]] = defaultdict(set)
        self._lock = Lock()

    def forget(self) -> None:
        """Look up every index again: one was removed or made."""
        with self._lock:
            self._known.clear()

    def refused(self, action: Action) -> Item | None:
        """The answer to an action whose document has a field that the index lacks; None where it has none."""
        lacking = self._lacking(action.index, _fields(action))
        if not lacking:
            return None
        reason = f"no permissions for [aoss:UpdateIndex] to add [{', '.join(sorted(lacking))}] to [{action.index}]"
        return action.refused(_STATUS, _KIND, reason)

    def _lacking(self, index: str, fields: set[str]) -> set[str]:
        with self._lock:
            if fields <= self._known[index]:
                return set()
        answer = self._node.ask("GET", index, "_mapping")
        if answer.status != 200:
            # Of an index that is not there the engine itself says so.
            return set()
        found = set(mapping_of(answer).get("properties", {}))
        with self._lock:
            self._known[index] |= found
        return fields - found


def _fields(action: Action) -> set[str]:
    """The top-level fields of the action's document."""
    if action.name == "delete":
        return set()
    document: dict[str, Any] = json.loads(action.lines[1])
    return set(document.get("doc", {}) if action.name == "update" else document)
