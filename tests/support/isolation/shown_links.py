"""The links that callers were given, and the call that each was given in."""

from dataclasses import dataclass

from tests.support.isolation.expectations import Held, Holder, SentTags, Who

Call = tuple[Holder, str | None, SentTags | None]
"""Key, and the end user whom its holder names: id and tags; an empty text is a header without a value."""


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A link to a document, in the answer to a call."""

    call: Call
    doc_id: str
    address: str


class ShownLinks:
    """The latest link for each kind of call and each document."""

    def __init__(self) -> None:
        self._links: dict[tuple[str, str | None, SentTags | None, str], ShownLink] = {}

    def __len__(self) -> int:
        return len(self._links)

    def keep(self, call: Call, doc_id: str, address: str) -> None:
        """Keep a link that was just given."""
        holder, user, tags = call
        self._links[holder.key.key.kid, user, tags, doc_id] = ShownLink(call, doc_id, address)

    def at(self, number: int) -> ShownLink:
        """Return one of them, in turn."""
        return list(self._links.values())[number % len(self._links)]

    def to_document(self, tenant: str, doc_id: str) -> list[ShownLink]:
        """Return all links to a document."""
        return [each for each in self._links.values() if (each.call[0].tenant, each.doc_id) == (tenant, doc_id)]

    def by_holder(self, holder: Holder) -> list[ShownLink]:
        """Return all links that calls of a holder were given."""
        return [each for each in self._links.values() if each.call[0] is holder]

    def by_entry(self, tenant: str, user: str) -> list[ShownLink]:
        """Return the links for a user of calls that asserted no tags."""
        return [each for each in self._links.values() if (each.call[0].tenant, *each.call[1:]) == (tenant, user, None)]


def opens(link: ShownLink, held: Held, entries: dict[str, frozenset[str]]) -> bool:
    """Tell whether the link must open: as long as its call would be shown the document."""
    holder, user, tags = link.call
    who = holder.speaks_for(user, tags, entries)
    if not isinstance(who, Who) or held.deleted:
        return False
    return held.admits(who) and held.collection in holder.collections
