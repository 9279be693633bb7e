"""Tables of tested clients hold what was measured, and texts to copy from the pages on clients work."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.clients.catalogue import CLIENTS, FOUNDRY_CLIENTS
from tests.e2e.clients.company import Company
from tests.e2e.clients.environments import environment, interpreter, version_of
from tests.e2e.clients.loops.catalogue import LOOPS
from tests.support.documentation.pages import ROOT, blocks, commands, rows
from tests.support.documentation.shell import PRINTED_ADDRESS
from tests.support.engines.installers.node import NODE
from tests.support.engines.missing import Absent, answer

PAGES: Final = ROOT / "docs" / "clients"
TESTED: Final = PAGES / "tested.md"
PROGRAMS: Final = {"python": "mcp-2.3", "js": "ts-client-2.4"}
"""Environment of the page's program in each language."""


def test_every_client_of_the_matrix_has_its_row_with_its_version_and_no_other_has_one() -> None:
    stated = [row for row in rows(TESTED.read_text(encoding="utf-8")) if len(row) == 4]
    assert stated == [["client", "package", "version", "protocol"]] + [
        [
            f"{client.name} *" if client.often else client.name,
            f"`{client.package}`",
            version_of(client.environment, client.package),
            client.wire,
        ]
        for client in CLIENTS
    ]


def test_every_client_of_foundry_locals_route_has_its_row_with_its_version_on_its_page() -> None:
    page = PAGES / "foundry-local.md"
    stated = [row for row in rows(page.read_text(encoding="utf-8")) if row[0].startswith("Foundry Local: ")]
    assert stated == [
        [
            f"{client.name} *" if client.often else client.name,
            f"`{client.package}`",
            version_of(client.environment, client.package),
            client.wire,
        ]
        for client in FOUNDRY_CLIENTS
    ]


def test_every_agent_of_the_matrix_has_its_row_with_its_version_and_what_it_feeds() -> None:
    stated = [[*row[:4], row[5]] for row in rows(TESTED.read_text(encoding="utf-8")) if len(row) == 6]
    assert stated == [["agent", "package", "version", "feeds its model", "after an unknown tool"]] + [
        [
            f"{loop.name} *" if loop.often else loop.name,
            f"`{loop.package}`",
            version_of(loop.environment, loop.package),
            loop.feeds,
            "the library ends the run" if loop.ends_on_unknown_tools else "the run continues",
        ]
        for loop in LOOPS
    ]


def test_every_configuration_is_json_that_names_the_server() -> None:
    configurations = [block.text for page in PAGES.iterdir() for block in blocks(page) if block.language == "json"]
    assert configurations
    for text in configurations:
        json.loads(text)
        assert f"{PRINTED_ADDRESS}/mcp" in text or "https://groundwire.example.com/mcp" in text


def test_the_install_lines_have_the_tested_versions() -> None:
    typed = [command for command in commands(PAGES / "agent-libraries.md") if " install " in command]
    python, typescript = version_of("mcp-2.3", "mcp"), version_of("ts-client-2.4", "@modelcontextprotocol/client")
    assert typed == [
        f"pip install 'mcp=={python.rpartition('.')[0]}.*'",
        f"npm install @modelcontextprotocol/client@{typescript.rpartition('.')[0]}",
    ]


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_pages_programs_print_what_their_user_may_read(language: str, company: Company, tmp_path: Path) -> None:
    key = company.callers[0].headers["Authorization"].removeprefix("Bearer ")
    done = run_program(language, key, company, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "discounts.md | " in done.stdout
    assert "floor-prices.md" not in done.stdout


@pytest.mark.parametrize(
    ("language", "exception"),
    [
        ("python", "MCPError: A valid API key is required"),
        ("js", "SdkHttpError: Version negotiation failed: the server requires authorization (HTTP 401)"),
    ],
)
def test_the_pages_programs_end_with_the_exception_that_the_page_names_for_a_wrong_key(
    language: str, exception: str, company: Company, tmp_path: Path
) -> None:
    done = run_program(language, "wrong", company, tmp_path)
    assert done.returncode == 1
    assert exception in done.stderr
    page = (PAGES / "agent-libraries.md").read_text(encoding="utf-8")
    assert all(part in page for part in exception.split(": ", 1)), exception


def run_program(language: str, key: str, company: Company, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the page's program in this language with the key."""
    [text] = [block.text for block in blocks(PAGES / "agent-libraries.md") if block.language == language]
    try:
        installed = environment(PROGRAMS[language])
    except Absent as absent:
        answer(absent)
    program = folder / f"program.{'py' if language == 'python' else 'mjs'}"
    program.write_text(text.replace(PRINTED_ADDRESS, company.url), encoding="utf-8")
    command = [str(interpreter(installed)), str(program)]
    if language == "js":
        command = [str(NODE), str(shutil.copy(program, installed / program.name))]
    return subprocess.run(command, env={**os.environ, "KEY": key}, capture_output=True, text=True, check=False)
