"""Pieces of work on a tenant's files, and what is still to be done after one: each is a message of a queue."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, cast

from groundwire.domain.errors import InvalidInput

QUICK_RETRY_SECONDS: Final = 20
MAX_QUICK_RETRIES: Final = 3
"""What a part does not answer to is tried again soon so often; then the queue's own, longer pauses count."""


class SidecarChange(StrEnum):
    """What changed above a folder."""

    POLICY = "policy"
    METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class ObjectChanged:
    """A file has changed: it is brought to what it is now, whatever the news said it was.

    Attributes:
        sequencer: of the change; None where a side file that speaks of it has changed.
        event_at: when the news was made, epoch seconds.
        tries: how often it was tried again soon.
    """

    tenant: str
    path: str
    sequencer: str | None
    event_at: float
    tries: int = 0


@dataclass(frozen=True, slots=True)
class UpdateSubtree:
    """All files beneath a folder follow a side file of it that has changed, from the first path after `after` on.

    Attributes:
        until: the last path; None: all that follow.
        tries: how often it was tried again soon.
    """

    tenant: str
    folder: str
    change: SidecarChange
    after: str
    until: str | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class ReconcileStale:
    """What was left unsettled is settled: of one tenant, or of each that has such documents."""

    tenant: str | None


Task = ObjectChanged | UpdateSubtree | ReconcileStale


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Work that remains, to be begun after so many seconds."""

    task: Task
    delay_seconds: int = 0


def quick_retry(task: Task) -> FollowUp | None:
    """The task after a moment, where that may help; None where it was tried so often, or comes again anyway."""
    if isinstance(task, ReconcileStale) or task.tries >= MAX_QUICK_RETRIES:
        return None
    return FollowUp(replace(task, tries=task.tries + 1), QUICK_RETRY_SECONDS)


# Messages of other releases hold these names: they do not change when a field is renamed.


def to_message(task: Task) -> str:
    """Write the message that `from_message` reads."""
    match task:
        case ObjectChanged():
            members = {"task": "file", "tenant": task.tenant, "path": task.path, "sequencer": task.sequencer}
            members |= {"at": task.event_at, "tries": task.tries}
        case UpdateSubtree():
            members = {"task": "beneath", "tenant": task.tenant, "folder": task.folder, "follow": task.change.value}
            members |= {"after": task.after, "until": task.until, "tries": task.tries}
        case ReconcileStale():
            members = {"task": "sweep", "tenant": task.tenant}
    return json.dumps(members)


def from_message(message: Mapping[str, object]) -> Task:
    """Read a message of ours; members that a later release adds are ignored. Raises Invalid."""
    held = cast("Mapping[str, Any]", message)
    try:
        match held["task"]:
            case "file":
                return ObjectChanged(held["tenant"], held["path"], held["sequencer"], held["at"], held.get("tries", 0))
            case "beneath":
                return _read_update_subtree(held)
            case "sweep":
                return ReconcileStale(held["tenant"])
            case _:
                raise InvalidInput("A message of this kind is not known.")
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("A message is not of the form in which this function writes them.") from error


def _read_update_subtree(message: Mapping[str, Any]) -> UpdateSubtree:
    return UpdateSubtree(
        tenant=message["tenant"],
        folder=message["folder"],
        change=SidecarChange(message["follow"]),
        after=message["after"],
        until=message.get("until"),
        tries=message.get("tries", 0),
    )
