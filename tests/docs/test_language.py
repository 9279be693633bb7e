"""The pages are written in plain technical English: short sentences, one term per thing, narrow tables."""

import re
from typing import Final

import pytest

from tests.support.documentation.language import broken_rules, retired_words, running_text, sentences_of, words_of
from tests.support.documentation.pages import EVERY_PAGE, ROOT

PAGES: Final = {str(page.relative_to(ROOT)): page for page in EVERY_PAGE}
TEMPLATE_TEXTS: Final = re.findall(
    r"(?m)^ *\w*Description: (?:!Sub )?(.*)$", (ROOT / "template.yaml").read_text(encoding="utf-8")
)
"""What people read of parameters, outputs, functions and alarms when they deploy."""


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_keeps_the_rules_of_language(name: str) -> None:
    assert list(broken_rules(PAGES[name].read_text(encoding="utf-8"))) == []


def test_a_long_sentence_is_found_in_text_in_a_list_and_in_a_table() -> None:
    sentence = " ".join(["word"] * 26)
    for text in (f"{sentence}.", f"Short.\n\n* {sentence}", f"| a | b |\n|---|---|\n| c | {sentence} |"):
        assert [rule for rule in broken_rules(text) if rule.startswith("26 words")]


def test_a_page_of_long_sentences_breaks_the_rule_on_the_average() -> None:
    sentence = " ".join(["Word", *["word"] * 19]) + "."
    assert list(broken_rules(f"{sentence} {sentence}")) == ["20.0 words in a sentence on average"]


def test_a_wide_line_of_a_table_is_found() -> None:
    wide = "x" * 200
    assert [rule for rule in broken_rules(f"| {wide} |") if rule.startswith("table line")]


def test_blocks_and_headings_are_no_sentences() -> None:
    assert running_text("# Title\n\nOne.\n\n```sh\ntold\n```\n\n* Two\n* Three\n") == ["One.", "Two", "Three"]


def test_a_code_span_is_one_word_and_may_hold_a_retired_word() -> None:
    [sentence] = sentences_of("Run `groundwire said told` again.")
    assert len(words_of(sentence)) == 3
    assert retired_words(sentence) == []


def test_a_retired_word_or_phrase_is_found() -> None:
    assert retired_words("It stands there, as far as we know.") == ["stands", "as far as"]


def test_a_paragraph_is_split_at_the_ends_of_its_sentences() -> None:
    part = 'The limit is 1.5 MB (see `a.b`). Then stop! Does it? "Yes." It does.'
    assert len(sentences_of(part)) == 5


@pytest.mark.parametrize("line", TEMPLATE_TEXTS)
def test_a_description_of_the_template_keeps_the_rules_of_language(line: str) -> None:
    assert [rule for rule in broken_rules(line) if not rule.endswith("on average")] == []
