"""Folders that the functions of the template consist of, and what Lambda accepts of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.support.aws.template.variants import TEMPLATE, variant

FUNCTIONS: Final = (
    *("AuthorizerFunction", "McpFunction", "ApiFunction", "IngestionFunction", "OperatorFunction"),
    *("SourcesFunction", "ParserFunction"),
)
MOST_UNPACKED: Final = 262_144_000
"""Bytes of a function with its layers, unpacked, by Lambda's quotas (250 MB, as AWS counts them)."""


def size(*folders: Path) -> int:
    return sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())


def files(*folders: Path) -> list[Path]:
    """Return the paths of all files, relative to their folder; a path in two folders is listed twice."""
    return [file.relative_to(folder) for folder in folders for file in folder.rglob("*") if file.is_file()]


def of_functions(made: Callable[[str], Path]) -> dict[str, list[Path]]:
    """The folders that each function consists of: its own and those of its layers."""
    general = TEMPLATE["Globals"]["Function"]["Layers"]
    functions = variant().of_type("AWS::Serverless::Function")
    return {
        name: [made(name), *(made(layer["Ref"]) for layer in (*general, *functions[name].get("Layers", [])))]
        for name in FUNCTIONS
    }
