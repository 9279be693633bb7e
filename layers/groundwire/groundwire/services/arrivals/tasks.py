"""Pieces of work on a tenant's files, and what is still to be done after one: each is a message of a queue."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final, cast

from groundwire.domain.errors import Invalid


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
    """

    tenant: str
    path: str
    sequencer: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Beneath:
    """All files beneath a folder follow a side file of it that has changed, from the first path after `after` on."""

    tenant: str
    folder: str
    follow: Follow
    after: str


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
                return FileNews(**cast("dict[str, str]", held))  # pyright: ignore[reportArgumentType] - as `to_message` wrote it
            case "beneath":
                follow = Follow(str(held.pop("follow")))
                return Beneath(follow=follow, **cast("dict[str, str]", held))
            case "sweep":
                return Sweep(**cast("dict[str, str]", held))
            case _:
                raise Invalid("A message of this kind is not known.")
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid("A message is not of the form in which this function writes them.") from error
