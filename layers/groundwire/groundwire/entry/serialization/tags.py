"""JSON of the tags of a tenant."""

from typing import TYPE_CHECKING

from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.services.documents.tags.directory import TagList
    from groundwire.services.documents.tags.new_tags import NewTags
    from groundwire.services.documents.tags.view import TagView


def tags_to_json(found: "TagList", view: "TagView") -> dict[str, object]:
    """Return the tags by name; numbers of what the view does not have are null."""
    rows = [
        {
            "tag": tag,
            "documents": use.documents,
            "collections": sorted(use.collections),
            "keys": use.keys,
            "max_tags": use.bounds,
            "users": use.users if view.sees_tenant else None,
            "groups": use.groups if view.sees_tenant else None,
            "sources": use.sources if view.sees_tenant else None,
            "last_used": None if use.last_used is None else format_utc(use.last_used),
        }
        for tag, use in found.uses.items()
    ]
    return {"tags": rows, "complete": found.is_complete}


def new_tags_to_json(found: "NewTags") -> dict[str, object]:
    """Return the tags that nobody has, each with the tag that was probably meant."""
    return {
        "new": [{"tag": each.tag, "meant": each.meant} for each in found.tags],
        "complete": found.is_complete,
    }
