"""`groundwire model`: the embedding model's folder."""

import typer

from groundwire import wiring
from groundwire.entry.cli.console import JsonOption, print_json, print_line
from groundwire.entry.cli.progress import stage_progress

app = typer.Typer(no_args_is_help=True)


@app.command()
def build() -> None:
    """Build the model from its published weights; nothing happens when it is there and whole."""
    services = wiring.current()
    with stage_progress() as progress:
        services.build_model(progress)
    print_line(f"{services.model_facts()['name']} is in {services.settings.model}.")


@app.command()
def info(*, as_json: JsonOption = False) -> None:
    """Say which model is there, after checking every file's hash."""
    services = wiring.current()
    fields: dict[str, object] = {"folder": str(services.settings.model), **services.model_facts()}
    if as_json:
        print_json(fields)
    else:
        for name, value in fields.items():
            print_line(f"{name.replace('_', ' '):<12} {value}")
