"""`groundwire events`: sample Lambda events with an existing API key, for `sam local invoke`."""

from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.access.policy_input import parse_tags
from groundwire.entry.authorizer import handler as authorizer
from groundwire.entry.cli.console import print_line, warn
from groundwire.entry.cli.options import examples, warn_of_spaces
from groundwire.entry.cli.sample_events.event_files import identity_headers, write_live_events

EXAMPLES: Final = examples(
    "KEY=$KEY groundwire events sales-events --user elif@weirhaven.example --tag department:sales"
)


def events(
    folder: Annotated[Path, typer.Argument(help="Folder for the event files.")],
    key: Annotated[
        str,
        typer.Option(
            "--key", help="Key for the events; in the variable, other users of the machine cannot see it.", envvar="KEY"
        ),
    ],
    user: Annotated[str | None, typer.Option("--user", help="The end user; with a delegated key.")] = None,
    tag: Annotated[
        list[str], typer.Option("--tag", help="A tag of the session; repeat for more.", callback=warn_of_spaces)
    ] = [],
    segment_uid: Annotated[str | None, typer.Option("--segment", help="Segment id for the verify event.")] = None,
) -> int:
    """Write sample events with a valid key for `sam local invoke -e`; only this user can read the files."""
    tags = parse_tags(tag) if tag else None
    for path in write_live_events(folder, key, user, tags, segment_uid, authorizer):
        print_line(str(path))
    # Tried at once, or the refusal would show only when an event is invoked.
    if wiring.local_services().access.authorize(dict(identity_headers(key, user, tags))).caller is None:
        warn(
            "The server does not admit this combination of key, user and tags. It will refuse all calls "
            "of these events."
        )
        return 1
    return 0
