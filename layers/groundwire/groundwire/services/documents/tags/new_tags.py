"""Tags that are not in use yet, and the tags that were probably meant instead."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.access.similar_tags import nearest_tag
from groundwire.domain.errors import Conflict
from groundwire.services.documents.tags.directory import TagDirectory, document_tags

if TYPE_CHECKING:
    from groundwire.services.documents.tags.view import TagView


class NewTag(NamedTuple):
    """Tag or prefix that nobody has within a view.

    Attributes:
        meant: a tag in use that differs by a slip; None without one.
    """

    tag: str
    meant: str | None


class NewTags(NamedTuple):
    """Tags that nobody has, by name.

    Attributes:
        is_complete: False where a limit ended the reading, so that somebody may have them.
    """

    tags: tuple[NewTag, ...]
    is_complete: bool


NOTHING_NEW = NewTags((), is_complete=True)


class NewTagFinder:
    """Finder of tags that nobody has; a tag in use ends the reading early."""

    def __init__(self, directory: TagDirectory) -> None:
        self._directory = directory

    def __call__(self, view: "TagView", entries: Iterable[str]) -> NewTags:
        """Return which of these tags, or prefixes that end in `*`, are not in use.

        Where no tag is in use yet, none is new: there is nothing to compare with.
        """
        wanted = {entry for entry in entries if entry != "*"}
        # A key that uses its own tags costs no read.
        wanted = _unused(wanted, view.own)
        if not wanted:
            return NOTHING_NEW
        known = self._directory.stored_tags(view)
        wanted = _unused(wanted, known)
        is_complete = True
        for document in self._directory.documents(view) if wanted else ():
            if document is None:
                is_complete = False
                break
            tags = document_tags(document)
            if not tags <= known:
                known |= tags
                wanted = _unused(wanted, tags)
            if not wanted:
                return NOTHING_NEW
        if not known:
            return NOTHING_NEW
        return NewTags(tuple(NewTag(entry, _meant(entry, known)) for entry in sorted(wanted)), is_complete)

    def check(self, view: "TagView", entries: Iterable[str], *, allows_new: bool) -> None:
        """Check that no tag is a slip: one that nobody has and that differs little from a tag in use.

        A tag that resembles no other passes, so that whoever gives correct tags need not know of this check.

        Raises:
            Conflict: a tag is probably a slip, and `allows_new` is False; the message names the tag that was meant.
        """
        if allows_new:
            return
        found = self(view, entries)
        slips = [each for each in found.tags if each.meant is not None] if found.is_complete else []
        if slips:
            raise Conflict(f"{describe(slips[0])} For a new tag, send `new_tags` with the value true.")


def describe(new: NewTag) -> str:
    """Return a sentence about a tag that nobody has."""
    meant = "" if new.meant is None else f" Did you mean {new.meant!r}?"
    return f"No document, user, key or group has the tag {new.tag!r}.{meant}"


def _unused(wanted: Iterable[str], known: Iterable[str]) -> set[str]:
    known_tags = set(known)
    return {
        entry
        for entry in wanted
        if entry not in known_tags
        and not (entry.endswith("*") and any(tag.startswith(entry[:-1]) for tag in known_tags))
    }


def _meant(entry: str, known: Iterable[str]) -> str | None:
    if not entry.endswith("*"):
        return nearest_tag(entry, known)
    # Prefixes are compared with the names before the colon, which most prefixes are.
    stem = entry[:-1].rstrip(":")
    meant = nearest_tag(stem, {tag.partition(":")[0] for tag in known if ":" in tag})
    return None if meant is None else f"{meant}:*"
