"""Source file of a document, as an ingestion names it, and who contributed it."""

import itertools
import unicodedata
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.policy_source import Ceiling, SourcedPolicy

_SLIDES: Final = frozenset({"pptx", "ppt", "pps", "ppsx", "odp"})
_SHEETS: Final = frozenset({"xlsx", "xlsm", "xls", "ods"})


def page_noun(file_name: str) -> str:
    """Return what people call a page of a file with this name or type: `slide`, `sheet` or `page`."""
    file_type = file_name.rpartition(".")[2].lower()
    return "slide" if file_type in _SLIDES else "sheet" if file_type in _SHEETS else "page"


@dataclass(frozen=True, slots=True)
class Contributor:
    """Key and user of the call that contributed a document.

    Attributes:
        key: id of the key; empty where there was none: an operator, an object of a bucket, or an earlier release.
        user: user for whom the key acted, or the operator's user of the operating system; empty if there was none.
    """

    key: str
    user: str

    def is_same_person(self, other: "Contributor") -> bool:
        """Return whether both are the same user, or the same key without one.

        An operator's user is one of the operating system, so it is never the user of a key.
        """
        is_same = self.user == other.user if self.user or other.user else self.key == other.key
        return bool(self.key) == bool(other.key) and is_same

    def is_concerned_by(self, ceiling: Ceiling) -> bool:
        """Return whether a limit that was set for one content concerns another content of this contributor."""
        decision = ceiling.decision
        return not ceiling.is_own or self.is_same_person(Contributor(decision.decided_key, decision.decided_by))

    def lasting_ceiling(self, ceiling: Ceiling | None, *, is_same_content: bool) -> Ceiling | None:
        """Return the ceiling beside a version of this contributor: one for own files of somebody else ends with it."""
        is_lasting = ceiling is None or is_same_content or self.is_concerned_by(ceiling)
        return ceiling if is_lasting else None

    def of_version_after(self, before: "Contributor", *, is_same_content: bool) -> "Contributor":
        """Return who contributed the version: `before` where that is the same person, or the content is the same."""
        return before if is_same_content or self.is_same_person(before) else self


_MOST_FORMS: Final = 16
"""Unicode forms of a path that are looked up: four names in it that have two forms each."""


def other_unicode_forms(path: str) -> tuple[str, ...]:
    """Return the path with its names in the other Unicode forms, composed and decomposed: none for most paths.

    A copy from another system may change the form of some names: of the file alone, below folders that are there.
    """
    if path.isascii():
        return ()
    names = [sorted({unicodedata.normalize(form, name) for form in ("NFC", "NFD")}) for name in path.split("/")]
    forms = itertools.islice(itertools.product(*names), _MOST_FORMS)
    return tuple(form for form in map("/".join, forms) if form != path)


NO_CONTRIBUTOR: Final = Contributor("", "")
"""Contributor of a document that no key contributed: nobody has a right over it by having contributed it."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """File from which a document is read, as its record takes it over.

    Attributes:
        path: path of ingestion. file_type: extension without its dot. parent: the document whose attachment it is.
        contributor: of the document that the file continues, or whoever brings the file in where it continues none.
            A new version changes it (`published`).
    """

    collection: str
    path: str
    name: str
    file_type: str
    source_url: str | None
    parent: str | None
    policy: SourcedPolicy
    contributor: Contributor = NO_CONTRIBUTOR
