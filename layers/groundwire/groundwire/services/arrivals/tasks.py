"""Pieces of work on a tenant's files, and what is still to be done after one: each is a message of a queue."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Final, cast

from groundwire.domain.errors import Invalid

SOON_S: Final = 20
SOON_TRIES: Final = 3
"""What a part does not answer to is tried again soon so often; then the queue's own, longer pauses count."""


class Follow(StrEnum):
    """What changed above a folder."""

    POLICY = "policy"
    METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class FileNews:
    """A file has changed: it is brought to what it is now, whatever the news said it was.

    Attributes:
        sequencer: of the change; None where a side file that speaks of it has changed.
        at: when the news was made, epoch seconds.
        tries: how often it was tried again soon.
    """

    tenant: str
    path: str
    sequencer: str | None
    at: float
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Beneath:
    """All files beneath a folder follow a side file of it that has changed, from the first path after `after` on.

    Attributes:
        until: the last path; None: all that follow.
        tries: how often it was tried again soon.
    """

    tenant: str
    folder: str
    follow: Follow
    after: str
    until: str | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Sweep:
    """What was left unsettled is settled: of one tenant, or of each that has such documents."""

    tenant: str | None


Task = FileNews | Beneath | Sweep


@dataclass(frozen=True, slots=True)
class FollowUp:
    """Work that remains, to be begun after so many seconds."""

    task: Task
    delay_s: int = 0


def again_soon(task: Task) -> FollowUp | None:
    """The task after a moment, where that may help; None where it was tried so often, or comes again anyway."""
    if isinstance(task, Sweep) or task.tries >= SOON_TRIES:
        return None
    return FollowUp(replace(task, tries=task.tries + 1), SOON_S)


_KINDS: Final[Mapping[type[Task], str]] = {FileNews: "file", Beneath: "beneath", Sweep: "sweep"}


def to_message(task: Task) -> str:
    """What `from_message` reads."""
    return json.dumps({"task": _KINDS[type(task)], **asdict(task)})


def from_message(message: Mapping[str, object]) -> Task:
    """The task of a message of our own; Raises Invalid."""
    held = {name: value for name, value in message.items() if name != "task"}
    try:
        match message["task"]:
            case "file":
                return FileNews(**cast("dict[str, Any]", held))
            case "beneath":
                follow = Follow(str(held.pop("follow")))
                return Beneath(follow=follow, **cast("dict[str, Any]", held))
            case "sweep":
                return Sweep(**cast("dict[str, str]", held))
            case _:
                raise Invalid("A message of this kind is not known.")
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid("A message is not of the form in which this function writes them.") from error
