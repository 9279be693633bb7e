"""Versions of content for several programs: a Word file is read as Word shows it."""

import pytest

from groundwire_readers import WorkerParser
from tests.readers.office import docx_parts, package, paragraph, run

_SPACES = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:w16se="http://schemas.microsoft.com/office/word/2015/wordml/symex" '
    'xmlns:odd="urn:example:nobody-knows-it" '
)


def _texts(parser: WorkerParser, *body: str, attributes: str = "") -> list[str]:
    parts = docx_parts(*body)
    document = str(parts["word/document.xml"]).replace("<w:document ", f"<w:document {_SPACES} {attributes} ")
    parts["word/document.xml"] = document
    return [block.text for block in parser.parse(package(parts), "docx").blocks]


def _versions(*choices: tuple[str, str], fallback: str = "") -> str:
    chosen = "".join(f'<mc:Choice Requires="{requires}">{content}</mc:Choice>' for requires, content in choices)
    return f"<mc:AlternateContent>{chosen}<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"


@pytest.mark.parametrize(
    ("choices", "shown"),
    [
        ([("wps", "new")], "new"),
        ([("odd", "new")], "old"),
        ([("wps odd", "new")], "old"),
        ([("", "new")], "old"),
        ([("undeclared", "new")], "old"),
        ([("odd", "newest"), ("wps", "new")], "new"),
        ([("wps", "newest"), ("w16se", "new")], "newest"),
    ],
)
def test_the_first_version_whose_namespaces_word_knows_is_read(
    parser: WorkerParser, choices: list[tuple[str, str]], shown: str
) -> None:
    runs = [(requires, run(text)) for requires, text in choices]
    assert _texts(parser, paragraph(run("it is "), _versions(*runs, fallback=run("old")))) == [f"it is {shown}"]
    texts = [(requires, f"<w:t>{text}</w:t>") for requires, text in choices]
    within = f"<w:r>{_versions(*texts, fallback='<w:t>old</w:t>')}</w:r>"
    assert _texts(parser, paragraph(run("it is "), within)) == [f"it is {shown}"]


def test_a_prefix_is_known_by_its_namespace(parser: WorkerParser) -> None:
    version = _versions(("wps", run("new")), fallback=run("old"))
    assert _texts(parser, f'<w:p xmlns:wps="urn:example:other">{version}</w:p>', paragraph(version)) == ["old", "new"]


def test_hidden_text_of_a_version_is_left_out(parser: WorkerParser) -> None:
    hidden = _versions(("wps", "<w:t>SECRET</w:t>"))
    white = f'<w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr>{hidden}</w:r>'
    assert _texts(parser, paragraph(run("kept"), white)) == ["kept"]


def test_elements_that_word_ignores_are_left_out(parser: WorkerParser) -> None:
    ignored = "<odd:note><w:r><w:t>SECRET</w:t></w:r></odd:note>"
    assert _texts(parser, paragraph(run("kept"), ignored), attributes='mc:Ignorable="odd w16se"') == ["kept"]


def test_an_emoji_of_a_version_for_new_programs_is_read(parser: WorkerParser) -> None:
    emoji = '<w16se:symEx w16se:font="Segoe UI Emoji" w16se:char="1F60A"/>'
    version = _versions(("w16se", emoji), fallback="<w:t>\U0001f60a</w:t>")
    assert _texts(parser, paragraph(run("Good "), f"<w:r>{version}</w:r>", run("!"))) == ["Good \U0001f60a!"]
