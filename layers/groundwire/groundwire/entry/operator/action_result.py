"""Results of the operator function's actions."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.audit.facts import AuditFacts

if TYPE_CHECKING:
    from groundwire.entry.serialization.object_reader import ObjectReader

NEW_TAGS = "new_tags"
"""Member with which a command states that its person has confirmed new tags; an action cannot put questions."""

PAGES: Final = "pages"
"""Member with which a command states that it reads all pages; an earlier command would show the first one as all."""

_MAX_ANSWER_BYTES: Final = 3_000_000
"""Size of the rows of one answer, half of what an invocation returns (6 MB; AWS Lambda guide, "Lambda quotas")."""


class AnswerRows(NamedTuple):
    """The rows that one answer holds, and whether there are more."""

    rows: list[Mapping[str, object]]
    has_more: bool


def rows_of_answer(rows: Iterable[Mapping[str, object]]) -> AnswerRows:
    """Return the first of the rows, at least one if there is any; the rest belongs to the next answer."""
    page, size = list[Mapping[str, object]](), 0
    for row in rows:
        # As Lambda's runtime encodes it, with an escape for each letter beyond ASCII.
        size += len(json.dumps(row))
        if page and size > _MAX_ANSWER_BYTES:
            return AnswerRows(page, has_more=True)
        page.append(row)
    return AnswerRows(page, has_more=False)


class ListPage(NamedTuple):
    """Part of a list that a command asks for.

    Attributes:
        is_paged: the command reads all pages; else it gets every row in one answer, as earlier commands do.
        after: position of the last row of the page before; None for the first page.
    """

    is_paged: bool
    after: str | None

    @classmethod
    def read(cls, fields: "ObjectReader") -> "ListPage":
        """Read the members of a command."""
        return cls(fields.boolean(PAGES), fields.optional_text("after"))

    def answer(self, name: str, rows: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, object]:
        """Return rows as the member `name`, and as `next` the position after which another page begins.

        Args:
            name: name of the member.
            rows: the rows after `after`, each with its own position.
        """
        positions = list[str]()

        def placed() -> Iterator[Mapping[str, object]]:
            for position, row in rows:
                positions.append(position)
                yield row

        if not self.is_paged:
            return {name: list(placed())}
        page = rows_of_answer(placed())
        return {name: page.rows, "next": positions[len(page.rows) - 1] if page.has_more else None}


@dataclass(frozen=True, slots=True)
class ActionResult:
    """A response and the facts for the audit log.

    Attributes:
        members: members of the response; may hold a key's secret.
        audit_facts: fields of the audit record; never hold a secret.
        read_after_audit: returns further members. It may fail: the change is done, and in the audit log by then.
    """

    # A log or a traceback that shows the result must not show a key.
    members: Mapping[str, object] = field(repr=False)
    audit_facts: AuditFacts
    read_after_audit: Callable[[], Mapping[str, object]] = dict[str, object]
