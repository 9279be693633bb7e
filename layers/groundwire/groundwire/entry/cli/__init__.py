"""Command line: its program, which names the extra that a command lacks, and its commands."""

import sys
from collections.abc import Mapping
from typing import Final

EXTRA_OF_MODULE: Final[Mapping[str, str]] = {
    "botocore": "aws",
    "opensearchpy": "opensearch",
    "huggingface_hub": "models",
    "tokenizers": "models",
}
"""Extra that includes a module of another project; modules that every installation has are not listed."""


def start() -> None:
    """Run the command line; a missing package becomes one line with the extra to install, and exit code 1."""
    try:
        from groundwire.entry.cli.main import main as run

        run()
    except ModuleNotFoundError as error:
        sys.exit(_describe(error))


def _describe(error: ModuleNotFoundError) -> str:
    extra = EXTRA_OF_MODULE.get((error.name or "").partition(".")[0])
    if extra is None:
        return f"The installation is incomplete: {error}. Install Groundwire again."
    from groundwire.settings.installation import extra_command

    return f"This command needs the extra `{extra}`: {extra_command(extra)}."
