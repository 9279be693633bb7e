"""Every command of every page is run, or is in a table that names another proof that it is right."""

import json
import re
import shlex
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire.entry.cli.server.client_lines import (
    Client,
    claude_code_command,
    claude_desktop_config,
    project_file,
    vscode_config,
)
from tests.docs.conftest import Reader
from tests.docs.test_commands import COMMANDS
from tests.support.documentation.command_coverage import ONLY_HELP, PROVED_BY, SERVING
from tests.support.documentation.pages import GUIDES, README, ROOT, Block, blocks, commands
from tests.support.documentation.shell import PRINTED_ADDRESS
from tests.support.documentation.wiki import ANSWER

LANGUAGES: Final = {"sh", "json", "yaml", "text", "python", "js", "mermaid", "ini", "toml", "nginx", "caddyfile"}
TYPED: Final = ("groundwire ", "curl", "make", "sam", "claude", "python", "pip", "uvx", ".venv/", "$ ")
ANSWERS: Final = {
    '"search":"How low can we go?"': "Sales Playbook 2026",
    "/opensearch/handbook/_search": "Sales Playbook 2026",
    '"name":"ListIndexTool"': ",open,handbook,",
    "How much discount may I give?": '"file_path":"sales-playbook.pptx"',
    "How many days of leave do I get?": "27 days",
    "discount for a Sandpiper": "segment_uid",
    "How low can we go on a Sandpiper?": '"file_name":"sales-playbook.pptx"',
    "verify_document_access": '"has_access":true',
    '"method":"initialize"': '"protocolVersion":"2025-11-25"',
    '"id":2,"method":"tools/list"': '"name":"rag_search"',
    '"method":"resources/list"': '"uri":"groundwire://collections/handbook"',
    "groundwire://segments/'$SEGMENT": '"uri":"groundwire://segments/',
    '"method":"skills/list"': '"digest":"sha256:',
    "skill://groundwire/company-documents": "name: company-documents",
    "server/discover": '"supportedVersions":["2026-07-28"',
    "/health": '"status":"ok"',
    "/ready": '"status":"ready"',
    '"method":"ping"': "A valid API key is required",
    "-X OPTIONS": "access-control-allow-origin: http://localhost:6274",
    "/mcp/server-card": '"remotes":',
    '"search_phrases":[]': '"code":-32602',
    '"search_phrases": []': '"isError":true',
    "x-session-tags: sales, hr": "x-session-tags: Not JSON, or sent more than once",
    "/v1/openapi.json": '"openapi":"3.1.0"',
    "/v1/doctor": '{"checks":[{"name":"documents","status":"ok"',
    "/v1/status": '"documents":{"indexed":',
    "/v1/keys/policy-tags": '"complete":true',
    "$MADE_KID/rotate": '"key":"gw_local_',
    "-X PATCH http://127.0.0.1:8080/v1/keys/": '"name":"service desk"',
    "-X DELETE http://127.0.0.1:8080/v1/keys/": '"revoked":true',
    "-X PUT http://127.0.0.1:8080/v1/users/": '{"user":"ben@acme.example","tags":["department:support"]}',
    "-X PATCH http://127.0.0.1:8080/v1/users/": '"tags":["department:support","level:manager"]',
    "/v1/users/block -H": '"decision_reason":"lost laptop"',
    "/v1/users/blocked -H": '"users":[{"user":"elif@acme.example"',
    "/v1/users/unblock -H": '{"users":["elif@acme.example"]}',
    "/v1/users/offboard -H": '"revoked_keys":[]',
    "/v1/users -H": '{"user":"ben@acme.example","tags":["department:support","level:manager"]}',
    "-X DELETE http://127.0.0.1:8080/v1/users/": '{"user":"ben@acme.example"}',
    "-X PUT http://127.0.0.1:8080/v1/collections/": '"bm25_weight":0.4,"language":null,"description":null}',
    "/v1/tags -H": '{"tags":[{"tag":"',
    "/v1/tags/check": '"new":[{"tag":"department:slaes"',
    "/v1/uploads/plan": '{"counts":{"',
    "/v1/audit?document": '{"rows":[{"time":"',
    "Accept: text/csv": "",
    "/v1/audit/verify": '{"intact":true,"lines":',
    "/v1/audit/callers": '{"callers":[{"user":',
    "/v1/usage": '{"months":[{"month":"',
    "/v1/ingestions": '{"ingestions":[',
    "/v1/evaluations": '{"evaluation',
    "/v1/whoami": '"administrator":true,"bounded":false',
    "/v1/audit?call": '"call": "rag_search"',
    "/v1/access/check": '{"allowed":false,"reason":"no_match"',
    "/v1/access/readers": '"named_users":["olga@acme.example"]',
    "/v1/access/documents": '"documents":[',
    "/v1/access/what-if": '"removed":{"count":',
    "-X PUT http://127.0.0.1:8080/v1/groups/": '{"group":"/department/sales","tags":["department:sales"]}',
    "/v1/groups -H": '{"groups":[{"group":"/department/sales"',
    "-X DELETE http://127.0.0.1:8080/v1/groups/": '{"group":"/department/sales"}',
    "-K form.txt": "204",
    "returns.md is $STATE": "returns.md is indexed",
    "/v1/documents?collection=shelf": '"next":null',
    "/v1/documents/returns?segments": '"passages":[{"ordinal":0',
    "/v1/documents/returns/policy": '"any_tags":["department:sales"]',
    'station back?"],"top_n":3': '"doc_id":"returns"',
    '"as":{"user":"maria': '"source_url":null',
    "/v1/search/dialects": '{"dialect":"opensearch","request":{"method":"POST"',
    "as=search_result": '{"content":[{"type":"search_result","source":"http://',
    "locations/eu:retrieveContexts": '"sourceDisplayName":"',
    "-X DELETE http://127.0.0.1:8080/v1/documents/": '{"doc_id":"returns","file":"returns.md"}',
    "-X DELETE http://127.0.0.1:8080/v1/collections/": '{"name":"shelf","documents":0}',
    "knowledgesources?limit=5": '"limit":5,"offset":0',
    "knowledgesources?name=manuals": '"total":1',
    "curl -s http://127.0.0.1:8080/edgeai/knowledgesources/$SOURCE_ID": '"agents_call":"manuals__search"',
    "Manuals of the machines": '"description":"Manuals of the machines"',
    '"id":1,"method":"tools/list"': '"name":"manuals__search"',
    '"name":"manuals__search"': ANSWER,
    "accept_tools": '"status":"enabled"',
    "collection_mapping": '"collection":"handbook","tool":"search"',
    "-X DELETE http://127.0.0.1:8080/edgeai/knowledgesources/": "204",
}
"""What an answer holds, by what its curl command holds."""
_READ_BY_PROGRAMS: Final = re.compile(r"(?:environ\[['\"]|process\.env\.)(\w+)")
GUIDES_WITH_COMMANDS: Final = [page for page in GUIDES if page != README and commands(page)]


def all_commands() -> list[str]:
    return [command for page in GUIDES for command in commands(page)]


def check(command: str, reader: Reader) -> None:
    """Runs the command as the page has it typed."""
    if command.startswith(tuple(PROVED_BY)):
        return
    if command.startswith(SERVING):
        with reader.terminal.serving(command) as address:
            for host in ["localhost", *re.findall(r"--allowed-host (\S+)", command)]:
                assert httpx.get(f"{address}/health", headers={"host": host}).status_code == 200
        return
    answer = reader.terminal.run(command)
    if command.startswith(("curl", "echo")):
        [expected] = [held for part, held in ANSWERS.items() if part in command]
        assert expected in answer, command


def read_through(page: Path, reader: Reader) -> None:
    for command in commands(page):
        check(command, reader)


@pytest.fixture(scope="module")
def reading(reader: Reader, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[Path, Future[None]]]:
    """All pages, two at a time, each with a home of its own: most of the time is that of starting commands."""
    homes = tmp_path_factory.mktemp("homes")
    # Before the first page calls the server, whose audit log would be copied between two of its files.
    readers = [
        (page, reader.other_place(homes / f"{number}-{page.stem}")) for number, page in enumerate(GUIDES_WITH_COMMANDS)
    ]
    with ThreadPoolExecutor(2) as pool:
        yield {page: pool.submit(read_through, page, own) for page, own in readers}


@pytest.mark.parametrize("page", GUIDES_WITH_COMMANDS, ids=lambda page: page.stem)
def test_the_commands_of_a_page_work_in_order(page: Path, reading: dict[Path, Future[None]]) -> None:
    reading[page].result()


def test_the_readmes_commands_ingest_documents_and_make_a_key(reader: Reader) -> None:
    stated = "".join(reader.printed.values())
    assert "12 indexed" in stated
    assert reader.terminal.variables["KEY"] in stated


def test_the_readmes_two_people_get_different_answers(reader: Reader) -> None:
    # `make run` prepares the tenant of these commands; this home has the same documents in another one.
    sales, finance = [
        reader.terminal.run(command.replace("--tenant demo", "--tenant acme"))
        for command in commands(README)
        if "--tenant demo" in command
    ]
    for file, seen, unseen in (("sales-playbook.pptx", sales, finance), ("floor-prices-2026.xlsx", finance, sales)):
        assert file in seen
        assert file not in unseen


def test_the_guide_to_the_first_answer_shows_two_people_different_documents(reader: Reader, tmp_path: Path) -> None:
    own = reader.other_place(tmp_path / "home").terminal
    [guide] = [page for page in GUIDES if page.stem == "start"]
    typed = [command for command in commands(guide) if command.startswith("ask")]
    _, sales, finance = [own.run(command) for command in typed]
    for file, seen, unseen in (("sales-playbook.pptx", sales, finance), ("floor-prices-2026.xlsx", finance, sales)):
        assert f"{file} | " in seen
        assert file not in unseen


def test_the_page_on_libraries_shows_what_its_programs_print_for_the_sample_documents(reader: Reader) -> None:
    [page] = [page for page in GUIDES if page.stem == "agent-libraries"]
    [program] = [block.text for block in blocks(page) if block.language == "python"]
    [question] = re.findall(r"question = (\[.*\])", program)
    call = {"name": "rag_search", "arguments": {"search_phrases": json.loads(question)}}
    response = httpx.post(
        f"{reader.terminal.server}/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        headers={
            "Authorization": f"Bearer {reader.terminal.variables['KEY']}",
            "MCP-Protocol-Version": "2025-11-25",
            **dict(re.findall(r'"(x-[\w-]+)": [\'"](.*)[\'"],', program)),
        },
    )
    sources = response.json()["result"]["structuredContent"]["sources"]
    printed = "".join(f"{source['file_name']} | {source['passages']}\n" for source in sources)
    assert printed in [block.text for block in blocks(page) if block.language == "text"]


def test_the_lines_for_clients_of_other_systems_find_a_public_document(reader: Reader) -> None:
    [page] = [page for page in GUIDES if page.stem == "dialects"]
    lines = [command for command in commands(page) if command.startswith("curl")]
    assert len(lines) == 4
    for line in lines:
        answer = reader.terminal.run(line)
        assert re.search("(?i)employee.handbook", answer), line
        assert "Sales Playbook" not in answer, line


def test_every_exception_is_needed_and_its_proof_is_there() -> None:
    for prefix, (file, name) in PROVED_BY.items():
        assert any(command.startswith(prefix) for command in all_commands()), prefix
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), name
    for prefix in (*ONLY_HELP, SERVING):
        assert any(command.startswith(prefix) for command in all_commands()), prefix


def test_a_command_for_another_place_is_one_of_the_command_line() -> None:
    other_place = [
        command for command in all_commands() if command.startswith(("groundwire --stack ", "groundwire --url "))
    ]
    assert other_place
    for command in other_place:
        words = shlex.split(command)[3:]
        named = next(name for name in COMMANDS if words[: len(name.split())] == name.split())
        assert {word for word in words if word.startswith("--")} <= COMMANDS[named], command


def test_every_expected_answer_belongs_to_a_command() -> None:
    for part in ANSWERS:
        assert any(part in command for command in all_commands()), part


def test_no_command_of_a_page_waits_without_a_bound() -> None:
    assert [command for command in all_commands() if command.startswith(("until ", "while "))] == []


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_a_page_exports_each_variable_that_its_programs_read(page: Path) -> None:
    exported: set[str] = set()
    for block in blocks(page):
        if block.language == "sh":
            exported.update(re.findall(r"^export (\w+)", block.text, re.MULTILINE))
        assert set(_READ_BY_PROGRAMS.findall(block.text)) <= exported


def test_every_make_target_of_a_page_is_there() -> None:
    makefile = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "release.mk"))
    typed = [command.split()[1] for command in all_commands() if command.startswith("make ")]
    assert {"run", "test"} <= set(typed)
    for target in typed:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_pages_on_clients_have_what_connect_prints() -> None:
    pages = {page.stem: page for page in GUIDES}
    assert claude_code_command(PRINTED_ADDRESS, "$KEY") in commands(pages["claude-code"])
    for client, page in ((Client.CLAUDE_CODE, "claude-code"), (Client.CURSOR, "cursor"), (Client.VSCODE, "vscode")):
        file = project_file(client, PRINTED_ADDRESS)
        assert file is not None
        assert file.document() in _configurations(pages[page])
    assert json.loads(vscode_config(PRINTED_ADDRESS, "KEY")) in _configurations(pages["vscode"])
    assert json.loads(claude_desktop_config(PRINTED_ADDRESS, "KEY")) in _configurations(pages["claude"])


def _configurations(page: Path) -> list[object]:
    return [json.loads(block.text) for block in blocks(page) if block.language == "json"]


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_no_command_hides_in_a_block_of_another_language(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("\n```") == 2 * len(blocks(page))
    for block in blocks(page):
        assert block.language in LANGUAGES
        assert block.language == "sh" or not typed_lines(block)


def typed_lines(block: Block) -> list[str]:
    return [line for line in block.text.splitlines() if line.startswith(TYPED)]
