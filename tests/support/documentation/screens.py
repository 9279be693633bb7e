"""Pictures of the page for docs/: taken of the demo in Chromium, with `make pictures`."""

import base64
import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.engines.chromium import page
from tests.support.engines.installers.chromium import chromium

_SCREENS: Final = {
    "try": "return document.querySelectorAll('.passage').length > 2",
    "documents": "return document.querySelectorAll('tbody tr').length > 5",
    "keys": "return document.querySelectorAll('tbody tr').length > 2",
    "audit": "return document.querySelectorAll('tbody tr').length > 5",
    "status": "return document.querySelectorAll('tbody tr').length > 5",
}
"""Screens by their address, each with the function that is true once the screen shows its content."""
_WIDTH: Final = 1280
_HEIGHT: Final = 900
_PAGE: Final = re.compile(r"^page\s+(\S+)$", re.MULTILINE)
_LAST_LINE: Final = "Ctrl-C stops."


@contextmanager
def _demo(home: str, port: int) -> Generator[str]:
    """Yield the one-time address of a new demo's page; the demo ends with the block."""
    command = [sys.executable, "-c", "from groundwire.entry.cli.main import main; main()", "demo", "--port", str(port)]
    environment = {**os.environ, "GROUNDWIRE_HOME": home}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if line.startswith(_LAST_LINE):
                break
        try:
            found = _PAGE.search(shown)
            assert found, shown
            yield found[1]
        finally:
            process.send_signal(signal.SIGINT)


def take(folder: Path, port: int) -> None:
    """Write a picture of each screen into the folder, as WebP."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as home,
        TemporaryDirectory() as profile,
        _demo(home, port) as address,
        page(chromium(), Path(profile)) as browser,
    ):
        size = {"width": _WIDTH, "height": _HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        browser.command("Emulation.setDeviceMetricsOverride", **size)
        browser.load(address)
        browser.wait_for("return document.querySelector('nav') && document.querySelector('main h1')")
        for screen, is_shown in _SCREENS.items():
            browser.run(f"location.hash = '#/{screen}'")
            browser.wait_for(f"return document.querySelector('nav [aria-current]')?.hash === '#/{screen}'")
            browser.wait_for(is_shown)
            taken = browser.command("Page.captureScreenshot", format="webp", quality=80)
            (folder / f"{screen}.webp").write_bytes(base64.b64decode(taken["data"]))


if __name__ == "__main__":
    take(Path(sys.argv[1]), 8079)
