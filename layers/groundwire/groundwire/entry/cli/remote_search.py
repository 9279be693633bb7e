"""`groundwire --url URL search`: what the key's agent gets, or what it gets for the user that is named."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from groundwire.domain.errors import Invalid
from groundwire.domain.policy_form import tag_set
from groundwire.entry.cli.console import Row, print_json, print_line, warn
from groundwire.entry.cli.place import RemotePlace
from groundwire.entry.cli.search_report import print_rows_of_passages


def search_there(
    place: RemotePlace, tenant: str, asked: Mapping[str, object], speaks_for: Mapping[str, str], *, as_json: bool
) -> None:
    """Prints the passages; Raises what the service tells."""
    place.tenant(tenant)
    if asked.get("explain") and not as_json:
        raise Invalid("From afar, --explain needs --json.")
    answer = place.rest.post("/v1/search", asked, speaks_for)
    if notice := answer.get("notice"):
        warn(str(notice))
    passages = cast("Sequence[Row]", answer["passages"])
    if asked.get("explain"):
        print_json({name: value for name, value in answer.items() if name != "notice"})
    elif as_json:
        print_json(passages)
    else:
        print_rows_of_passages(passages)
        if passages:
            print_line("")


def headers_for(user: str | None, tags: list[str]) -> dict[str, str]:
    """The identity headers of a key that acts for others; none for one that speaks for itself."""
    said = {"x-user-id": user, "x-session-tags": json.dumps(sorted(tag_set(tags))) if tags else None}
    return {name: value for name, value in said.items() if value is not None}
