"""The requests of Mindset AI's page, with URL and key changed only, are answered by the keys that the guides make."""

import re
from typing import Final

import pytest

from tests.docs.conftest import Reader
from tests.support.documentation import mindset_page
from tests.support.documentation.pages import README, ROOT, commands, text_of

CREATE: Final = "groundwire key create "
OPENED_BY_SALES: Final = {"sales-playbook.pptx", "frame-agreement-template.docx"}
"""Sample documents that a holder of `department:sales` may read, and a user without tags may not."""


GUIDES: Final = {"README.md": "--act-as", "docs/clients/mindset-ai.md": "--for mindset"}


@pytest.fixture(scope="module", params=GUIDES)
def key(request: pytest.FixtureRequest, reader: Reader) -> str:
    """The key that the guide makes for an agent that names its users."""
    wanted = f"{CREATE}--tenant acme {GUIDES[request.param]}"
    [typed] = [line for line in commands(ROOT / request.param) if line.startswith(wanted)]
    printed = reader.printed.get(typed) or reader.terminal.run(typed)
    [made] = re.findall(r"^gw_local_\w+$", printed, re.MULTILINE)
    return made


@pytest.mark.parametrize("request_of_the_page", mindset_page.REQUESTS)
def test_a_guides_key_answers_with_a_passage_that_only_one_of_the_tags_opens(
    reader: Reader, key: str, request_of_the_page: str
) -> None:
    typed = mindset_page.command(request_of_the_page, reader.terminal.server, key)
    sent = mindset_page.command(request_of_the_page, reader.terminal.server, key)
    for tag in mindset_page.TAGS[request_of_the_page]:
        sent = sent.replace(tag, f"not-{tag}")
    answers = [mindset_page.segments(reader.terminal.run(each)) for each in (typed, sent)]
    shown, without = [{segment["source_file_name"] for segment in each} for each in answers]
    assert 5 <= len(answers[0]) <= 10
    assert shown & OPENED_BY_SALES
    assert not without & OPENED_BY_SALES


def test_the_guide_for_mindset_makes_a_key_that_every_tag_counts_with() -> None:
    [typed] = [line for line in commands(ROOT / "docs" / "clients" / "mindset-ai.md") if line.startswith(CREATE)]
    assert "--for mindset --any-tag" in typed
    assert "Mindset" in text_of("mindset-ai")
    assert typed not in commands(README)
