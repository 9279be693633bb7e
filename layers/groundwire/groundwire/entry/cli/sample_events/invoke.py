"""`groundwire invoke`: one sample event through the function that it is for, without Docker."""

import json
import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import load_mapping, mapping_or_empty
from groundwire.entry.cli.console import print_line
from groundwire.entry.cli.options import examples
from groundwire.entry.cli.sample_events.event_functions import function_of
from groundwire.entry.cli.sample_events.runtime_api import Answer, FunctionProcess, inherited_variables, invoke
from groundwire.entry.gateway.template import FunctionSpec, read_function
from groundwire.settings.folders import checkout_folder

_ON_ONE_MACHINE: Final = frozenset({"AuthorizerFunction", "McpFunction", "ApiFunction", "EmbeddingFunction"})
"""Functions that work on a home folder, as `groundwire serve` does; the others need the resources of a stack."""
EXAMPLES: Final = examples(
    "groundwire invoke events/rag_search.json",
    "groundwire invoke events/rag_search.json --env stack.json",
)


def invoke_event(
    event_file: Annotated[Path, typer.Argument(metavar="EVENT", help="JSON file with the event.")],
    env_file: Annotated[
        Path | None,
        typer.Option(
            "--env",
            help="Variables of a stack's functions, as `groundwire --stack NAME env` writes them; "
            "default: the function works on the home of this machine.",
        ),
    ] = None,
    function_name: Annotated[
        str | None, typer.Option("--function", help="Logical id of the function; default: derived from the event.")
    ] = None,
) -> int:
    """Run one Lambda event through its function of this checkout, under AWS's runtime client; print the answer as JSON.

    The function's log goes to standard error. The exit code is 1 if the function failed.
    """
    template = _require_tools()
    event = _read(event_file)
    name = function_name or function_of(event, template)
    spec = read_function(template, name)
    variables = _home_variables(name) if env_file is None else _stack_variables(_read(env_file), env_file, name)
    answer = _run(spec, variables, event)
    print_line(json.dumps(json.loads(answer.content), indent=2, ensure_ascii=False))
    return int(answer.is_failure)


def _require_tools() -> Path:
    """Return the template of the checkout.

    Raises:
        InvalidInput: there is no checkout, or the runtime client is missing.
    """
    checkout = checkout_folder()
    if checkout is None:
        raise InvalidInput(
            "`invoke` runs the functions of a checkout: in one, run `make`, then `.venv/bin/groundwire invoke`."
        )
    if find_spec("awslambdaric") is None:
        raise InvalidInput("`invoke` needs AWS's runtime client, for Linux and macOS: `pip install awslambdaric`.")
    return checkout / "template.yaml"


def _read(file: Path) -> Mapping[str, object]:
    try:
        content = load_mapping(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read: name a JSON file.") from error
    if content is None:
        raise InvalidInput(f"{file} is not a JSON object.")
    return content


def _home_variables(function: str) -> dict[str, str]:
    """Return the settings of this machine, with its home named, so that the function uses that and no stack.

    Raises:
        InvalidInput: the function needs a stack.
    """
    if function not in _ON_ONE_MACHINE:
        raise InvalidInput(
            f"{function} works on a stack only: run `groundwire --stack NAME env stack.json`, and add --env stack.json."
        )
    own = {name: value for name, value in os.environ.items() if name.startswith("GROUNDWIRE_")}
    return {**own, "GROUNDWIRE_HOME": str(wiring.local_services().settings.home)}


def _stack_variables(stack: Mapping[str, object], file: Path, function: str) -> dict[str, str]:
    if function not in stack:
        raise InvalidInput(
            f"{file} has no variables for {function}: write it again with `groundwire --stack NAME env`."
        )
    return {name: str(value) for name, value in mapping_or_empty(stack[function]).items()}


def _run(spec: FunctionSpec, variables: Mapping[str, str], event: Mapping[str, object]) -> Answer:
    process = FunctionProcess(
        name=spec.name,
        file=spec.file,
        attribute=spec.attribute,
        timeout_s=spec.timeout_s,
        memory_mb=spec.memory_mb,
        variables={**inherited_variables(), **variables},
    )
    return invoke(process, json.dumps(event).encode())
