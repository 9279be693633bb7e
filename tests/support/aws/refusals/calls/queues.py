"""Rules of calls to queues."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_QUOTAS: Final = Source(
    "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html; "
    "botocore service model sqs, SendMessage",
    LOOKED_UP,
)
_MODEL: Final = Source("botocore service model sqs, SendMessage, ReceiveMessage and ChangeMessageVisibility", LOOKED_UP)
MESSAGE_BYTES: Final = 1_048_576
ENTRIES: Final = 10
ATTRIBUTES: Final = 10
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
_REFUSED_CHARACTERS: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "DelaySeconds": (0, 900),
    "VisibilityTimeout": (0, 43_200),
    "WaitTimeSeconds": (0, 20),
    "MaxNumberOfMessages": (1, 10),
}


@dataclass(frozen=True, slots=True)
class Message:
    """A message to a queue, with its attributes."""

    body: str
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def size(self) -> int:
        """Bytes that count."""
        return len(self.body.encode()) + sum(len(f"{name}{value}".encode()) for name, value in self.attributes.items())


@dataclass(frozen=True, slots=True)
class Batch:
    """Messages of one call, each with the id of its entry."""

    entries: Sequence[tuple[str, Message]]


@dataclass(frozen=True, slots=True)
class QueueOrder:
    """Numbers of a call to a queue, by their parameters."""

    numbers: Mapping[str, int]


def _size(message: Message) -> Iterator[str]:
    if not 0 < message.size <= MESSAGE_BYTES:
        yield f"{message.size:,} bytes, 1 to {MESSAGE_BYTES:,}"


def _attributes(message: Message) -> Iterator[str]:
    if len(message.attributes) > ATTRIBUTES:
        yield f"{len(message.attributes)} attributes, at most {ATTRIBUTES}"


def _characters(message: Message) -> Iterator[str]:
    if refused := _REFUSED_CHARACTERS.search(message.body):
        yield f"character {ord(refused[0]):#06x}"


def _entries(batch: Batch) -> Iterator[str]:
    if not 0 < len(batch.entries) <= ENTRIES:
        yield f"{len(batch.entries)} messages, 1 to {ENTRIES}"


def _ids(batch: Batch) -> Iterator[str]:
    ids = [name for name, _ in batch.entries]
    yield from (f"id {name[:100]!r}" for name in ids if not _ID.fullmatch(name))
    if len(set(ids)) < len(ids):
        yield "two entries have one id"


def _batch_size(batch: Batch) -> Iterator[str]:
    size = sum(message.size for _, message in batch.entries)
    if size > MESSAGE_BYTES:
        yield f"{size:,} bytes, at most {MESSAGE_BYTES:,}"


def _numbers(order: QueueOrder) -> Iterator[str]:
    for name, number in order.numbers.items():
        least, most = _RANGES.get(name, (number, number))
        if not least <= number <= most:
            yield f"{name} {number:,}, {least} to {most:,}"


MESSAGE_RULES: Final = (
    Rule(
        "message-size",
        "A message is empty or too large.",
        "1 byte to 1 MiB (1,048,576 bytes), attributes included; 256 KiB until August 2025",
        _QUOTAS,
        _size,
    ),
    Rule(
        "message-attributes", "A message has too many attributes.", "up to 10 metadata attributes", _QUOTAS, _attributes
    ),
    Rule(
        "message-characters",
        "A message contains a character that no XML has.",
        "#x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF (InvalidMessageContents)",
        _QUOTAS,
        _characters,
    ),
)
BATCH_RULES: Final = (
    Rule("batch-entries", "A batch has no message, or too many.", "a maximum of 10 messages", _QUOTAS, _entries),
    Rule(
        "batch-ids",
        "An entry of a batch has a wrong id, or the id of another one.",
        "up to 80 characters: alphanumeric, hyphens, underscores (BatchEntryIdsNotDistinct)",
        _QUOTAS,
        _ids,
    ),
    Rule(
        "batch-size",
        "The messages of a batch are too large together.",
        "1 MiB (1,048,576 bytes), the sum of all messages (BatchRequestTooLong)",
        _QUOTAS,
        _batch_size,
    ),
)
ORDER_RULES: Final = (
    Rule(
        "queue-order",
        "A delay, visibility, wait or number of messages of a call is out of its range.",
        "delay 0 to 900 s, visibility 0 to 43,200 s, wait 0 to 20 s, 1 to 10 messages",
        _MODEL,
        _numbers,
    ),
)
