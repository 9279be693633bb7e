"""Lines of answers to questions about access, for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from groundwire.entry.cli.console import Row

REASONS: Final[Mapping[object, str]] = {
    "public": "Every user of the tenant may read it.",
    "named_user": "The readers name the user.",
    "tags": "The tags match.",
    "empty_policy": "Nobody may read it.",
    "no_match": "The readers name neither the user nor enough of the tags.",
    "ceiling": "The declared policy admits the person, and the ceiling does not.",
    "blocked": "The user is blocked: the server refuses every call.",
    "key_revoked": "The key is revoked.",
    "key_expired": "The key has expired.",
    "no_search_scope": "The key lacks the scope `search`.",
    "user_required": "The key requires a user in each call.",
    "identity_not_allowed": "The key refuses this user or these tags.",
    "not_indexed": "The document is not indexed, so that no search finds it.",
    "collection_not_covered": "The key does not cover the collection.",
}
_OUTCOMES: Final[Mapping[object, str]] = {
    "closed": "The person may not read the document.",
    "other_collection": "The call does not search the collection of the document.",
    "filtered": "No passage of the document passes the filter.",
    "not_a_candidate": "Neither words nor meaning of a passage are near enough to the question.",
    "near_duplicate": "Another document with nearly the same passage is shown in its place.",
    "beyond_top_n": "Other passages are better: ask for more with --top-n.",
    "below_floor": "Its passages are below the floor, or below the least relevance of the call.",
    "shown": "The search shows the document.",
}
_SOURCES: Final[Mapping[object, str]] = {
    "call": "of the call",
    "entry": "stored for the user",
    "key": "of the key",
    "token": "of the access token",
    None: "as given",
}


def explanation_lines(found: Row) -> Iterator[str]:
    """Yield the lines of an explanation of access."""
    person, document = cast("Row", found["person"]), cast("Row", found["document"])
    who = person["user"] or "A call without a user"
    verb = "may read" if found["allowed"] else "may not read"
    yield f"{who} {verb} {document['file']} ({document['doc_id']}). {REASONS[found['reason']]}"
    tags = ", ".join(cast("Sequence[str]", person["tags"])) or "none"
    ignored = f"; {person['tags_ignored']} more give no right" if person["tags_ignored"] else ""
    yield f"Tags {_SOURCES[person['tags_from']]}: {tags}{ignored}."
    yield f"Readers: {found['readers']}. Source of the policy: {found['policy_source']}."
    ceiling = cast("Row | None", found["ceiling"])
    if ceiling is not None:
        yield f"Ceiling set by {ceiling['decided_by'] or 'unknown'} at {ceiling['decided_at']}."
    if needed := cast("Sequence[str]", found["needed_tags"]):
        yield f"Without {' or '.join(needed)} there is no access."
    if missing := cast("Sequence[Sequence[str]]", found["missing_tags"]):
        yield f"Access would need {_alternatives(missing)} in addition."


def search_lines(found: Row) -> Iterator[str]:
    """Yield the lines about a document in a search."""
    yield _OUTCOMES[found["outcome"]]
    if found["outcome"] == "closed":
        yield from explanation_lines(cast("Row", found["access"]))
    passage, in_place = (cast("Row | None", found[name]) for name in ("passage", "shown_in_place"))
    if passage is not None:
        rank = "" if found["rank"] is None else f", rank {found['rank']}"
        yield f"Best passage: {passage['segment_uid']}{rank}, relevance {passage['relevance']}."
    if in_place is not None:
        yield f"In its place: {in_place['segment_uid']}."


def readers_lines(found: Row) -> Iterator[str]:
    """Yield the lines about the readers of a document."""
    document = cast("Row", found["document"])
    yield f"{document['file']} ({document['doc_id']}), collection {document['collection']}, {document['state']}"
    yield from list(_reader_lines(found)) or ["Nobody."]
    if found["users"] is None:
        yield "This key does not see the stored tags of users, nor the groups."
    if not found["complete"]:
        yield "There are more."


def _reader_lines(found: Row) -> Iterator[str]:
    if found["everyone"]:
        yield "Everyone: every user of the tenant."
    sets = [tags for tags in cast("Sequence[Sequence[str]]", found["tag_sets"]) if tags]
    if sets:
        yield f"Holders of {_alternatives(sets)}."
    users = cast("Sequence[Row] | None", found["users"])
    known = [{"user": user, "reason": "named_user"} for user in cast("Sequence[str]", found["named_users"])]
    for each in known if users is None else users:
        yield f"User {each['user']}: {each['reason']}{', blocked at present' if each.get('blocked') else ''}"
    for group in cast("Sequence[str] | None", found["groups"]) or ():
        yield f"Group {group}"
    for key in cast("Sequence[Row]", found["keys"]):
        how = (
            f"as {key['user'] or 'its own tags'}" if key["acts_as"] == "own_user" else "for users and tags of its calls"
        )
        yield f"Key {key['kid']} ({key['name']}): {how}"


def effect_lines(effect: Row) -> Iterator[str]:
    """Yield the lines about the effect of a change."""
    for title, side in (("Added", "added"), ("Removed", "removed")):
        changed = cast("Row", effect[side])
        lines = list(_changed_documents(changed) if "count" in changed else _changed_readers(changed))
        yield f"{title}: {lines[0] if len(lines) == 1 else 'nothing' if not lines else ''}".rstrip()
        yield from (f"  {line}" for line in lines if len(lines) > 1)
    if "everyone_after" in effect and effect["everyone_after"] != effect["everyone_before"]:
        yield "Everyone can read it afterwards." if effect["everyone_after"] else "No longer can everyone read it."
    if not effect["complete"]:
        yield "There is more than was counted."


def _changed_readers(changed: Row) -> Iterator[str]:
    for tags in cast("Sequence[Sequence[str]]", changed["tag_sets"]):
        yield f"holders of {' and '.join(tags)}" if tags else "everyone"
    users = cast("Sequence[str] | None", changed["users"])
    for user in cast("Sequence[str]", changed["named_users"]) if users is None else users:
        yield f"user {user}"
    for group in cast("Sequence[str] | None", changed["groups"]) or ():
        yield f"group {group}"
    for kid in cast("Sequence[str]", changed["keys"]):
        yield f"key {kid}"
    for name, count in cast("Mapping[str, int | None]", changed["counts"]).items():
        # A list ends at a number, and the count does not.
        if count is not None and count > len(cast("Sequence[str]", changed[name])):
            yield f"{count:,} {name} in all"


def _changed_documents(changed: Row) -> Iterator[str]:
    for collection, count in cast("Mapping[str, int]", changed["collections"]).items():
        yield f"{count} in {collection}"
    for document in cast("Sequence[Row]", changed["documents"]):
        yield f"{document['file']} ({document['doc_id']})"


def _alternatives(sets: Sequence[Sequence[str]]) -> str:
    return ", or ".join(" and ".join(tags) for tags in sets)
