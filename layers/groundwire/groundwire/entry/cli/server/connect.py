"""`groundwire connect`: lines and files that connect clients to a server."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from tempfile import TemporaryDirectory
from typing import Annotated, Final
from urllib.parse import urlsplit

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.text.json_values import is_list, is_mapping
from groundwire.entry.cli.console import OUT, print_line, warn
from groundwire.entry.cli.options import examples
from groundwire.entry.cli.server.client_lines import (
    KEY_VARIABLE,
    Client,
    Connection,
    ProjectFile,
    claude_code_command,
    client_note,
    client_text,
    curl_command,
    project_file,
    vscode_config,
)
from groundwire.entry.cli.server.demo_keys import DemoKeys, stored_keys
from groundwire.entry.cli.server.demo_welcome import FINANCE, QUESTION, SALES, SampleUser

EXAMPLES: Final = examples(
    "groundwire connect claude-code",
    "groundwire connect vscode --write",
    "groundwire connect cursor --server https://rag.acme.example",
)
_ANY_QUESTION: Final = "How many days of annual leave do I get?"
_ANY_USER: Final = ("ana@acme.example", ("department:sales",))
_WRITES: Final = ", ".join(client for client in Client if project_file(client, "") is not None)

ClientArgument = Annotated[
    Client | None, typer.Argument(metavar="[CLIENT]", help=f"One of {', '.join(Client)}; without it: the demo's lines.")
]


def connect(
    client: ClientArgument = None,
    server: Annotated[str | None, typer.Option(help="Address of the server. Default: this machine.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of a server on this machine.")] = 8080,
    *,
    write: Annotated[
        bool, typer.Option("--write", help=f"Write the file of a project in this folder, without a key: {_WRITES}.")
    ] = False,
) -> None:
    """Print what connects a client to a server: a command, a configuration, or what to enter.

    The key is that of the demo on this machine, or a variable.

    Raises:
        NotFound: no client is named, and no demo was started with this home.
        InvalidInput: the address is none, or the client has no file of a project.
    """
    if client is None:
        _print_demo(f"http://127.0.0.1:{port}")
        return
    url = f"http://127.0.0.1:{port}" if server is None else _address(server)
    if write:
        _write(client, url)
        return
    # The keys of the demo open this machine alone.
    keys = _demo_keys() if server is None else None
    warn(client_note(client, url), style="dim")
    print_line(client_text(client, _connection(url, keys)))


def _demo_keys() -> DemoKeys | None:
    """Return the keys of the demo; None without a demo, or without a home."""
    with suppress(NotFound):
        return stored_keys(wiring.local_services().settings.home)
    return None


def _address(server: str) -> str:
    """Return the address of a server without `/mcp`, which people copy with it."""
    parts = urlsplit(server)
    is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
    if not is_web or parts.query or parts.fragment or "@" in parts.netloc:
        raise InvalidInput(f"--server must be an address, such as https://rag.acme.example, not {server!r}.")
    return f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/").removesuffix("/mcp")


def _connection(url: str, keys: DemoKeys | None) -> Connection:
    if keys is None:
        return Connection(url, f"${KEY_VARIABLE}", f"${KEY_VARIABLE}", _ANY_QUESTION, _ANY_USER)
    return _demo_connection(url, keys, SALES)


def _demo_connection(url: str, keys: DemoKeys, user: SampleUser) -> Connection:
    return Connection(url, keys.personal, keys.act_as, QUESTION, (user.user, user.tags))


def _print_demo(url: str) -> None:
    keys = _demo_keys()
    if keys is None:
        example = f"groundwire connect {Client.CLAUDE_CODE}"
        raise NotFound(f"There are no keys of a demo: run `groundwire demo` first, or name a client: `{example}`.")
    for user in (SALES, FINANCE):
        OUT.print(f"An agent that asks for somebody in {user.description}:", style="bold")
        print_line(curl_command(_demo_connection(url, keys, user)))
    OUT.print("A client of one person:", style="bold")
    print_line(f"Claude Code  {claude_code_command(url, keys.personal)}")
    print_line(f"VS Code      .vscode/mcp.json: {vscode_config(url, keys.personal)}")
    print_line(f"Any client   Streamable HTTP at {url}/mcp with the header  Authorization: Bearer {keys.personal}")
    OUT.print("Clients of Foundry Local, Vertex AI, Azure AI Search and OpenSearch:", style="bold")
    for client in (Client.FOUNDRY, Client.VERTEX, Client.AZURE, Client.OPENSEARCH):
        print_line(client_text(client, _connection(url, keys)))
    print_line(f"Others: groundwire connect CLIENT, with {', '.join(Client)}.")


def _write(client: Client, url: str) -> None:
    """Add the server to the client's file in the current folder; other servers of the file stay.

    Raises:
        InvalidInput: the client has no such file, or the file is a link or no JSON object.
    """
    file = project_file(client, url)
    if file is None:
        raise InvalidInput(f"{client} has no file of a project: use --write with {_WRITES}, or leave it out.")
    path = Path.cwd() / file.path
    # A project of somebody else could make it read, or replace, a file of this user's own.
    if link := next((each for each in (path.parent, path) if each.is_symlink()), None):
        raise InvalidInput(f"{link} is a symbolic link: add the server by hand, without --write.")
    document = _merged(_read(path), file)
    path.parent.mkdir(exist_ok=True)
    _replace(path, f"{json.dumps(document, indent=2, ensure_ascii=False)}\n")
    print_line(f"Wrote {file.path}. It has no key, so a repository can hold it.")
    if client is not Client.VSCODE:
        print_line(f"Next: set {KEY_VARIABLE} to a key where the client starts.")


def _replace(path: Path, text: str) -> None:
    """Write the file whole, or leave it as before: its other servers must not be lost."""
    if not path.exists():
        # Mode "x" creates it and follows no link.
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
        return
    # In a folder that nobody can prepare, with the mode of the file: it can have keys of other servers.
    with TemporaryDirectory(prefix=f"{path.name}.", dir=path.parent) as folder:
        part = Path(folder) / path.name
        part.write_text(text, encoding="utf-8")
        part.chmod(S_IMODE(path.stat().st_mode))
        part.replace(path)


def _read(path: Path) -> Mapping[str, object]:
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        # VS Code allows comments, and rewriting the file would lose them.
        raise InvalidInput(f"{path} is not plain JSON ({error}): add the server by hand, without --write.") from error
    if not is_mapping(found):
        raise InvalidInput(f"{path} is not a JSON object: add the server by hand, without --write.")
    return found


def _merged(found: Mapping[str, object], file: ProjectFile) -> dict[str, object]:
    merged = dict(found)
    for name, added in file.members.items():
        present = found.get(name, {})
        if not is_mapping(present):
            raise InvalidInput(f"{name} of {file.path} is not an object: add the server by hand, without --write.")
        merged[name] = {**present, **added}
    for name, entries in file.lists.items():
        present = found.get(name, [])
        if not is_list(present):
            raise InvalidInput(f"{name} of {file.path} is not a list: add the server by hand, without --write.")
        ids = {entry["id"] for entry in entries}
        merged[name] = [*(each for each in present if not (is_mapping(each) and each.get("id") in ids)), *entries]
    return merged
