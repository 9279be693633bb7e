"""The pages that are generated from the code."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.support.documentation.pages import ROOT
from tests.support.documentation.reference.cli_page import cli_page
from tests.support.documentation.reference.costs_page import costs_page
from tests.support.documentation.reference.errors_page import errors_page
from tests.support.documentation.reference.limits_page import limits_page
from tests.support.documentation.reference.refusals_page import refusals_page
from tests.support.documentation.reference.rest_page import rest_page
from tests.support.documentation.reference.settings_page import settings_page

GENERATED_PAGES: Final[Mapping[Path, Callable[[], str]]] = {
    ROOT / "docs" / "reference" / "aws-refusals.md": refusals_page,
    ROOT / "docs" / "reference" / "cli.md": cli_page,
    ROOT / "docs" / "reference" / "costs.md": costs_page,
    ROOT / "docs" / "reference" / "errors.md": errors_page,
    ROOT / "docs" / "reference" / "rest.md": rest_page,
    ROOT / "docs" / "limits.md": limits_page,
    ROOT / "docs" / "settings.md": settings_page,
}
