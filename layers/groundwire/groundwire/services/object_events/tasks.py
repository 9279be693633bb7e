"""Tasks on a tenant's files and their follow-ups, and the queue messages that encode them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, cast

from groundwire.domain.errors import InvalidInput

QUICK_RETRY_SECONDS: Final = 20
MAX_QUICK_RETRIES: Final = 3
"""Maximum of quick retries after an outage; after them the queue's own, longer delays apply."""


class SidecarChange(StrEnum):
    """Kind of a changed sidecar file."""

    POLICY = "policy"
    METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class ObjectChanged:
    """Event of a changed file; the file's current state is ingested, whatever the event reported.

    Attributes:
        sequencer: of the change; None where a sidecar file has changed.
        event_at: time of the event, epoch seconds.
        tries: number of quick retries.
    """

    tenant: str
    path: str
    sequencer: str | None
    event_at: float
    tries: int = 0


@dataclass(frozen=True, slots=True)
class UpdateSubtree:
    """Update of all files below a folder after a change of its sidecar file, starting after the path `after`.

    Attributes:
        until: the last path; None: all further ones.
        tries: number of quick retries.
    """

    tenant: str
    folder: str
    change: SidecarChange
    after: str
    until: str | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class ReconcileStale:
    """Sweep of stale documents and rows of an earlier form: of one tenant, or of each tenant that has some."""

    tenant: str | None


Task = ObjectChanged | UpdateSubtree | ReconcileStale


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Task to be started after a delay."""

    task: Task
    delay_seconds: int = 0


def quick_retry(task: Task) -> FollowUp | None:
    """Return the task with a short delay; None after too many retries, or where it is repeated anyway."""
    if isinstance(task, ReconcileStale) or task.tries >= MAX_QUICK_RETRIES:
        return None
    return FollowUp(replace(task, tries=task.tries + 1), QUICK_RETRY_SECONDS)


# Queued messages of other releases contain these names: they do not change when a field is renamed.


def to_message(task: Task) -> str:
    """Encode the task as a message for `from_message`."""
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
    """Decode a message of this queue; members that a later release adds are ignored.

    Raises:
        InvalidInput: the message is not of this form.
    """
    members = cast("Mapping[str, Any]", message)
    try:
        match members["task"]:
            case "file":
                return ObjectChanged(
                    members["tenant"], members["path"], members["sequencer"], members["at"], members.get("tries", 0)
                )
            case "beneath":
                return _read_update_subtree(members)
            case "sweep":
                return ReconcileStale(members["tenant"])
            case _:
                raise InvalidInput("The kind of the message is unknown.")
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("The message does not have the form that this function writes.") from error


def _read_update_subtree(message: Mapping[str, Any]) -> UpdateSubtree:
    return UpdateSubtree(
        tenant=message["tenant"],
        folder=message["folder"],
        change=SidecarChange(message["follow"]),
        after=message["after"],
        until=message.get("until"),
        tries=message.get("tries", 0),
    )
