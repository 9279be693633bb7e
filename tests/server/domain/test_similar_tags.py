"""A slip in a tag is recognised, and a different tag is not called one."""

import pytest

from groundwire.domain.access.similar_tags import nearest_tag

KNOWN = ["team:legal", "department:hr", "department:sales", "level:1", "Q4-2024", "region:eu"]


@pytest.mark.parametrize(
    ("tag", "meant"),
    [
        ("team:legla", "team:legal"),
        ("team:lega", "team:legal"),
        ("tema:legal", "team:legal"),
        ("Team: Legal", "team:legal"),
        ("TEAM:LEGAL", "team:legal"),
        ("department:slaes", "department:sales"),
        ("departement:hr", "department:hr"),
        ("department:HR", "department:hr"),
        ("q4_2024", "Q4-2024"),
        ("department:it", None),
        ("department:marketing", None),
        ("level:2", None),
        ("Q4-2025", None),
        ("region:us", None),
        ("region", None),
        ("board", None),
        ("", None),
    ],
)
def test_a_slip_has_the_tag_that_was_meant(tag: str, meant: str | None) -> None:
    assert nearest_tag(tag, KNOWN) == meant


def test_the_tag_that_differs_least_was_meant() -> None:
    assert nearest_tag("team:legall", ["team:legalls", "team:legal", "team:LEGALL"]) == "team:LEGALL"
    assert nearest_tag("team:legal", []) is None
