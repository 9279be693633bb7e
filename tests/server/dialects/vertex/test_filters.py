"""`metadataFilter` is CEL: the documents that it finds, and the position that an error names."""

import pytest

from tests.server.dialects.vertex.company import PARENT, RETRIEVE, Company, request, texts, violations
from tests.support.isolation.policies import for_users

FIELD = "query.rag_retrieval_config.filter.metadata_filter"
PUMP = {"The wheel pump needs oil.", "The wheel pump stands in the cellar."}
WHEEL = {"A wheel has spokes."}
PLAIN = {"Bread is baked in the morning."}


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ('year == 2024 && month == "May"', PUMP),
        ("metadata.year < 2024", WHEEL),
        ('metadata["a-b"] == "x"', PUMP),
        ('"red" in tags', PUMP),
        ('tags == "red"', set[str]()),
        ("year != 2024", WHEEL),
        ("!(year == 2024)", WHEEL),
        ('month in ["May", "June"]', PUMP | WHEEL),
        ("!has(metadata.year)", PLAIN),
        ("year == 2024 || !has(metadata.nowhere)", PUMP | WHEEL | PLAIN),
        ('title.contains("x") || source_file_name == "plain.txt"', PLAIN),
        ("nowhere == 1", set[str]()),
        ("", PUMP | WHEEL | PLAIN),
        (None, PUMP | WHEEL | PLAIN),
    ],
)
def test_a_filter_finds_the_files_that_it_is_surely_true_of(company: Company, where: object, found: set[str]) -> None:
    assert set(texts(company.retrieve(request(filter={"metadataFilter": where})))) == found


@pytest.mark.parametrize(
    ("where", "column", "hint"),
    [
        ("year = 2024", 6, "=="),
        ('year == 2024 AND month == "May"', 14, "&&"),
        ("year == ", 9, ""),
        ("year", 1, ""),
        ("1 + 1", 3, "arithmetic"),
        ('month.matches("M.*")', 7, "matches"),
        ("(" * 100 + "year == 1" + ")" * 100, 66, "deep"),
    ],
)
def test_an_error_names_its_column(company: Company, where: str, column: int, hint: str) -> None:
    for error in (
        company.refusal(request(filter={"metadataFilter": where})),
        company.tool({"parent": PARENT, **request(filter={"metadataFilter": where})})["structuredContent"]["error"],
    ):
        assert violations(error) == [FIELD]
        assert str(column) in error["message"]
        assert hint in error["message"]


@pytest.mark.parametrize(
    "where", ["1 == 1 || year == 1", "!(year == 1)", "!has(metadata.year)", "!has(metadata.nowhere)", "year != 1"]
)
def test_no_filter_reveals_a_hidden_document(company: Company, where: str) -> None:
    answer = company.post(RETRIEVE, request(filter={"metadataFilter": where}, topK=100))
    assert b"code." not in answer.response.body
    assert b"vault" not in answer.response.body
    assert answer.status == (400 if where.startswith("1") else 200)


def test_a_hidden_documents_field_changes_no_answer(company: Company) -> None:
    def answers() -> list[bytes]:
        wheres = ("title == 'x'", "colour == 'red'", "colour = 1", "has(metadata.title)", "language != 'en'")
        bodies = [request(filter={"metadataFilter": each}) for each in wheres]
        return [company.post(RETRIEVE, body).response.body for body in bodies]

    before = answers()
    company.add("other", "A wheel of colour.", for_users("ben"), metadata={"colour": "red", "title": "x"})
    assert answers() == before
