"""Proofs on this machine, outside of any clone: `${XDG_CACHE_HOME:-~/.cache}/groundwire/proved`."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.support.plugins.proofs.inputs import Checkout

_KEPT: Final = 10
"""Proofs of one suite that are kept: as many changes can be taken back without running it again."""


class Proofs:
    """Proofs of the suites of one checkout, in one environment."""

    def __init__(self, checkout: Checkout) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._folder = Path(cache) / "groundwire" / "proved" / checkout.environment()[:16]
        self._checkout = checkout

    def holds(self, suite: str) -> bool:
        """Return whether the suite passed with all its inputs as they are now."""
        return any(map(self._checkout.has, self._read(suite)))

    def add(self, suite: str, inputs: Mapping[str, str]) -> None:
        """Keep that the suite passed with these inputs."""
        self._folder.mkdir(parents=True, exist_ok=True)
        proofs = [dict(inputs), *(each for each in self._read(suite) if each != inputs)][:_KEPT]
        partial = self._file(suite).with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps({"suite": suite, "proofs": proofs}))
        partial.replace(self._file(suite))

    def _read(self, suite: str) -> list[dict[str, str]]:
        try:
            return json.loads(self._file(suite).read_text())["proofs"]
        except FileNotFoundError:
            return []

    def _file(self, suite: str) -> Path:
        return self._folder / f"{hashlib.sha256(suite.encode()).hexdigest()[:32]}.json"
