"""Forms of issues and the template of pull requests: valid, in plain language, with links that lead somewhere."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.server.template.github_schemas import validate
from tests.support.documentation.language import broken_rules

ROOT: Final = Path(__file__).parents[3]
CHOOSER: Final = ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"
FORMS: Final = {file.stem: file for file in CHOOSER.parent.glob("*.yml") if file != CHOOSER}
PULL_REQUEST: Final = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
_PAGES: Final = {"../security/policy": "SECURITY.md"}
"""Pages of GitHub that show a file of the checkout."""


def parts(name: str) -> list[Mapping[str, Any]]:
    return yaml.safe_load(FORMS[name].read_text(encoding="utf-8"))["body"]


def texts(name: str) -> Iterator[str]:
    """Yield what a person reads in a form."""
    for part in parts(name):
        yield from (part["attributes"][kind] for kind in ("value", "description") if kind in part["attributes"])


def targets(text: str) -> list[Path]:
    """Return the files to which the relative links of an issue or of a pull request lead."""
    links: list[str] = re.findall(r"\]\((\S+)\)", text)
    return [ROOT / _PAGES.get(link, link.removeprefix("../blob/HEAD/")) for link in links]


def required(name: str) -> list[str]:
    return [part["id"] for part in parts(name) if part.get("validations", {}).get("required")]


def test_the_forms_and_their_list_are_valid_by_the_schemas() -> None:
    for schema, files in (("github-issue-forms", [*FORMS.values()]), ("github-issue-config", [CHOOSER])):
        done = validate(schema, *files)
        assert done.returncode == 0, done.stdout


def test_a_form_with_an_unknown_kind_of_field_is_found_by_the_schema(tmp_path: Path) -> None:
    broken = tmp_path / "bug.yml"
    broken.write_text(FORMS["bug"].read_text(encoding="utf-8").replace("type: input", "type: line"), encoding="utf-8")
    assert validate("github-issue-forms", broken).returncode == 1


def test_an_issue_needs_a_form_and_each_form_what_its_reader_needs() -> None:
    assert yaml.safe_load(CHOOSER.read_text(encoding="utf-8")) == {"blank_issues_enabled": False}
    assert {name: required(name) for name in sorted(FORMS)} == {
        "bug": ["steps", "result", "expected", "version", "place"],
        "feature": ["problem", "outcome"],
    }


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_form_leads_away_a_vulnerability_before_its_first_question(name: str) -> None:
    first, *_ = parts(name)
    assert first["type"] == "markdown"
    assert ROOT / "SECURITY.md" in targets(first["attributes"]["value"])


@pytest.mark.parametrize("name", sorted(FORMS))
def test_a_form_keeps_the_rules_of_language_and_its_links_lead_somewhere(name: str) -> None:
    for text in texts(name):
        assert list(broken_rules(text)) == []
        assert [target for target in targets(text) if not target.is_file()] == []


def test_a_pull_request_names_outcome_reason_and_checks() -> None:
    assert re.findall(r"^## (.+)$", PULL_REQUEST, re.MULTILINE) == ["Outcome", "Reason", "Checks"]
    assert len(re.findall(r"^- \[ \] ", PULL_REQUEST, re.MULTILINE)) == 4
    assert "`make test`" in PULL_REQUEST
    assert list(broken_rules(PULL_REQUEST)) == []
    linked = targets(PULL_REQUEST)
    assert linked == [ROOT / "CHANGELOG.md", ROOT / "VERSIONING.md"]
    assert all(target.is_file() for target in linked)
