"""The commands that the first start prints work when they are pasted."""

import json
import shlex
import subprocess
from typing import Any

import httpx

from groundwire.dialects.default import DEFAULT
from tests.support.clients.agent import agent
from tests.support.entry.demo_server import Server, started


def connect_lines(server: Server) -> list[str]:
    """Return what the command of the welcome prints."""
    return server.command("connect", "--port", server.url.rpartition(":")[2]).done().out.splitlines()


def curl_lines(server: Server) -> list[str]:
    return [line for line in connect_lines(server) if line.startswith("curl ")]


def run(line: str) -> dict[str, Any]:
    """Runs the pasted line."""
    finished = subprocess.run(shlex.split(line), capture_output=True, check=True, timeout=60)
    return json.loads(finished.stdout)


def test_the_first_two_printed_curl_lines_answer_each_department_differently(server: Server) -> None:
    sales, finance = (run(line)["result"]["segments"] for line in curl_lines(server)[:2])
    assert {segment["source_file_name"] for segment in sales} >= {"sales-playbook.pptx"}
    assert {segment["source_file_name"] for segment in finance} >= {"floor-prices-2026.xlsx"}
    assert "floor-prices-2026.xlsx" not in {segment["source_file_name"] for segment in sales}
    assert "sales-playbook.pptx" not in {segment["source_file_name"] for segment in finance}


def test_the_searches_of_the_readme_show_each_department_its_own_figure(server: Server) -> None:
    question = ("search", "How low can we go on the price of a Sandpiper 400?", "--tenant", "demo")
    sales, finance = (
        server.command(*question, "--tag", f"department:{each}").done().out for each in ("sales", "finance")
    )
    playbook, floor = "the answer in the room is 8 %, so 1,978 euros", "Floor price EUR: 1575"
    assert playbook in sales
    assert playbook not in finance
    assert floor in finance
    assert floor not in sales


def test_the_third_printed_curl_line_is_answered_as_a_client_of_foundry_local_expects(server: Server) -> None:
    line = curl_lines(server)[2]
    entry = run(line)["result"]["structuredContent"]["edgeragapp"]
    assert entry["metadata"]["search_type"] == "hybrid_search"
    assert "sales-playbook.pptx" in {found["file_path"] for found in entry["results"]}


def test_the_fourth_printed_curl_line_is_answered_as_a_client_of_vertex_ai_expects(server: Server) -> None:
    line = curl_lines(server)[3]
    contexts = run(line)["contexts"]["contexts"]
    assert any("Sandpiper" in each["text"] for each in contexts)


def test_the_fifth_printed_curl_line_is_answered_as_a_client_of_azure_ai_search_expects(server: Server) -> None:
    line = curl_lines(server)[4]
    answer = run(line)
    [message] = answer["response"]
    passages = json.loads(message["content"][0]["text"])
    assert any("Sandpiper" in passage["content"] for passage in passages)
    assert {reference["type"] for reference in answer["references"]} == {"searchIndex"}


def test_the_sixth_printed_curl_line_is_answered_as_a_client_of_opensearch_expects(server: Server) -> None:
    [line] = curl_lines(server)[5:]
    hits = run(line)["hits"]["hits"]
    assert any("Sandpiper" in hit["_source"]["content"] for hit in hits)


def test_the_printed_settings_connect_an_mcp_client(server: Server) -> None:
    [line] = [line for line in connect_lines(server) if line.startswith("VS Code")]
    [connection] = json.loads(line[line.index("{") :])["servers"].values()
    assert connection["type"] == "http"
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "client", "version": "1"},
    }
    with httpx.Client(headers=connection["headers"]) as client:
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
        started_session = client.post(connection["url"], json=message).json()
        assert started_session["result"]["protocolVersion"] == "2025-11-25"
        listed = client.post(connection["url"], json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}).json()
    assert [tool["name"] for tool in listed["result"]["tools"]] == list(DEFAULT.listed_tool_names)


def test_the_personal_key_of_the_welcome_searches_as_its_own_user(server: Server, http: httpx.Client) -> None:
    personal = json.loads((server.home / "demo-keys.json").read_text())["personal"]
    assert any(personal in line for line in connect_lines(server))
    assert "sales-playbook.pptx" in agent(http, personal).files("discount authority")


def test_a_second_start_prints_the_same_keys_and_ingests_nothing(server: Server) -> None:
    before = {row["doc_id"]: row for row in server.command.json("documents", "list", "-t", "demo")}
    with started(server.home) as second:
        assert [line.replace(second.url, server.url) for line in curl_lines(second)] == curl_lines(server)
        assert "Sample documents" not in second.printed
        assert run(curl_lines(second)[0])["result"]["segments"]
    assert {row["doc_id"]: row for row in server.command.json("documents", "list", "-t", "demo")} == before


def test_the_welcome_is_all_that_a_running_server_prints(server: Server) -> None:
    assert "Traceback" not in server.output
    assert server.output == server.printed
