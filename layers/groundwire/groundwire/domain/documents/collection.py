"""Collections of documents and their settings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire.stored.fields import REQUIRED, Shown, field
from groundwire.stored.kinds import BOOLEAN, MOMENT, REAL, TEXT, enum_text
from groundwire.stored.stored_type import StoredType


class PolicyAuthority(StrEnum):
    """Authority over the readers of a collection's documents.

    `PEOPLE`: a person can limit what a file or an option declares. `FILES`: only files and options name readers; a
    person can still close a document, lift a ceiling and delete.
    """

    PEOPLE = "people"
    FILES = "files"


@dataclass(frozen=True, slots=True)
class Collection:
    """Named part of a tenant's documents with its own fusion weight.

    Attributes:
        bm25_weight: share of the BM25 signal, 0 to 1; the vector signal gets the rest.
        floor: least relevance of an answer's best passage, 0 to 1; 0: no floor; None: as fitted to the embedding model.
        language: ISO 639-1, for all its documents; None: detected for each document.
        description: what the collection holds, in its owner's words, on one line; None: not set.
        policy_authority: who names the readers of its documents.
        no_originals: no answer and no link gives the original file of its documents, or a picture of one.
        created_at: epoch seconds; None for a collection of a release that did not record it.
    """

    name: str
    bm25_weight: float
    language: str | None = None
    description: str | None = None
    floor: float | None = None
    created_at: float | None = None
    policy_authority: PolicyAuthority = PolicyAuthority.PEOPLE
    no_originals: bool = False


STORED_COLLECTION: Final = StoredType(
    Collection,
    field("name", TEXT, absent=REQUIRED),
    field("bm25_weight", REAL, absent=REQUIRED),
    field("language", TEXT, absent=None, shown=Shown.ALWAYS),
    field("description", TEXT, absent=None, shown=Shown.ALWAYS),
    field("floor", REAL, absent=None),
    field("policy_authority", enum_text(PolicyAuthority), absent=PolicyAuthority.PEOPLE),
    field("no_originals", BOOLEAN, absent=False),
    field("created_at", MOMENT, absent=None, shown=Shown.NEVER),
)
