"""Debian's Chromium without a window, driven by the W3C WebDriver protocol of its ChromeDriver."""

import base64
import os
import re
import shutil
import struct
import subprocess
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx

from tests.support.engines.missing import Absent

_STARTED: Final = re.compile(r"started successfully on port ([0-9]+)")
_TIMEOUT_S: Final = 60
_ARGUMENTS: Final = (
    "--headless=new",
    # Processes of root and of containers have no sandbox of their own.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    # Nothing but the page under test is loaded.
    "--disable-background-networking",
    "--disable-component-update",
    "--no-proxy-server",
)


@dataclass(frozen=True, slots=True)
class Browser:
    """One window of Chromium."""

    driver: httpx.Client
    session: str

    def open(self, url: str) -> None:
        """Navigate and wait until the page has loaded."""
        self._command("url", url=url)

    @property
    def url(self) -> str:
        """The address bar."""
        return self._value(self.driver.get(f"{self.session}/url"))

    def run(self, script: str) -> Any:
        """The value that the body of a function returns in the page."""
        return self._command("execute/sync", script=script, args=[])

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Red, green and blue of a pixel of the page, also where it is a plugin's."""
        clip = {"x": x, "y": y, "width": 1, "height": 1, "scale": 1}
        taken = self._command("goog/cdp/execute", cmd="Page.captureScreenshot", params={"clip": clip})
        red, green, blue = _only_row(base64.b64decode(taken["data"]))[1:4]
        return red, green, blue

    def _command(self, name: str, **arguments: object) -> Any:
        return self._value(self.driver.post(f"{self.session}/{name}", json=arguments))

    @staticmethod
    def _value(answer: httpx.Response) -> Any:
        value = answer.json()["value"]
        assert answer.status_code == 200, value
        return value


@contextmanager
def running() -> Generator[Browser]:
    """A browser with a profile of its own; ends with the block. May raise Absent."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise Absent("Chromium cannot be had: install Debian's packages chromium and chromium-driver.")
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": home}
        command = [driver, "--port=0"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                with httpx.Client(base_url=_address(process), timeout=_TIMEOUT_S, trust_env=False) as client:
                    yield from _session(client, chromium, home)
            finally:
                process.terminate()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if started := _STARTED.search(line):
            return f"http://127.0.0.1:{started[1]}"
    raise AssertionError("ChromeDriver ended at its start")


def _session(client: httpx.Client, chromium: str, profile: str) -> Generator[Browser]:
    options = {"binary": chromium, "args": [*_ARGUMENTS, f"--user-data-dir={profile}/profile"]}
    wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
    made = client.post("/session", json=wanted).json()["value"]
    assert "sessionId" in made, made
    path = f"/session/{made['sessionId']}"
    try:
        yield Browser(client, path)
    finally:
        client.delete(path)


def _only_row(png: bytes) -> bytes:
    """The filter byte and the samples of an image of one pixel, on which no filter of PNG has an effect."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return zlib.decompress(data)
