"""The generated clients are those of the REST API, have exact types, and show a person the sources of passages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.company import Company, named
from tests.support.documentation.pages import ROOT
from tests.support.engines.installers.node import NODE, packages
from tests.support.engines.missing import Absent
from tests.support.engines.missing import answer as leave_out
from tools.rest_clients.__main__ import CLIENTS, files
from tools.rest_clients.schema_types import PYTHON, TYPESCRIPT, type_of

EXAMPLES = {
    "python": [sys.executable, str(CLIENTS / "python" / "example.py")],
    "typescript": [str(NODE), str(CLIENTS / "typescript" / "example.ts")],
}
QUESTION = "How much does the blue pump take?"


def test_the_clients_are_those_of_the_api() -> None:
    """`python -m tools.rest_clients` writes them anew."""
    assert {path: path.read_text(encoding="utf-8") for path in files()} == files()


def test_the_client_for_typescript_and_its_example_have_no_type_error() -> None:
    folder = CLIENTS / "typescript"
    try:
        installed = packages(folder / "package-lock.json", ROOT / ".cache" / "typescript")
    except Absent as absent:
        leave_out(absent)
    checker = [str(NODE), str(installed / "typescript" / "bin" / "tsc"), "-p", str(folder)]
    checked = subprocess.run(checker, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.parametrize("language", EXAMPLES)
def test_the_example_shows_a_person_the_sources_of_readable_passages(company: Company, language: str) -> None:
    company.ingest("pump.md", "# Pump\n\nThe blue pump takes 40 litres.\n", named("maria"))
    mine, others = (run(company, language, user) for user in ("maria", "otto"))
    assert "The blue pump takes 40 litres." in mine
    assert "Source: pump.md\n" in mine
    assert f"Open: {company.server.url}/" in mine
    assert "pump" not in others


@pytest.mark.parametrize("language", EXAMPLES)
def test_a_wrong_key_is_an_error_with_its_status(company: Company, language: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as error:
        run(company, language, "maria", key="gw_wrong")
    assert "HTTP 401" in error.value.stderr


def run(company: Company, language: str, user: str, key: str | None = None) -> str:
    own = company.agent.headers["authorization"].removeprefix("Bearer ")
    environment = {"PATH": os.environ["PATH"], "URL": company.server.url, "KEY": own if key is None else key}
    command = [*EXAMPLES[language], QUESTION, user, "team:sales"]
    return subprocess.run(
        command, env=environment, cwd=Path(EXAMPLES[language][1]).parent, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("schema", "python", "typescript"),
    [
        ({"$ref": "#/components/schemas/Steps"}, "Steps", "Steps"),
        ({"anyOf": [{"type": "integer"}, {"type": "number"}, {"type": "null"}]}, "int | float | None", "number | null"),
        ({"enum": ["a", "b"]}, 'Literal["a"] | Literal["b"]', '"a" | "b"'),
        ({"const": 1}, "Literal[1]", "1"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "list[str | None]",
         "Array<string | null>"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "dict[str, float]", "Record<string, number>"),
        ({"type": "object", "additionalProperties": True}, "dict[str, object]", "Record<string, unknown>"),
        ({"title": "Any"}, "object", "unknown"),
    ],
)  # fmt: skip
def test_a_schema_has_one_type_in_each_language(schema: dict[str, object], python: str, typescript: str) -> None:
    assert (type_of(schema, PYTHON), type_of(schema, TYPESCRIPT)) == (python, typescript)


@pytest.mark.parametrize("schema", [{"allOf": []}, {"type": "tuple"}, {"not": {}}])
def test_a_schema_without_a_known_type_ends_the_generator(schema: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="knows no type"):
        type_of(schema, PYTHON)
