"""Administration of collections."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal

from groundwire.domain.documents.collection import Collection, PolicyAuthority
from groundwire.domain.documents.ids import is_doc_id
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.limits import MAX_DESCRIPTION_CHARACTERS
from groundwire.domain.search.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.search.relevance import check_floor
from groundwire.ports import Clock, Collections
from groundwire.services.ingest.deletions.memory import LastingSettings
from groundwire_readers.text.normalisation import normalise

DETECT_LANGUAGE: Final = "auto"
"""Value for a collection's language that selects detection in each document."""
FITTED_FLOOR: Final = "auto"
"""Value for a collection's floor that selects the one of the embedding model's fit."""
_LANGUAGE: Final = re.compile(r"[a-z]{2}")


def check_collection_name(name: str) -> None:
    """Check the name of a collection.

    Raises:
        InvalidInput: the name is not valid.
    """
    if not is_doc_id(name):
        raise InvalidInput(f"{name!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")


def clean_description(text: str) -> str:
    """Return the description on one line, without invisible characters and active markup.

    Raises:
        InvalidInput: nothing is left, or more than `MAX_DESCRIPTION_CHARACTERS`.
    """
    cleaned = normalise(text)
    if not 0 < len(cleaned) <= MAX_DESCRIPTION_CHARACTERS:
        raise InvalidInput(
            f"A description has 1 to {MAX_DESCRIPTION_CHARACTERS} visible characters, not {len(cleaned)}."
        )
    return cleaned


def _check_ranking(bm25_weight: float | None, language: str | None) -> None:
    if bm25_weight is not None and not 0.0 <= bm25_weight <= 1.0:
        raise InvalidInput("The BM25 weight is a number from 0 (meaning only) to 1 (words only).")
    if language is not None and language != DETECT_LANGUAGE and _LANGUAGE.fullmatch(language) is None:
        raise InvalidInput(
            f"A language is a code of two letters such as `de`, or `{DETECT_LANGUAGE}`, not {language!r}."
        )


def _authority(text: str) -> PolicyAuthority:
    try:
        return PolicyAuthority(text)
    except ValueError:
        raise InvalidInput(f"The policy authority is `people` or `files`, not {text!r}.") from None


class CollectionAdmin:
    """Administration of collections: creation and settings."""

    def __init__(
        self, collections: Collections, end_deletion: Callable[[str, str], LastingSettings], clock: Clock
    ) -> None:
        """Initialise.

        Args:
            collections: store of collections.
            end_deletion: ends the deletion of a tenant's collection that a person creates again; returns the settings
                that last beyond it.
            clock: epoch seconds.
        """
        self._collections = collections
        self._end_deletion = end_deletion
        self._clock = clock

    def find(self, tenant: str, name: str) -> Collection:
        """Return the collection with this name.

        Raises:
            NotFound: there is no such collection.
        """
        for collection in self._collections.all(tenant):
            if collection.name == name:
                return collection
        raise NotFound(f"There is no collection {name!r}.", "collection")

    def set(
        self,
        tenant: str,
        name: str,
        bm25_weight: float | None,
        language: str | None,
        *,
        floor: float | Literal["auto"] | None = None,
        description: str | None = None,
        policy_authority: str | None = None,
        no_originals: bool | None = None,
    ) -> Collection:
        """Create the collection or change its settings; None keeps a setting, and an empty description clears it.

        A `floor` of `FITTED_FLOOR` is that of the embedding model's fit.

        Raises:
            InvalidInput: a value is not valid.
        """
        _check_ranking(bm25_weight, language)
        if floor != FITTED_FLOOR:
            check_floor(floor)
        check_collection_name(name)
        authority = None if policy_authority is None else _authority(policy_authority)
        existing = {collection.name: collection for collection in self._collections.all(tenant)}
        changed = existing.get(name, Collection(name, DEFAULT_BM25_WEIGHT, created_at=self._clock()))
        if bm25_weight is not None:
            changed = replace(changed, bm25_weight=bm25_weight)
        if language is not None:
            changed = replace(changed, language=None if language == DETECT_LANGUAGE else language)
        if description is not None:
            changed = replace(changed, description=clean_description(description) if description else None)
        if floor is not None:
            changed = replace(changed, floor=None if floor == FITTED_FLOOR else floor)
        if authority is not None:
            changed = replace(changed, policy_authority=authority)
        changed = replace(changed, no_originals=changed.no_originals if no_originals is None else no_originals)
        # An interrupted deletion leaves the collection: to set it cancels the deletion, so that its files come again.
        former = self._end_deletion(tenant, name)
        if name not in existing:
            # A person chose these settings of the former collection, and its deletion does not revoke them.
            changed = replace(
                changed,
                policy_authority=authority or former.policy_authority,
                no_originals=former.no_originals if no_originals is None else no_originals,
            )
        self._collections.put(tenant, changed)
        return changed
