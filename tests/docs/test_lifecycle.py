"""The diagram of a document's life in the docs is the one of the code."""

from tests.support.documentation.lifecycle_diagram import lifecycle_diagram
from tests.support.documentation.pages import ROOT


def test_the_diagram_of_a_documents_life_is_that_of_its_table() -> None:
    page = (ROOT / "docs" / "ingest" / "documents.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{lifecycle_diagram()}\n```" in page
