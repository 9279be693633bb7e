"""The server's parser raises the errors of the domain where the readers raise their own."""

from pathlib import Path

import pytest

from groundwire.adapters.parse import ConfinedParser, ParserLimits, find_ocr_settings
from groundwire.domain.errors import DocumentRefused, ParserBroken, Unavailable


def test_an_unreadable_document_is_refused_with_the_reason_of_the_readers() -> None:
    with ConfinedParser(ParserLimits()) as parser, pytest.raises(DocumentRefused, match="there is no text in it"):
        parser.parse(b" \n", "txt")


def test_a_worker_that_does_not_start_is_a_broken_parser_with_a_remedy() -> None:
    with ConfinedParser(ParserLimits(), "tests.server.adapters.parse.no_such_worker") as parser:
        with pytest.raises(ParserBroken, match="does not start") as raised:
            parser.parse(b"A line of text.", "txt")
        assert raised.value.remedy == "run_doctor"


def test_missing_data_of_text_recognition_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"needs tlh\.traineddata"):
        find_ocr_settings(("tlh",), tmp_path)
