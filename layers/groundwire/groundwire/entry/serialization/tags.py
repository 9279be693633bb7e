"""JSON of the tags of a tenant."""

from typing import TYPE_CHECKING

from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.services.documents.tags.calls import TagCalls
    from groundwire.services.documents.tags.directory import TagList
    from groundwire.services.documents.tags.new_tags import NewTags
    from groundwire.services.documents.tags.rename import RenamePlan
    from groundwire.services.documents.tags.seen_callers import SeenCallers
    from groundwire.services.documents.tags.view import TagView


def tags_to_json(found: "TagList", view: "TagView") -> dict[str, object]:
    """Return the tags by name; numbers of what the view does not have are null."""
    return {"tags": _rows(found, view), "complete": found.is_complete}


def _rows(found: "TagList", view: "TagView") -> list[dict[str, object]]:
    return [
        {
            "tag": tag,
            "documents": use.documents,
            "collections": sorted(use.collections),
            "keys": use.keys,
            "max_tags": use.bounds,
            # Of the whole tenant, so that they would count what a bounded administrator may not see.
            "users": use.users if view.sees_tenant else None,
            "groups": use.groups if view.sees_tenant else None,
            "sources": use.sources if view.sees_tenant else None,
            "last_used": None if use.last_used is None else format_utc(use.last_used),
        }
        for tag, use in found.uses.items()
    ]


def tags_with_calls_to_json(found: "TagList", view: "TagView", calls: "TagCalls") -> dict[str, object]:
    """Return the tags by name with the last call that had each; null where the lines that were read show none."""
    rows = [{**row, "last_call": None} for row in _rows(found, view)]
    for row in rows:
        time = calls.last_call.get(str(row["tag"]))
        row["last_call"] = None if time is None else format_utc(time)
    return {"tags": rows, "complete": found.is_complete, "unrecognised_calls": calls.unrecognised}


def seen_callers_to_json(found: "SeenCallers") -> list[dict[str, object]]:
    """Return the callers of a part of the audit log."""
    return [
        {
            "user": each.user,
            "user_by": "token" if each.is_named_by_token else None,
            "kid": each.kid,
            "tags": None if each.tags is None else sorted(each.tags),
            "tags_hash": each.tags_hash,
            "calls": each.calls,
            "last_call": format_utc(each.last_call),
        }
        for each in found.callers
    ]


def rename_to_json(plan: "RenamePlan") -> dict[str, object]:
    """Return the uses that a renaming changes."""
    return {
        "tag": plan.old,
        "new_tag": plan.new,
        **rename_counts(plan),
        "from_policy_files": plan.from_files,
        "new_tag_in_use": plan.is_new_in_use,
    }


def rename_counts(plan: "RenamePlan") -> dict[str, int]:
    """Return the numbers of changed uses."""
    return {
        "documents": plan.documents,
        "deleted_documents": plan.deleted,
        "users": plan.users,
        "keys": plan.keys,
        "max_tags": plan.bounds,
        "groups": plan.groups,
        "sources": plan.sources,
    }


def new_tags_to_json(found: "NewTags") -> dict[str, object]:
    """Return the tags that nobody has, each with the tag that was probably meant."""
    return {
        "new": [{"tag": each.tag, "meant": each.meant} for each in found.tags],
        "complete": found.is_complete,
    }
