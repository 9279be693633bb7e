"""Results of the operator function's actions."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from groundwire.domain.audit.facts import AuditFacts

NEW_TAGS = "new_tags"
"""Member with which a command states that its person has confirmed new tags; an action cannot put questions."""

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
