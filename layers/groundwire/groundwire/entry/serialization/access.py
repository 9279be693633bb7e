"""JSON of questions about access and of their answers, the same for REST and command line."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from groundwire.domain.access.policy_input import policy_from_mapping, policy_to_mapping
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_PHRASES
from groundwire.entry.serialization.readers import ceiling_to_json, describe_readers

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Principal
    from groundwire.domain.documents.record import Document
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.services.documents.browse.access.check import AccessExplanation
    from groundwire.services.documents.browse.access.explanation import ReadersExplanation
    from groundwire.services.documents.browse.access.person import Person
    from groundwire.services.documents.browse.access.readable import ReadablePage
    from groundwire.services.documents.browse.access.readers import DocumentReaders, GainedReaders, KeyReader
    from groundwire.services.documents.browse.access.view import AccessView
    from groundwire.services.documents.browse.access.what_if import (
        AccessEffect,
        AccessTrial,
        DocumentsEffect,
        ReadersEffect,
    )
    from groundwire.services.documents.browse.access.why_not import SearchExplanation, SearchQuestion
    from groundwire.services.search import Passage

JsonObject = dict[str, object]


def explanation_to_json(found: "AccessExplanation", view: "AccessView") -> JsonObject:
    """Return whether a person may read a document, why, and what would change it."""
    document, readers = found.document, found.readers
    return {
        "allowed": found.allowed,
        "reason": found.reason.value,
        "person": person_to_json(found.person, view),
        "document": document_to_json(document),
        "readers": describe_readers(document.readers),
        "policy": policy_to_mapping(document.policy),
        "policy_source": document.policy_source.value,
        "ceiling": ceiling_to_json(document.ceiling),
        **_clauses(readers),
        "missing_tags": _tag_sets(readers.missing_tags),
    }


def visibility_to_json(principal: "Principal", document: "Document") -> JsonObject:
    """Return why a principal may read a document, in the words of a question about access."""
    from groundwire.services.documents.browse.access.explanation import explain_readers

    readers = explain_readers(principal, document.readers)
    return {"reason": readers.decision.reason.value, **_clauses(readers)}


def _clauses(readers: "ReadersExplanation") -> JsonObject:
    return {
        "policy_reason": readers.declared.reason.value,
        "ceiling_reason": None if readers.ceiling is None else readers.ceiling.reason.value,
        # Sorted, as sets have another order in each process.
        "needed_tags": sorted(readers.needed_tags),
        "needs_user": readers.needs_user,
    }


def person_to_json(person: "Person", view: "AccessView") -> JsonObject:
    """Return the person of a question, as a call would have it."""
    return {
        "user": person.principal.user,
        "tags": sorted(person.principal.tags),
        "tags_from": None if person.source is None else person.source.value,
        "tags_ignored": person.tags_ignored,
        "kid": None if person.key is None else person.key.kid,
        # A bounded administrator learns of no block, so that null is not false.
        "blocked": person.is_blocked if view.sees_blocks else None,
        "refused": None if person.denial is None else person.denial.value,
    }


def document_to_json(document: "Document") -> JsonObject:
    """Return the members that identify a document for a person."""
    return {
        "doc_id": document.doc_id,
        "collection": document.collection,
        "file": document.source_file_name,
        "title": document.title,
        "state": document.state.value,
    }


def search_explanation_to_json(found: "SearchExplanation", view: "AccessView") -> JsonObject:
    """Return what became of a document in a search, with the explanation of the access to it."""
    return {
        "outcome": found.outcome.value,
        "rank": found.rank,
        "passage": _passage(found.passage),
        "shown_in_place": _passage(found.shown_in_place),
        "access": explanation_to_json(found.access, view),
    }


def _passage(passage: "Passage | None") -> JsonObject | None:
    if passage is None:
        return None
    # Four digits, as in the answers of agents: more would differ between processors.
    relevance = None if passage.relevance is None else round(passage.relevance, 4)
    return {"segment_uid": passage.segment.uid, "doc_id": passage.document.doc_id, "relevance": relevance}


def readers_to_json(found: "DocumentReaders") -> JsonObject:
    """Return the readers of a document; lists that the view does not have are null."""
    users = (
        None
        if found.users is None
        else [{"user": each.user, "reason": each.reason.value, "blocked": each.is_blocked} for each in found.users]
    )
    return {
        "document": document_to_json(found.document),
        "everyone": found.is_everyone,
        "tag_sets": _tag_sets(found.tag_sets),
        "named_users": list(found.named),
        "users": users,
        "groups": None if found.groups is None else list(found.groups),
        "keys": [_key(each) for each in found.keys],
        "complete": found.is_complete,
    }


def readable_to_json(page: "ReadablePage", view: "AccessView") -> JsonObject:
    """Return a part of the documents that a person can read; `next` is the id after which the next part starts."""
    rows = [{**document_to_json(each.document), "reason": each.reason.value} for each in page.documents]
    return {"person": person_to_json(page.person, view), "documents": rows, "next": page.next_after}


def effect_to_json(effect: "AccessEffect") -> JsonObject:
    """Return the effect of a change: on the readers of a document, or on the documents of somebody."""
    from groundwire.services.documents.browse.access.what_if import ReadersEffect

    if isinstance(effect, ReadersEffect):
        return _readers_effect(effect)
    return _documents_effect(effect)


def _readers_effect(effect: "ReadersEffect") -> JsonObject:
    return {
        "document": document_to_json(effect.document),
        # Both, since the sets of tags below are empty where everyone may read.
        "everyone_before": effect.was_everyone,
        "everyone_after": effect.is_everyone,
        "added": _gained(effect.gained),
        "removed": _gained(effect.lost),
        "complete": effect.gained.is_complete and effect.lost.is_complete,
    }


def _gained(side: "GainedReaders") -> JsonObject:
    lists = {"users": side.users, "groups": side.groups, "keys": side.keys}
    return {
        "tag_sets": _tag_sets(side.tag_sets),
        "named_users": list(side.named),
        **{name: None if found is None else list(found.listed) for name, found in lists.items()},
        "counts": {name: None if found is None else found.number for name, found in lists.items()},
    }


def _documents_effect(effect: "DocumentsEffect") -> JsonObject:
    return {
        "added": _documents(effect.gained, effect.gained_by_collection),
        "removed": _documents(effect.lost, effect.lost_by_collection),
        "complete": effect.is_complete,
    }


def _documents(listed: "Iterable[Document]", counts: Mapping[str, int]) -> JsonObject:
    return {
        "count": sum(counts.values()),
        "collections": dict(counts),
        "documents": list(map(document_to_json, listed)),
    }


def _key(found: "KeyReader") -> JsonObject:
    key = found.key
    return {
        "kid": key.kid,
        "name": key.name,
        "kind": key.kind.value,
        "user": key.user,
        "acts_as": found.role.value,
        "blocked": found.is_blocked,
    }


def _tag_sets(sets: Iterable[frozenset[str]]) -> list[list[str]]:
    return [sorted(tags) for tags in sets]


def read_change(fields: "ObjectReader") -> "AccessTrial":
    """Return the change that a question names by `change`, with its members.

    Raises:
        InvalidInput: there is no such change, or a member is missing.
    """
    from groundwire.services.documents.browse.access.what_if import (
        BlockTrial,
        BoundTrial,
        GroupTrial,
        ReadersTrial,
        TagsTrial,
    )

    match kind := fields.text("change"):
        case "policy":
            policy = policy_from_mapping(fields.value("policy"), "`policy`")
            return ReadersTrial(fields.text("document"), policy)
        case "tags":
            return TagsTrial(fields.text("user"), fields.texts("tags"))
        case "group":
            return GroupTrial(fields.text("group"), fields.texts("tags"))
        case "max_tags":
            return BoundTrial(fields.text("kid"), fields.texts("max_tags"))
        case "block":
            return BlockTrial(fields.text("user"))
        case _:
            raise InvalidInput(f"There is no change {kind!r}: use policy, tags, group, max_tags or block.")


def read_search(fields: "ObjectReader") -> "SearchQuestion":
    """Return the search of a question.

    Raises:
        InvalidInput: a member is missing or not valid.
    """
    from groundwire.domain.filters.own.parser import parse_filter
    from groundwire.domain.keys.grants import ALL_COLLECTIONS
    from groundwire.services.documents.browse.access.why_not import SearchQuestion

    phrases, where = fields.texts("phrases"), fields.optional_text("where")
    if not phrases or len(phrases) > MAX_PHRASES or not all(each.strip() for each in phrases):
        raise InvalidInput(f"`phrases` must be a list of 1 to {MAX_PHRASES} texts, the question first.")
    collections = frozenset(fields.texts("collections")) if fields.is_given("collections") else ALL_COLLECTIONS
    top_n = fields.integer("top_n", 0) or None
    return SearchQuestion(
        phrases,
        collections,
        None if where is None else parse_filter(where),
        top_n,
        fields.optional_number("min_relevance"),
    )
