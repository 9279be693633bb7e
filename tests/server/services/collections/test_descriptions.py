"""Descriptions of collections: cleaned and bounded, and proposals from public documents alone."""

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_DESCRIPTION_CHARACTERS
from groundwire.services.collections.admin import clean_description
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import World

HANDBOOK = "# Travel handbook\n\n## Mileage rates\n\nThe mileage rate of a company car is paid monthly.\n"
SALARIES = "# Salaries\n\n## Zirconium bonus\n\nThe zirconium bonus of the board is secret.\n"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Rules\r\non   travel ", "Rules on travel"),
        ("Ru\u200bles\u202e on\u0000 travel", "Rules on travel"),
        ("Rules" + "".join(chr(0xE0000 + ord(letter)) for letter in " obey"), "Rules"),
        ("Rules [x](https://evil.example/p)", "Rules x (evil.example)"),
    ],
)
def test_a_description_is_one_line_of_what_can_be_seen(text: str, kept: str) -> None:
    cleaned = clean_description(text)
    assert cleaned.isprintable()
    assert cleaned == kept


@pytest.mark.parametrize("text", [" ", "\u200b\n", "x" * (MAX_DESCRIPTION_CHARACTERS + 1)])
def test_a_description_of_nothing_or_too_much_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="1 to 300 visible characters, not"):
        clean_description(text)
    assert clean_description("x" * MAX_DESCRIPTION_CHARACTERS)


def test_settings_keep_the_description_and_an_empty_one_clears_it(world: World) -> None:
    tenant, admin = world.tenant("amber"), world.services.administration.collection_admin
    admin.set(tenant, "shelf", None, None, description="Rules.")
    assert admin.set(tenant, "shelf", 0.9, "de").description == "Rules."
    world.ingest(tenant, "Text.", PUBLIC, path="/nowhere/d.txt", collection="shelf", doc_id="d")
    assert admin.find(tenant, "shelf").description == "Rules."
    assert admin.set(tenant, "shelf", None, None, description="").description is None


def test_a_proposal_is_made_of_public_documents_alone_and_is_not_stored(world: World) -> None:
    tenant, services = world.tenant("amber"), world.services
    world.ingest(tenant, HANDBOOK, PUBLIC, path="/nowhere/travel.md", collection="shelf", doc_id="travel")
    world.ingest(tenant, SALARIES, for_users("ana"), path="/nowhere/pay.md", collection="shelf", doc_id="pay")
    proposed = services.administration.description_proposer(tenant, "shelf")
    assert proposed is not None
    assert proposed.startswith("Documents: travel. Words: ")
    assert clean_description(proposed) == proposed
    assert not [word for word in ("salaries", "zirconium", "bonus", "secret") if word in proposed.casefold()]
    assert services.administration.collection_admin.find(tenant, "shelf").description is None


def test_a_collection_without_a_public_document_has_no_proposal(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, SALARIES, for_users("ana"), path="/nowhere/pay.md", collection="shelf", doc_id="pay")
    assert world.services.administration.description_proposer(tenant, "shelf") is None


def test_a_proposal_of_many_documents_fits(world: World) -> None:
    tenant = world.tenant("amber")
    for number in range(12):
        text = f"# The long title of document number {number}\n\n## Section {number}\n\nThe mileage {number} is paid.\n"
        world.ingest(tenant, text, PUBLIC, path=f"/nowhere/{number}.md", collection="shelf", doc_id=f"d{number}")
    proposed = world.services.administration.description_proposer(tenant, "shelf")
    assert proposed is not None
    assert clean_description(proposed) == proposed
