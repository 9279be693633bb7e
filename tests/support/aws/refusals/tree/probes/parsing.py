"""Parses a file as the deployed function does; run under the kernel launcher."""

import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_FILE = b"# Opening hours\n\nThe office opens at nine.\n"


def _parse_in_process() -> str:
    """Parse as the ingestion function of trees without a parser function; return why it does not work."""
    from groundwire import wiring
    from groundwire.domain.errors import DomainError

    services: Any = wiring.ingestion_services()
    # Earlier trees had one object of all services.
    parser: Any = getattr(services, "ingestion", services).parser
    try:
        parser.parse(_FILE, "md")
    except DomainError as error:
        return f"IngestionFunction: {error}"
    finally:
        getattr(parser, "close", lambda: None)()
    return ""


def _ask_parser_function(file: Path) -> str:
    """Ask the parser function for its confinement, for which it starts a worker; return why it does not work."""
    from groundwire.domain.errors import DomainError

    spec = spec_from_file_location("parser_app", file)
    if spec is None or spec.loader is None:
        return f"ParserFunction: {file} is no module"
    os.environ["GROUNDWIRE_PARSER_ISOLATION"] = "tenant"
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    context = SimpleNamespace(
        aws_request_id="probe", function_name="parser", get_remaining_time_in_millis=lambda: 60_000
    )
    try:
        answer: Any = module.handler({"probe": "confinement"}, context)
    except DomainError as error:
        return f"ParserFunction: {error}"
    return "" if answer.get("confinement") else f"ParserFunction: {answer}"


def _main() -> None:
    app = Path(sys.argv[1]) / "functions" / "parser" / "app.py"
    problem = _ask_parser_function(app) if app.is_file() else _parse_in_process()
    sys.stdout.write(json.dumps([problem] if problem else []))


if __name__ == "__main__":
    _main()
