"""Types of files that are ingested, and those that a walk leaves out."""

import pytest

from groundwire.services.ingest.source_objects.file_types import (
    LEGACY_OFFICE_EXTENSIONS,
    READABLE_EXTENSIONS,
    describe_types,
    is_readable_type,
)
from groundwire_readers import formats
from groundwire_readers.errors import UnreadableDocument


def test_the_table_holds_what_the_parser_reads_and_the_old_types_that_it_refuses_with_a_hint() -> None:
    assert all(formats.is_supported(f"a.{extension}") for extension in READABLE_EXTENSIONS)
    assert set(formats._BY_EXTENSION) == READABLE_EXTENSIONS
    for extension in LEGACY_OFFICE_EXTENSIONS:
        with pytest.raises(UnreadableDocument, match="save it as"):
            formats.declared_format(b"x", extension)


@pytest.mark.parametrize("name", ["a.md", "A.PDF", "/x.css/b.html", "old.doc", "a.tar.json", "a.m\u200bd"])
def test_a_name_of_a_type_that_is_read_is_ingested(name: str) -> None:
    assert is_readable_type(name)


@pytest.mark.parametrize("name", ["a.css", "b.js", "logo.png", "a.md.gz", "/x.md/Makefile", "README", ".md", "a."])
def test_a_name_of_another_type_is_left_out(name: str) -> None:
    assert not is_readable_type(name)


def test_types_are_counted_by_their_extension_and_odd_ones_are_not_shown() -> None:
    names = ["/a/b.css", "c.CSS", "d.js", "Makefile", "x.\x1b[31m", f"y.{'z' * 40}"]
    assert describe_types(names) == "2 .css, 2 of other types, 1 .js, 1 without an extension"
    assert not describe_types([])
