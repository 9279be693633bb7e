"""The locks hold hashes for everything and no address, and the layer carries what the tests run with."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PIN = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^\s;]+)", re.MULTILINE)
LAYERS = ("layers/groundwire/requirements.txt", "layers/parsers/requirements.txt")
EMBEDDING = ("functions/embedding/requirements.txt", "functions/embedding/requirements-model.txt")
LOCKS = [
    *("requirements.lock", "requirements-dev.lock", "requirements-sam.lock", "requirements-ministack.lock"),
    *("requirements-image.lock", "requirements-release.lock"),
    *LAYERS,
    *EMBEDDING,
]
HASHED = [*LOCKS, *(f"bench/protocol/{peer}.txt" for peer in ("awslabs", "fastapi", "fastmcp", "mcp"))]


def pins(lock: str) -> dict[str, set[str]]:
    """Versions by name: several where a version depends on the Python."""
    found: dict[str, set[str]] = {}
    for name, version in PIN.findall((ROOT / lock).read_text()):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("lock", HASHED)
def test_every_requirement_has_a_hash_and_none_an_address(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "--index" not in text
    entries = [entry for entry in re.split(r"\n(?=\S)", text.strip()) if not entry.startswith("#")]
    assert entries
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)


def test_all_locks_of_the_product_agree() -> None:
    everything = pins("requirements-dev.lock")
    for lock in ("requirements.lock", "requirements-image.lock", *LAYERS, *EMBEDDING):
        for name, versions in pins(lock).items():
            assert versions == everything[name], name


def test_what_the_project_asks_for_is_locked() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = configuration["project"], configuration["dependency-groups"]
    extras = project["optional-dependencies"]
    requested = {
        "layers/groundwire/requirements.txt": groups["functions"],
        "requirements.lock": project["dependencies"],
        "requirements-image.lock": [*project["dependencies"], *extras["opensearch"], *extras["ocr"]],
        "requirements-dev.lock": [*project["dependencies"], *(each for extra in extras.values() for each in extra)],
    }
    for lock, requirements in requested.items():
        names = {re.split(r"[\[<>=~! ]", requirement)[0].lower() for requirement in requirements}
        names.discard(project["name"])
        assert names <= pins(lock).keys(), lock


def test_the_functions_ask_for_the_versions_that_one_machine_asks_for() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text())
    machine = {
        *configuration["project"]["dependencies"],
        *configuration["project"]["optional-dependencies"]["opensearch"],
    }
    assert set(configuration["dependency-groups"]["functions"]) <= machine


def test_the_layer_holds_neither_what_one_machine_needs_nor_what_lambda_provides() -> None:
    assert (
        not {"numpy", "onnxruntime", "xberg", "uvicorn", "typer", "boto3"}
        & pins("layers/groundwire/requirements.txt").keys()
    )


def test_the_layers_hold_no_package_twice() -> None:
    core, parsers = map(pins, LAYERS)
    assert {"pypdfium2", "xberg"} <= parsers.keys()
    # Ingestion reads policy files, without the layer of parsers.
    assert "pyyaml" in core
    assert not core.keys() & parsers.keys()
