"""The worked example of the page on access: its policies are those of the samples, its answers those of the rule."""

import re
from typing import Final

import pytest
import yaml

from groundwire.domain.access.policy import Policy, Principal, decide, single_policy
from tests.support.documentation.pages import ROOT, rows, section, text_of

EXAMPLE: Final = section(text_of("access"), "Three people, three documents")
_NAME: Final = re.compile(r"`([^`]+)`")
_FIELDS: Final = re.compile(r"`(\w+): ([^`]+)`")


def documents() -> dict[str, str]:
    """The policy of each document as the page prints it."""
    return {_NAME.findall(row[0])[0]: row[1] for row in rows(EXAMPLE) if len(row) == 2 and row[0] != "document"}


def people() -> list[list[str]]:
    return [row for row in rows(EXAMPLE) if len(row) == 6 and row[0] != "person"]


def policy_of(fields: dict[str, object]) -> Policy:
    def names(field: str) -> frozenset[str]:
        value = fields.get(field, [])
        assert isinstance(value, list)
        return frozenset(map(str, value))

    return Policy(fields.get("public") is True, names("users"), names("any_tags"), names("all_tags"))


def printed_policy(printed: str) -> Policy:
    return policy_of({name: yaml.safe_load(value) for name, value in _FIELDS.findall(printed)})


@pytest.mark.parametrize("document", documents())
def test_the_policy_on_the_page_is_that_of_the_samples(document: str) -> None:
    [file] = (ROOT / "samples/documents").rglob(document)
    declared = yaml.safe_load((file.parent / ".policy.yaml").read_text(encoding="utf-8"))
    assert printed_policy(documents()[document]) == policy_of(declared)


def test_each_answer_of_the_table_is_that_of_the_rule() -> None:
    assert len(people()) == len(documents()) == 3
    for person, user, tags, *answers in people():
        [name] = _NAME.findall(user)
        principal = Principal("acme", name, frozenset(_NAME.findall(tags)))
        for answer, printed in zip(answers, documents().values(), strict=True):
            decision = decide(principal, single_policy(printed_policy(printed)))
            assert answer == (f"yes, `{decision.reason}`" if decision else "no"), person
