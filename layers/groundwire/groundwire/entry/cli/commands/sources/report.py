"""Sources as tables and lines for people."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast
from urllib.parse import urlsplit

from groundwire.domain.access.policy_input import policy_from_mapping
from groundwire.entry.cli.console import Row, print_line, print_rows, warn
from groundwire.entry.serialization.readers import describe_policy

ENABLED: Final = "enabled"
CHANGED: Final = "changed"
MISSING: Final = "missing"
"""Statuses of accepted tools."""
NEW: Final = "new"
"""Status of a tool that was not accepted yet."""
_SHOWN_DIGEST: Final = 12
_SHOWN_TEXT: Final = 80


def print_sources(rows: Sequence[Row]) -> None:
    """Print the sources as a table; a source with changed or missing tools is coloured."""
    shown = [
        {
            "name": row["name"],
            "host": _host_of(row),
            "status": row["validation_status"],
            "readers": readers_of(row),
            "enabled": len(tools_of(row, ENABLED)),
            "changed": len(tools_of(row, CHANGED, MISSING)),
        }
        for row in rows
    ]
    print_rows(
        shown,
        ["name", "host", "status", "readers", "enabled", "changed"],
        as_json=False,
        empty_message="There are no sources yet. Add one with `groundwire source add NAME URL`.",
        row_styles=["yellow" if row["changed"] else None for row in shown],
    )


def print_source(row: Row) -> None:
    """Print a source line by line, then its tools."""
    mapping = cast("Mapping[str, str] | None", row["collection_mapping"])
    fields = {
        **{field: row[field] for field in ("id", "name", "kind", "description")},
        "server_url": _server_of(row)["server_url"],
        "credential": row["auth_type"],
        "status": row["validation_status"],
        "validated_at": row["validated_at"],
        "readers": readers_of(row),
        "joins": None if mapping is None else f"answers over {mapping['collection']}, by {mapping['tool']}",
    }
    for field, value in fields.items():
        print_line(f"{field.replace('_', ' '):<13} {'-' if value is None else value}")
    print_line("")
    print_tools(row)


def print_tools(row: Row) -> None:
    """Print the tools that its server declares as a table, those that are not offered last."""
    tools = [{**each, "tool": each["name"]} for each in members_of(row, "tools")]
    further = [
        {**each, "tool": each["name"], "agents_call": None, "status": "not offered"}
        for each in members_of(row, "further_tools")
    ]
    rows = [{**each, "description": _short(str(each["description"]))} for each in (*tools, *further)]
    columns = ["tool", "status", "agents_call", "description"]
    print_rows(rows, columns, as_json=False, empty_message="The source's server declares no tools.")


def show_change(entry: Row) -> None:
    """Print what was accepted of a tool and what its server declares now, on standard error beside the question."""
    warn(str(entry["name"]), style="bold")
    has_new_schema = entry["status"] == NEW or entry["declared_input_schema"] != entry["input_schema"]
    if entry["status"] != NEW:
        warn(f"accepted {_digest(entry['digest'])} {entry['description']}", style="none")
        if has_new_schema:
            warn(f"         arguments {_schema(entry['input_schema'])}", style="none")
    warn(f"declared {_digest(entry['declared_digest'])} {entry['declared_description'] or '-'}", style="none")
    if has_new_schema:
        warn(f"         arguments {_schema(entry['declared_input_schema'])}", style="none")


def readers_of(row: Row) -> str:
    """Return who may call the tools of a source, in one line."""
    return describe_policy(policy_from_mapping(row["policy"], "The service's answer"))


def tools_of(row: Row, *statuses: str) -> list[str]:
    """Return the names of the accepted tools that have one of these statuses."""
    return [str(each["name"]) for each in members_of(row, "tools") if each["status"] in statuses]


def members_of(row: Row, name: str) -> Sequence[Row]:
    """Return a list of objects in a source."""
    return cast("Sequence[Row]", row[name])


def _server_of(row: Row) -> Mapping[str, str]:
    return cast("Mapping[str, str]", row["remote_mcp_parameters"] or row["indexed_sources_parameters"])


def _host_of(row: Row) -> str:
    """Return host and port of the server, without the user that a URL may have."""
    return urlsplit(_server_of(row)["server_url"]).netloc.rpartition("@")[2]


def _digest(digest: object) -> str:
    return str(digest)[:_SHOWN_DIGEST]


def _schema(schema: object) -> str:
    """Return a schema on one line; it may be missing from a list of too many tools."""
    return "not shown: see the server" if schema is None else json.dumps(schema, ensure_ascii=False)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_TEXT else f"{text[: _SHOWN_TEXT - 1]}…"
