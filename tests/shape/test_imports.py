"""Importing does nothing but define, and a function that wakes loads only what its answer needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shape.source import FUNCTIONS, name_of, paths

OFFLINE = """
import socket

class NoNetwork(socket.socket):
    def __init__(self, *arguments, **named):
        raise OSError("a module opened a socket while it was imported")

def no_lookup(*arguments, **named):
    raise OSError("a module looked up a host while it was imported")

socket.socket = NoNetwork
socket.getaddrinfo = socket.gethostbyname = no_lookup
"""

IMPORT_ALL = """
import importlib, json, sys, threading
failed = {}
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except BaseException as problem:
        failed[name] = repr(problem)
threads = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
print(json.dumps({"failed": failed, "threads": threads}))
"""

LOADED_BY_FILE = """
import importlib.util, json, sys
before = set(sys.modules)
spec = importlib.util.spec_from_file_location("app", sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
print(json.dumps(sorted(set(sys.modules) - before)))
"""

LOADED_BY_NAME = """
import importlib, json, sys
before = set(sys.modules)
importlib.import_module(sys.argv[1])
print(json.dumps(sorted(set(sys.modules) - before)))
"""

PACKAGES = ("groundwire_egress", "groundwire_mcp", "groundwire_model_builder", "groundwire_readers")
"""Packages of the product beside the server."""

VALUES = (
    *("groundwire_egress.deadline", "groundwire_egress.mcp_client.calls", "groundwire_egress.mcp_client.limits"),
    *("groundwire_egress.messages", "groundwire_egress.secure_urls", "groundwire_mcp."),
    *("groundwire_readers.contents", "groundwire_readers.text"),
)
"""Modules of these packages that use cases import; the others are clients and readers, which count as adapters."""

HEAVY = (
    *("boto3", "cryptography", "fastapi", "mangum", "numpy"),
    *("onnxruntime", "pydantic", "rich", "sqlite3", "ssl"),
    *("pypdfium2_raw", "starlette", "typer", "uvicorn", "xberg", "yaml"),
)


def adapters_of(modules: list[str]) -> set[str]:
    """Return the modules of adapters; a package itself loads nothing before its first name is used."""
    own = {name for name in modules if name.startswith(tuple(f"{package}." for package in PACKAGES))}
    values = {name for name in own if name.startswith(VALUES) or name == "groundwire_egress.mcp_client"}
    return (own - values) | {name for name in modules if name.startswith("groundwire.adapters")}


def module_names() -> list[str]:
    parts = [Path(name_of(path)).with_suffix("").parts for path in paths()]
    return [".".join(part for part in name if part != "__init__") for name in parts]


def run(script: str, *arguments: str, folder: Path) -> str:
    """What the script prints in a fresh interpreter that has no environment and starts in `folder`."""
    command = [sys.executable, "-I", "-B", "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={}, cwd=folder, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_can_be_imported_without_environment_network_or_trace(tmp_path: Path) -> None:
    answer = json.loads(run(OFFLINE + IMPORT_ALL, *module_names(), folder=tmp_path).splitlines()[-1])
    advice = "move what runs at import into a function: importing may not need settings, files or a network"
    assert answer["failed"] == {}, advice
    assert answer["threads"] == [], "start threads when they are first needed, not at import"
    assert list(tmp_path.iterdir()) == [], advice


def test_an_import_that_reaches_for_the_network_is_seen(tmp_path: Path) -> None:
    for span in (
        "socket.socket()",
        "socket.create_connection(('127.0.0.1', 9))",
        "socket.getaddrinfo('a.example', 9)",
    ):
        with pytest.raises(AssertionError, match="while it was imported"):
            run(f"{OFFLINE}\n{span}", folder=tmp_path)


@pytest.mark.parametrize("function", ["mcp", "authorizer"])
def test_the_functions_of_every_call_load_no_library_that_their_first_answer_does_not_need(
    function: str, tmp_path: Path
) -> None:
    app = FUNCTIONS / function / "app.py"
    modules: list[str] = json.loads(run(LOADED_BY_FILE, str(app), folder=tmp_path))
    assert f"groundwire.entry.{function}" in modules
    loaded = {name for name in modules if name.partition(".")[0] in HEAVY} | adapters_of(modules)
    assert not loaded, "import these where they are used, in the function that needs them, not at the top of a module"


@pytest.mark.parametrize("module", ["groundwire.settings.environment", "groundwire.wiring"])
def test_settings_and_wiring_load_the_standard_library_and_no_adapter(module: str, tmp_path: Path) -> None:
    modules: list[str] = json.loads(run(LOADED_BY_NAME, module, folder=tmp_path))
    assert module in modules
    others = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names - {"groundwire", *PACKAGES}
    assert not others, "wiring imports a library's adapter inside the property that hands it out"
    assert not adapters_of(modules), "pick adapters late, see above"
