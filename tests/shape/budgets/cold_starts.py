"""What each function of the template imports before its first answer, in an account without any data."""

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from tests.shape.budgets.aws_stub import empty_account
from tests.shape.budgets.sizes import package_folders
from tests.support.aws.template.variants import ROOT, variant

EVENTS: Final[Mapping[str, tuple[str, str]]] = {
    "api": ("api", '"statusCode": 200'),
    "authorizer": ("authorizer", '"reason": "unknown_key"'),
    "embedding": ("embedding", '"vectors"'),
    "ingestion": ("ingestion", '"batchItemFailures": []'),
    "mcp": ("tools_list", '"statusCode": 200'),
    "operator": ("operator", '"ok": true'),
    "parser": ("parser", '"confinement"'),
    "sources": ("sources", "source_unavailable"),
}
"""By function: a sample event, and a part of its answer, without which the count would mean nothing.

`mcp` wakes the sleeping index with its event.
"""
_PROGRAM: Final = Path(__file__).with_name("programs") / "first_answer.py"
_MODEL: Final = ROOT / ".cache" / "models" / ALL_MINILM_L6_V2.name
_OWN: Final = "groundwire"
_TIMEOUT_S: Final = 120


@dataclass(frozen=True, slots=True)
class ColdStart:
    """Modules that were imported until the first answer.

    Attributes:
        own: names of the product's modules.
        own_lines: lines of their sources.
        others: number of modules of the standard library and of other packages.
    """

    own: frozenset[str]
    own_lines: int
    others: int


def cold_starts() -> dict[str, ColdStart]:
    """Return the imports of each function, each in a process of its own; RuntimeError where one does not answer."""
    build_model(_MODEL, lambda _step, _fraction: None)
    with empty_account() as url, TemporaryDirectory(prefix="groundwire-budgets-") as folder:
        return {name: _cold_start(name, url, folder) for name in EVENTS}


def _cold_start(name: str, url: str, folder: str) -> ColdStart:
    event, proof = EVENTS[name]
    app, sample = ROOT / "functions" / name / "app.py", ROOT / "events" / f"{event}.json"
    # Isolated from variables, folders and the way of installation, which may import modules at the start.
    folders = [sysconfig.get_path("purelib"), *(str(each.parent) for each in package_folders())]
    command = [sys.executable, "-I", "-S", "-B", str(_PROGRAM), str(app), str(sample), *folders]
    environment = {**_environment(name, url), "TMPDIR": folder, "HOME": folder}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
    )
    if done.returncode != 0 or proof not in done.stdout:
        raise RuntimeError(f"The function {name} did not answer {event}:\n{done.stdout}{done.stderr}")
    # Functions write log lines to the same stream.
    [line] = [each for each in done.stdout.splitlines() if each.startswith('{"modules"')]
    modules: list[str] = json.loads(line)["modules"]
    own = frozenset(each for each in modules if each.startswith(_OWN))
    return ColdStart(own, sum(map(_lines, own)), len(modules) - len(own))


def _environment(name: str, url: str) -> dict[str, str]:
    """Return the variables that the template gives the function, with names of resources that are nowhere."""
    logical_id = f"{name.capitalize()}Function"
    declared = variant(OpenSearchUrl=url, EmbeddingImageUri="image").variables(logical_id)
    return {
        **{variable: _value(variable, value, url) for variable, value in declared.items()},
        **({"GROUNDWIRE_MODEL": str(_MODEL)} if name == "embedding" else {}),
        "AWS_ENDPOINT_URL": url,
        "AWS_REGION": "eu-central-1",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "LC_ALL": "C.UTF-8",
        "PATH": os.defpath,
    }


def _value(variable: str, declared: object, url: str) -> str:
    if isinstance(declared, str):
        return declared
    known = {
        "GROUNDWIRE_INDEX": url,
        "GROUNDWIRE_INDEX_SERVICE": "opensearch",
        "GROUNDWIRE_EMBEDDER": "lambda:embedding",
        "GROUNDWIRE_EMBEDDER_MODEL": "all-MiniLM-L6-v2-int8",
        "POWERTOOLS_METRICS_NAMESPACE": "Groundwire",
    }
    needed = variable.endswith(("_TABLE", "_LOG_GROUP", "_BUCKET", "_QUEUE", "_FUNCTION", "_SECRET"))
    return known.get(variable, variable.lower().replace("_", "-") if needed else "")


def _lines(module: str) -> int:
    return len(_source(module).read_text(encoding="utf-8").splitlines())


def _source(module: str) -> Path:
    path = Path(*module.split("."))
    for folder in package_folders():
        for candidate in (folder.parent / path / "__init__.py", folder.parent / path.with_suffix(".py")):
            if candidate.is_file():
                return candidate
    raise RuntimeError(f"The module {module} has no file in layers/ or tools/.")
