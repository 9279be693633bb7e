"""Rules of calls to buckets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_PAGES: Final = "https://docs.aws.amazon.com/AmazonS3/latest/userguide"
KEY_BYTES: Final = 1_024
METADATA_BYTES: Final = 2_048
LONGEST_S: Final = 604_800
DELETED_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class ObjectCall:
    """A call that names objects.

    Attributes:
        key: empty for a call of a bucket.
        metadata: of the user, by name without `x-amz-meta-`.
        lasts_s: seconds for which a presigned address is good; None for a call with a header of authorization.
        deleted: number of keys that the call deletes.
    """

    key: str
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    lasts_s: int | None = None
    deleted: int = 0


def _key(call: ObjectCall) -> Iterator[str]:
    size = len(call.key.encode())
    if size > KEY_BYTES:
        yield f"{call.key[:80]}…: {size:,} bytes, at most {KEY_BYTES:,}"


def _metadata(call: ObjectCall) -> Iterator[str]:
    size = sum(len(f"{name}{value}".encode()) for name, value in call.metadata.items())
    if size > METADATA_BYTES:
        yield f"{call.key[:80]}: {size:,} bytes, at most {METADATA_BYTES:,}"


def _age(call: ObjectCall) -> Iterator[str]:
    if call.lasts_s is not None and not 0 < call.lasts_s <= LONGEST_S:
        yield f"{call.key[:80]}: {call.lasts_s:,} s, 1 to {LONGEST_S:,}"


def _deleted(call: ObjectCall) -> Iterator[str]:
    if call.deleted > DELETED_AT_ONCE:
        yield f"{call.deleted:,} keys, at most {DELETED_AT_ONCE:,}"


OBJECT_RULES: Final = (
    Rule(
        "object-key",
        "The key of an object is too long.",
        "1,024 bytes long in UTF-8 (KeyTooLongError)",
        Source(f"{_PAGES}/object-keys.html", LOOKED_UP),
        _key,
    ),
    Rule(
        "object-metadata",
        "The user's metadata of an object are too large.",
        "2 KB, the bytes of each name and value in UTF-8 (MetadataTooLarge)",
        Source(f"{_PAGES}/UsingMetadata.html", LOOKED_UP),
        _metadata,
    ),
    Rule(
        "presigned-age",
        "A presigned address is good for too long.",
        "604,800 seconds, seven days",
        Source(f"{_PAGES}/using-presigned-url.html; AWS CLI reference: s3 presign", LOOKED_UP),
        _age,
    ),
    Rule(
        "objects-deleted",
        "A call deletes too many objects.",
        "up to 1,000 keys (MalformedXML)",
        Source("botocore service model s3, DeleteObjects", LOOKED_UP),
        _deleted,
    ),
)
