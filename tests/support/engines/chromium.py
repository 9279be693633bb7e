"""Page in Chromium, controlled with the DevTools protocol over two pipes."""

import base64
import json
import os
import shlex
import struct
import subprocess
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from tests.support.engines.installers.chromium import Chromium

_FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe"),
)
_WATCH: Final = """
  window.failures = [];
  document.addEventListener("securitypolicyviolation", (event) => window.failures.push(event.violatedDirective));
  window.addEventListener("error", (event) => window.failures.push(event.message));
  window.addEventListener("unhandledrejection", (event) => window.failures.push(String(event.reason)));
"""
_CLICK: Final = """
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  const button = [...dialog.querySelectorAll("button")].find((each) =>
    [each.textContent, each.getAttribute("aria-label")].includes(%s) && each.offsetParent && !each.disabled);
  button?.click();
  return Boolean(button);
"""
_FOLLOW: Final = """
  const link = [...document.querySelectorAll("a")].find((each) => each.innerText === %s);
  link?.click();
  return Boolean(link);
"""
_FOCUS: Final = """
  const shown = %s;
  const labels = [...document.querySelectorAll("label")].filter((each) => each.textContent === shown);
  const label = labels.findLast((each) => each.offsetParent);
  const field = label && document.getElementById(label.htmlFor);
  field?.focus();
  return Boolean(field);
"""
_WAIT: Final = """new Promise((resolve, reject) => {
  const end = Date.now() + 30000;
  const look = () => {
    let found;
    // An error in a later look is in no promise by itself, so that nobody would get an answer.
    try { found = (() => { %s })(); } catch (error) { reject(error); return; }
    if (found) resolve(found);
    else if (Date.now() > end) reject(new Error("waited in vain on: " + document.body.innerText.slice(-1500)));
    else setTimeout(look, 50);
  };
  look();
})"""


class Page:
    """A page; `evaluate` runs JavaScript in it."""

    def __init__(self, to: IO[bytes], back: IO[bytes], target: str | None = None) -> None:
        """Attach to a target; None: to a new page."""
        self._to, self._back, self._last, self._loads = to, back, 0, 0
        if target is None:
            target = self._command("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = {
            "sessionId": self._command("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        }
        self.command("Page.enable")

    def command(self, method: str, **params: Any) -> Any:
        """The result of a command to the page."""
        return self._command(method, params, **self._session)

    def open(self, url: str, before: str = "") -> None:
        """Opens the address; the script `before` runs before any of the page's own."""
        self.command("Page.addScriptToEvaluateOnNewDocument", source=before)
        self.command("Page.navigate", url=url)

    def load(self, url: str, pages: int = 1) -> None:
        """Open the address, and wait until the page, and those that it loads by itself, have loaded, or are saved."""
        expected = self._loads + pages
        if "errorText" in self.command("Page.navigate", url=url):
            return
        while self._loads < expected:
            self._read()

    def leave_by(self, act: Callable[[], object]) -> None:
        """Do what leads to another page, such as a click, and wait until that page has loaded."""
        expected = self._loads + 1
        act()
        while self._loads < expected:
            self._read()

    def isolated_frame(self, url: str) -> "Page":
        """The frame of this address that has a process of its own, as every frame without an origin has."""
        targets = self._command("Target.getTargets", {})["targetInfos"]
        [found] = [each["targetId"] for each in targets if (each["type"], each["url"]) == ("iframe", url)]
        return Page(self._to, self._back, found)

    @property
    def url(self) -> str:
        """The address bar."""
        return self.run("return location.href")

    def run(self, body: str) -> Any:
        """What the function of this body returns."""
        evaluated = self.command("Runtime.evaluate", expression=f"(() => {{ {body} }})()", returnByValue=True)
        assert "exceptionDetails" not in evaluated, evaluated["exceptionDetails"]
        return evaluated["result"].get("value")

    def watch_failures(self) -> None:
        """Collect errors of scripts and refusals of the content policy, of each page that is opened from now on."""
        self.command("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)

    @property
    def failures(self) -> list[str]:
        """What the watch has collected on this page."""
        return self.run("return window.failures")

    @property
    def is_unharmed(self) -> bool:
        """Whether nothing failed, and no planted text ran (it sets `window.canary`) or became an image."""
        made = self.run("return [document.querySelectorAll('img').length, window.canary ?? null]")
        return self.failures == [] and made == [0, None]

    def click(self, label: str) -> None:
        """Click the button with this label as soon as it is there; while a dialog is open, one of the dialog."""
        self.wait_for(_CLICK % json.dumps(label))

    def follow(self, label: str) -> None:
        """Follow the link with this text as soon as it is there."""
        self.wait_for(_FOLLOW % json.dumps(label))

    def type(self, label: str, text: str) -> None:
        """Type into the field with this label as soon as it is there, and leave the field."""
        self.wait_for(_FOCUS % json.dumps(label))
        self.command("Input.insertText", text=text)
        self.press("Tab", 9)

    def wait_for_text(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.wait_for(f"return document.body.innerText.includes({json.dumps(text)})")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key, such as `Enter` with its code 13, which types the text."""
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.command("Input.dispatchKeyEvent", type="keyDown", text=text, **shared)
        self.command("Input.dispatchKeyEvent", type="keyUp", **shared)

    def choose_files(self, selector: str, *files: Path) -> None:
        """Choose files in the file field that the selector finds, as a person does in the browser's own dialog."""
        root = self.command("DOM.getDocument")["root"]["nodeId"]
        node = self.command("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.command("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])

    def sign_in(self, url: str, key: str) -> None:
        """Open the web page of the server, and sign in with the key by keyboard alone."""
        self.load(f"{url}/console")
        self.wait_for("return document.activeElement.name === 'key'")
        self.command("Input.insertText", text=key)
        self.press("Enter", 13, "\r")
        self.wait_for("return document.querySelector('nav') && document.querySelector('main h1')")

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Red, green and blue of a pixel of the page, also where it is a plugin's."""
        clip = {"x": x, "y": y, "width": 1, "height": 1, "scale": 1}
        taken = self.command("Page.captureScreenshot", clip=clip)
        red, green, blue = _only_row(base64.b64decode(taken["data"]))[1:4]
        return red, green, blue

    def wait_for(self, body: str) -> Any:
        """What the function of this body returns, as soon as that is something."""
        evaluated = self.command("Runtime.evaluate", expression=_WAIT % body, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in evaluated, evaluated["exceptionDetails"]["exception"]["description"]
        return evaluated["result"].get("value")

    def _command(self, method: str, params: dict[str, Any], **more: str) -> Any:
        self._last += 1
        self._to.write(json.dumps({"id": self._last, "method": method, "params": params, **more}).encode() + b"\0")
        self._to.flush()
        while True:
            message = self._read()
            if message.get("id") == self._last:
                assert "result" in message, message
                return message["result"]

    def _read(self) -> Any:
        """The next message; counts pages that have loaded."""
        message = json.loads(self._message())
        self._loads += message.get("method") == "Page.loadEventFired"
        return message

    def _message(self) -> bytes:
        read = bytearray()
        while (byte := self._back.read(1)) != b"\0":
            assert byte, "Chromium has ended"
            read += byte
        return bytes(read)


@contextmanager
def page(chromium: Chromium, profile: Path) -> Generator[Page]:
    """A page of a new browser."""
    (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()
    command = shlex.join([str(chromium.program), *_FLAGS, f"--user-data-dir={profile}", "about:blank"])
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command} 3<&{theirs_in} 4>&{theirs_out}"],
        pass_fds=(theirs_in, theirs_out),
        env={**os.environ, **chromium.variables},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        with os.fdopen(ours_out, "wb") as to, os.fdopen(ours_in, "rb") as back:
            yield Page(to, back)
    finally:
        process.terminate()
        process.wait(30)


def _only_row(png: bytes) -> bytes:
    """The filter byte and the samples of an image of one pixel, on which no filter of PNG has an effect."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        data += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return zlib.decompress(data)
