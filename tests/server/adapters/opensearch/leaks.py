"""Adapters with one bug each in what a search is narrowed by: every one shows somebody what they may not see."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from groundwire.adapters.opensearch.query import request_bodies
from groundwire.adapters.opensearch.query.row_reader import RowReader, StoredRow
from groundwire.adapters.opensearch.schema import access_filter, rows
from groundwire.adapters.opensearch.schema.access_filter import Clause
from groundwire.domain.access.policy import Principal, Readers
from groundwire.ports import IndexQuery

Bug = Callable[[pytest.MonkeyPatch], None]


def all_tags_unasked(patch: pytest.MonkeyPatch) -> None:
    """Remove `terms_set`, which compares the count of `all_tags`."""
    no_any: Clause = {"term": {"has_any_tags": False}}
    _by_tags(patch, lambda tags, _prefix: access_filter.any_of([no_any, {"terms": {"any_tags": tags}}]))


def one_of_all_tags_is_enough(patch: pytest.MonkeyPatch) -> None:
    """Filter by `all_tags` as by `any_tags`: one of them is enough."""
    fields = ("any_tags", "all_tags")
    _by_tags(patch, lambda tags, _prefix: access_filter.any_of([{"terms": {field: tags}} for field in fields]))


def policies_without_tags_match(patch: pytest.MonkeyPatch) -> None:
    """Who has a tag meets what asks for none, though it names users or nobody at all."""
    by_tags = access_filter._by_tags

    def without_the_exception(tags: list[str], prefix: str) -> Clause:
        return {"bool": {"filter": by_tags(tags, prefix)["bool"]["filter"]}}

    _by_tags(patch, without_the_exception)


def no_tags_match_all(patch: pytest.MonkeyPatch) -> None:
    """A session without tags is not filtered."""
    readable_by = access_filter.readable_by

    def careless(who: Principal) -> Clause:
        return readable_by(who) if who.tags else {"match_all": {}}

    patch.setattr(request_bodies, "readable_by", careless)


def no_user_is_every_user(patch: pytest.MonkeyPatch) -> None:
    """A session without a user meets what names any."""
    readable_by = access_filter.readable_by

    def careless(who: Principal) -> Clause:
        named: Clause = {"exists": {"field": "users"}}
        return readable_by(who) if who.user else access_filter.any_of([readable_by(who), named])

    patch.setattr(request_bodies, "readable_by", careless)


def any_tags_are_enough(patch: pytest.MonkeyPatch) -> None:
    """Skip the check of `all_tags` for whoever holds one of `any_tags`."""
    by_tags = access_filter._by_tags
    _by_tags(patch, lambda tags, prefix: access_filter.any_of([by_tags(tags, prefix), {"terms": {"any_tags": tags}}]))


def ceilings_unasked(patch: pytest.MonkeyPatch) -> None:
    """Filter by the declared policy alone."""

    def careless(who: Principal) -> Clause:
        return access_filter.any_of(access_filter._admitting(who, ""))

    patch.setattr(request_bodies, "readable_by", careless)


def collections_unasked(patch: pytest.MonkeyPatch) -> None:
    """Every collection is searched."""

    def scope(query: IndexQuery) -> list[Clause]:
        return [access_filter.readable_by(query.principal)]

    patch.setattr(request_bodies, "scope_filters", scope)


def unfiltered(signal: str) -> Bug:
    """One of the searches goes without access rule."""

    def bug(patch: pytest.MonkeyPatch) -> None:
        narrowed = getattr(request_bodies, signal)

        def wide(requested: object, _filters: object, *rest: Any) -> dict[str, Any]:
            return narrowed(requested, [], *rest)

        patch.setattr(request_bodies, signal, wide)

    return bug


def _by_tags(patch: pytest.MonkeyPatch, rule: Callable[[list[str], str], Clause]) -> None:
    patch.setattr(access_filter, "_by_tags", rule)


ASKING: Final[Mapping[str, Bug]] = {
    "all_tags are not asked for": all_tags_unasked,
    "one of all_tags is enough": one_of_all_tags_is_enough,
    "policies without tags match": policies_without_tags_match,
    "no tags match everything": no_tags_match_all,
    "no user is every user": no_user_is_every_user,
    "any_tags are enough": any_tags_are_enough,
    "ceilings are not asked for": ceilings_unasked,
    "collections are not asked for": collections_unasked,
    "the search by words is not filtered": unfiltered("lexical_search"),
    "the search by meaning is not filtered": unfiltered("semantic_search"),
    "the search by windows is not filtered": unfiltered("window_search"),
}
"""Bugs of a search, by what is wrong."""


def all_tags_uncounted(patch: pytest.MonkeyPatch) -> None:
    """Rows say that they ask for no tag of `all_tags`."""

    def fields(readers: Readers) -> dict[str, Any]:
        return {**access_filter.readers_fields(readers), "all_tags_count": 0}

    patch.setattr(rows, "readers_fields", fields)


def everything_is_public(patch: pytest.MonkeyPatch) -> None:
    """Rows without tags say that they are public."""

    def fields(readers: Readers) -> dict[str, Any]:
        reported, policy = access_filter.readers_fields(readers), readers.declared
        return {**reported, "public": not (policy.users or policy.any_tags or policy.all_tags) or policy.public}

    patch.setattr(rows, "readers_fields", fields)


def ceilings_unwritten(patch: pytest.MonkeyPatch) -> None:
    """Rows say that they have no ceiling."""

    def fields(readers: Readers) -> dict[str, Any]:
        return {**access_filter.readers_fields(readers), "has_ceiling": False}

    patch.setattr(rows, "readers_fields", fields)


WRITING: Final[Mapping[str, Bug]] = {
    "all_tags are not counted": all_tags_uncounted,
    "a policy without anybody is public": everything_is_public,
    "ceilings are not written": ceilings_unwritten,
}
"""Bugs of what is written of a policy."""


def windows_stay_behind(patch: pytest.MonkeyPatch) -> None:
    """A change reaches passages and not their windows."""
    stored, whole = RowReader.stored_rows, RowReader.full_rows

    def stored_passages(reader: RowReader, *filters: Clause) -> list[StoredRow]:
        return [each for each in stored(reader, *filters) if each.is_passage]

    def whole_passages(reader: RowReader, *filters: Clause) -> Iterator[tuple[str, dict[str, Any]]]:
        return (each for each in whole(reader, *filters) if each[1]["kind"] == rows.PASSAGE)

    patch.setattr(RowReader, "stored_rows", stored_passages)
    patch.setattr(RowReader, "full_rows", whole_passages)
