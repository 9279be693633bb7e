"""The peers' own environments: made once, and again when what is pinned for them changes."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.peers.job import Answers, load
from bench.server import ROOT, plain_environment

PEERS: Final = ("haystack", "chroma", "lancedb")


def ask(peer: str, folder: Path, work: Path, model: Path, timed: int) -> Answers:
    """What the peer answers; Raises CalledProcessError."""
    python = _python(peer)
    paths = os.pathsep.join([str(ROOT), str(ROOT / "layers" / "groundwire")])
    # No peer reports home from a bench.
    quiet = {"ANONYMIZED_TELEMETRY": "False", "HAYSTACK_TELEMETRY_ENABLED": "False", "DO_NOT_TRACK": "1"}
    subprocess.run(
        [python, "-W", "ignore", "-m", "bench.peers.asking", peer, folder, work, model, str(timed)],
        env={**plain_environment(), **quiet, "PYTHONPATH": paths},
        check=True,
        stdout=sys.stderr,
    )
    return load(work / f"{peer}.json")


def _python(peer: str) -> Path:
    """The peer's interpreter, its packages as they are pinned."""
    pinned = ROOT / "bench" / "peers" / f"{peer}.txt"
    environment = ROOT / f".venv-bench-{peer}"
    python, stamp = environment / "bin" / "python", environment / "installed"
    wanted = hashlib.sha256(pinned.read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", pinned]
        subprocess.run(install, check=True, stdout=sys.stderr)
        stamp.write_text(wanted, encoding="utf-8")
    return python
