"""The option that says what a document is about beside its text: `--meta field=value`."""

from collections import defaultdict
from typing import Annotated

import typer

from groundwire.domain.errors import Invalid
from groundwire.domain.literals import literals
from groundwire.domain.metadata import Metadata, typed

MetaOption = Annotated[
    list[str],
    typer.Option("--meta", metavar="FIELD=VALUE", help="Kept with each document, for filters; repeat for a list."),
]


def metadata_from(given: list[str]) -> Metadata:
    """The metadata that the options spell.

    A value is a number, a date like 2024-05-31, true, false, text with or without quotes, or a list in brackets.

    Raises:
        Invalid: an option that says no field or a value that cannot be kept.
    """
    fields: dict[str, list[object]] = defaultdict(list)
    lists: set[str] = set()
    for option in given:
        name, equals, value = option.partition("=")
        if not equals:
            raise Invalid(f"--meta {option}: write FIELD=VALUE, such as --meta year=2024.")
        name = name.strip()
        if name in fields or value.strip().startswith("["):
            lists.add(name)
        fields[name] += literals(value)
    return typed({name: values if name in lists else values[0] for name, values in fields.items()})
