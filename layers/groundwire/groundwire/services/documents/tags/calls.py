"""Last use of tags by calls, from the audit log, which has a hash of the tags of each call and no tag.

A hash is recognised by trying sets of tags that are in use. So the answer needs no write by a call.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, islice
from typing import Final, NamedTuple

from groundwire.domain.access.policy import Principal
from groundwire.domain.access.tags import is_tag_covered
from groundwire.domain.audit.lines import person_facts
from groundwire.services.documents.tags.directory import TagStores

MOST_TAGS_COMBINED: Final = 3
"""Calls with more tags are recognised only where a user or a key has exactly these."""
_MAX_TRIED: Final = 100_000
"""Sets that are tried, which takes about half a second."""


class TagCalls(NamedTuple):
    """Calls of a tenant by their tags.

    Attributes:
        last_call: time of the last call with a tag, as epoch seconds.
        unrecognised: number of calls with tags that could not be recognised.
    """

    last_call: Mapping[str, float]
    unrecognised: int


class TagCallReader:
    """Reader of calls in lines of the audit log."""

    def __init__(self, stores: TagStores) -> None:
        self._stores = stores

    def __call__(self, tenant: str, records: Iterable[Mapping[str, object]], tags: Iterable[str]) -> TagCalls:
        """Return when calls last had each tag.

        Args:
            tenant: only its calls.
            records: lines of the audit log, in any order.
            tags: tags that are in use.
        """
        times, counts = _by_hash(tenant, records)
        last_call = dict[str, float]()
        found = self.recognised(tenant, times, tags)
        for name, tried in found.items():
            last_call |= {tag: max(times[name], last_call.get(tag, 0.0)) for tag in tried}
        return TagCalls(last_call, sum(counts[name] for name in times if name not in found))

    def recognised(self, tenant: str, hashes: Iterable[str], tags: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return the tags of each hash that could be recognised.

        Args:
            tenant: its keys and users have sets of tags.
            hashes: of the tags of calls.
            tags: tags that are in use.
        """
        unknown, found = set(hashes), dict[str, frozenset[str]]()
        combined = chain([frozenset[str]()], self._held(tenant), _combined(sorted(tags)))
        for tried in islice(combined, _MAX_TRIED):
            if not unknown:
                break
            name = _hash(tried)
            if name in unknown:
                unknown.remove(name)
                found[name] = tried
        return found

    def _held(self, tenant: str) -> Iterator[frozenset[str]]:
        """Yield the tags of each key and user, and the part of a user's tags that each key lets count."""
        keys = self._stores.keys.all(tenant)
        yield from (key.tags for key in keys)
        bounds = {key.max_tags for key in keys}
        for _, tags in self._stores.users.all(tenant):
            yield tags
            for bound in bounds:
                yield frozenset(tag for tag in tags if is_tag_covered(bound, tag))


def _combined(tags: list[str]) -> Iterator[frozenset[str]]:
    for size in range(1, MOST_TAGS_COMBINED + 1):
        yield from map(frozenset, combinations(tags, size))


def _hash(tags: frozenset[str]) -> str:
    return person_facts(Principal("", None, tags))["tags_hash"]


def _by_hash(tenant: str, records: Iterable[Mapping[str, object]]) -> tuple[dict[str, float], dict[str, int]]:
    times, counts = dict[str, float](), dict[str, int]()
    for record in records:
        name, time = record.get("tags_hash"), record.get("time")
        # A search by command has no key: the tags are those of the operator's try.
        if record.get("tenant") == tenant and record.get("kid") and isinstance(name, str) and isinstance(time, float):
            times[name] = max(time, times.get(name, 0.0))
            counts[name] = counts.get(name, 0) + 1
    return times, counts
