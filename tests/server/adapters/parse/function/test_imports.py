"""The parser function imports what it parses with, and nothing that reaches other data of the installation."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[5]
ALLOWED: Final = (
    "groundwire.adapters.parse",
    "groundwire.domain",
    "groundwire.entry.functions.parser",
    "groundwire.entry.runtime.cold_start",
    "groundwire.settings",
    "groundwire.wiring.cloud.parsing",
    "groundwire.wiring.lazy",
    "groundwire.wiring.runtime",
)
PACKAGES: Final = {
    *("groundwire", "groundwire.adapters", "groundwire.entry", "groundwire.entry.functions"),
    *("groundwire.entry.runtime", "groundwire.wiring", "groundwire.wiring.cloud"),
}
FORBIDDEN: Final = {
    *("aws_lambda_powertools", "boto3", "botocore", "cryptography", "fastapi", "jwt", "numpy", "opensearchpy"),
    *("pydantic", "pypdfium2_raw", "requests", "starlette", "urllib3", "xberg", "yaml"),
}
_PROGRAM: Final = """\
import json, runpy, sys
from types import SimpleNamespace
handler = runpy.run_path(sys.argv[1])["handler"]
handler({"probe": "confinement"}, SimpleNamespace(aws_request_id="1"))
print(json.dumps(sorted(sys.modules)))
"""


def test_the_function_imports_the_parser_and_its_part_of_the_domain_alone() -> None:
    app = ROOT / "functions" / "parser" / "app.py"
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(app)],
        env={"GROUNDWIRE_PARSER_ISOLATION": "tenant", "AWS_LAMBDA_FUNCTION_NAME": "parser"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    modules: list[str] = json.loads(done.stdout)
    ours = {name for name in modules if name.split(".")[0] == "groundwire"} - PACKAGES
    assert "groundwire.adapters.parse.function.parser_function" in ours
    assert {name for name in ours if not name.startswith(ALLOWED)} == set()
    # The libraries that read files are imported by the worker alone, inside its confinement.
    assert {name.split(".")[0] for name in modules} & FORBIDDEN == set()
