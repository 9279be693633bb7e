"""GitHub's schemas of the files in .github, which the package check-jsonschema contains: nothing is loaded."""

import subprocess
import sys
from pathlib import Path
from typing import Final

_CHECK: Final = Path(sys.executable).with_name("check-jsonschema")


def validate(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    """Compare files with a schema, such as `github-workflows`; the exit code is 1 if one breaks it."""
    order = [_CHECK, "--builtin-schema", f"vendor.{schema}", *files]
    return subprocess.run(order, capture_output=True, text=True, check=False, timeout=60)
