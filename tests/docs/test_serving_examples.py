"""The examples for systemd, nginx and Caddy agree with the command line and with the limits of the server."""

import re
import shlex
from typing import Final

from groundwire.domain.limits import MAX_TOKEN_CHARACTERS
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.docs.test_commands import COMMANDS
from tests.support.documentation.pages import ROOT, blocks

PAGE: Final = ROOT / "docs/operate/serving.md"
_MEGABYTE: Final = 1_000_000


def example(language: str) -> str:
    [text] = [block.text for block in blocks(PAGE) if block.language == language]
    return text


def started() -> list[str]:
    [line] = re.findall(r"^ExecStart=(.+)$", example("ini"), re.MULTILINE)
    return shlex.split(line)


def test_the_unit_starts_the_server_with_options_that_it_has() -> None:
    program, command, *rest = started()
    assert program.endswith("/.venv/bin/groundwire")
    assert command == "serve"
    assert {word for word in rest if word.startswith("--")} <= COMMANDS[command]


def test_the_proxies_lead_to_the_port_of_the_unit() -> None:
    port = started()[started().index("--port") + 1]
    assert f"proxy_pass http://127.0.0.1:{port};" in example("nginx")
    assert f"reverse_proxy 127.0.0.1:{port} {{\n" in example("caddyfile")


def test_the_unit_trusts_the_proxies_which_write_one_of_the_two_headers() -> None:
    assert started()[started().index("--trusted-proxy") + 1] == "127.0.0.1"
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in example("nginx")
    assert 'proxy_set_header Forwarded "";' in example("nginx")
    assert "header_up -Forwarded" in example("caddyfile")


def test_the_proxies_serve_the_host_of_the_public_url() -> None:
    public_url = started()[started().index("--public-url") + 1]
    host = public_url.removeprefix("https://")
    assert f"server_name {host};" in example("nginx")
    assert example("caddyfile").startswith(f"{host} {{\n")
    assert "proxy_set_header Host $host;" in example("nginx")


def test_the_proxies_let_the_largest_file_and_the_largest_token_pass() -> None:
    [nginx_body] = re.findall(r"client_max_body_size (\d+)m;", example("nginx"))
    [caddy_body] = re.findall(r"max_size (\d+)MB", example("caddyfile"))
    assert min(int(nginx_body), int(caddy_body)) * _MEGABYTE > MAX_DOCUMENT_BYTES
    [kilobytes] = re.findall(r"large_client_header_buffers \d+ (\d+)k;", example("nginx"))
    assert int(kilobytes) * 1024 > MAX_TOKEN_CHARACTERS + len("Authorization: Bearer \r\n")
