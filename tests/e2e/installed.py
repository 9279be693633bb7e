"""Commands in an environment that holds one extra, as somebody runs them who has set nothing else."""

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from tests.support.documentation.pages import ROOT
from tests.support.engines.installers.extras import environment_with
from tests.support.engines.missing import Absent, answer

NO_ACCOUNT: Final = {
    "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
    "AWS_ACCESS_KEY_ID": "of-nobody",
    "AWS_SECRET_ACCESS_KEY": "nothing",
    "AWS_MAX_ATTEMPTS": "1",
}
"""Credentials for an account whose address answers nothing: a command that reaches it names the address."""


@cache
def installed_extra(extra: str) -> Path:
    """Return the `bin` folder of the environment with this extra; skips or fails the test without one."""
    try:
        return environment_with(extra)
    except Absent as absent:
        answer(absent)


def environment_of(home: Path, **variables: str) -> dict[str, str]:
    """Return the variables of somebody who has set nothing but these, with all data below `home`."""
    own = {"PATH": os.environ["PATH"], "HOME": str(home), "GROUNDWIRE_HOME": str(home / "groundwire")}
    return own | variables


def run(command: list[str | Path], home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command in the folder `home`."""
    environment = environment_of(home, **variables)
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False, timeout=120)


def built_model() -> dict[str, str]:
    """Return the setting of the model that `make tests` builds first, where it is there."""
    built = ROOT / ".cache" / "models" / "all-MiniLM-L6-v2-int8"
    return {"GROUNDWIRE_MODEL": str(built)} if (built / "model.json").is_file() else {}
