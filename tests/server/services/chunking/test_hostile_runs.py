"""No text makes the rules take more than time in step with its length."""

import os
import subprocess
import sys


def test_every_rule_of_the_text_is_linear_on_runs_that_were_made_to_hurt_it() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.server.services.chunking.hostile_runs"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    last = (ended.stdout.splitlines() or ["nothing"])[-1]
    assert ended.returncode == 0, f"ended by {ended.returncode} while it read {last}: {ended.stderr}"
    assert last == "many headings"
