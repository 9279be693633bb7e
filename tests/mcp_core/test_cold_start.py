"""A function that wakes must answer at once: what is imported is part of the product."""

import subprocess
import sys
from pathlib import Path

import groundwire_mcp

PACKAGE_ROOT = Path(groundwire_mcp.__file__).parents[1]
HEAVY = (
    "asyncio",
    "base64",
    "boto3",
    "concurrent",
    "decimal",
    "email",
    "fastapi",
    "http",
    "logging",
    "numpy",
    "pydantic",
    "socket",
    "ssl",
    "string",
    "tempfile",
    "urllib",
    "uuid",
)
"""The standard library's and others' modules that cost more to load than the protocol takes to answer."""

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import groundwire_mcp.server
print(*(name.partition(".")[0] for name in sys.modules))
"""


def loaded() -> set[str]:
    command = [sys.executable, "-I", "-S", "-c", SCRIPT, str(PACKAGE_ROOT)]
    return set(subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split())


def test_the_protocol_loads_the_standard_library_only_and_little_of_it() -> None:
    modules = loaded()
    assert "groundwire_mcp" in modules
    assert modules.isdisjoint(HEAVY)
    assert modules - {"groundwire_mcp", "__main__"} <= sys.stdlib_module_names | {"sitecustomize"}
