"""Bodies of requests about sources, made of the options of commands."""

import sys
from collections.abc import Mapping, Sequence

import typer

from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.commands.sources.report import CHANGED, ENABLED, NEW, members_of
from groundwire.entry.cli.console import Row


def credential_members(
    header: str | None, client_id: str | None, token_url: str | None, scope: str | None
) -> Mapping[str, object]:
    """Return the members of the credential; its secret is read from standard input.

    Raises:
        InvalidInput: the options are of two credentials, or one is missing.
    """
    if header is not None and (client_id or token_url or scope):
        raise InvalidInput("A source has one credential: give --api-key-header, or --client-id with --token-url.")
    if header is not None:
        parameters = {"header": header, "api_key": _read_secret("API key")}
        return {"auth_type": "api_key", "api_key_parameters": parameters}
    if not (client_id or token_url or scope):
        return {"auth_type": "unauthenticated"}
    if not (client_id and token_url):
        raise InvalidInput("For an OAuth client, give both --client-id and --token-url.")
    client = {"client_id": client_id, "token_url": token_url, "scope": scope}
    parameters = {**client, "client_secret": _read_secret("Client secret")}
    return {"auth_type": "oauth_client_credentials", "oauth_client_credentials_parameters": parameters}


def mapping_members(
    collection: str | None, tool: str | None, query_argument: str | None, tools: Sequence[str]
) -> Mapping[str, str] | None:
    """Return the members of the collection whose answers a tool joins; None where none is named.

    Raises:
        InvalidInput: an option is missing, or the tool is not offered.
    """
    if (collection is None) != (tool is None) or (query_argument is not None and tool is None):
        raise InvalidInput("To add passages to answers, give both --collection and --search-tool.")
    if collection is None or tool is None:
        return None
    if tool not in tools:
        raise InvalidInput(f"Name the tool to search with as an offered tool, too: --tool {tool}.")
    return {"collection": collection, "tool": tool, "query_argument": query_argument or "query"}


def acceptable_tools(row: Row, names: Sequence[str]) -> list[Row]:
    """Return the changed tools, or those of these names with those that are not offered yet.

    Raises:
        NotFound: the server declares no tool of a name.
    """
    declared = {str(each["name"]): each for each in members_of(row, "tools") if each["declared_digest"] is not None}
    if not names:
        return [each for each in declared.values() if each["status"] == CHANGED]
    for each in members_of(row, "further_tools"):
        new = {
            "status": NEW,
            "declared_digest": each["digest"],
            "declared_description": each["description"],
            "declared_input_schema": each["input_schema"],
        }
        declared[str(each["name"])] = {"name": each["name"], **new}
    for name in names:
        if name not in declared:
            raise NotFound(f"The server of {row['name']} declares no tool {name!r}.")
    return [declared[name] for name in dict.fromkeys(names) if declared[name]["status"] != ENABLED]


def acceptance_body(row: Row, entries: Sequence[Row]) -> Mapping[str, object]:
    """Return the body of the change that accepts the tools as they were shown."""
    # By digest: the server may declare something else between question and acceptance.
    digests = {str(each["name"]): each["declared_digest"] for each in entries}
    new = [each["name"] for each in entries if each["status"] == NEW]
    if not new:
        return {"accept_tools": digests}
    kept = [{"name": each["name"], "policy": each["policy"]} for each in members_of(row, "tools")]
    # `tools` replaces the whole list, so that the tools of before are repeated.
    return {"accept_tools": digests, "tools": [*kept, *new]}


def _read_secret(title: str) -> str:
    """Return a secret that is typed without being shown, or the first line of standard input.

    Raises:
        InvalidInput: there is none.
    """
    if sys.stdin.isatty():
        # On standard error, because standard output may go to a file.
        return str(typer.prompt(title, hide_input=True, err=True))
    secret = sys.stdin.readline().strip()
    if not secret:
        raise InvalidInput(f"{title}: send it on standard input. Other users can see the arguments of a command.")
    return secret
