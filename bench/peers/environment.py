"""Asking a peer, in the environment that is its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.environments import interpreter
from bench.peers.job import Answers, load
from bench.server import ROOT, plain_environment

HYBRID_PEERS: Final = ("haystack", "langchain", "lancedb")
PEERS: Final = (*HYBRID_PEERS, "chroma")
"""Chroma alone searches by vector only: its hybrid search exists in its cloud, or through LangChain."""


def ask(peer: str, folder: Path, work: Path, model: Path, timed: int) -> Answers:
    """Return the peer's answers; raises CalledProcessError."""
    python = interpreter(peer, ROOT / "bench" / "peers" / f"{peer}.txt")
    paths = os.pathsep.join([str(ROOT), *map(str, (ROOT / "layers").iterdir())])
    # No peer reports home from a bench.
    quiet = {"ANONYMIZED_TELEMETRY": "False", "HAYSTACK_TELEMETRY_ENABLED": "False", "DO_NOT_TRACK": "1"}
    subprocess.run(
        [python, "-W", "ignore", "-m", "bench.peers.asking", peer, folder, work, model, str(timed)],
        env={**plain_environment(), **quiet, "PYTHONPATH": paths},
        check=True,
        stdout=sys.stderr,
    )
    return load(work / f"{peer}.json")
