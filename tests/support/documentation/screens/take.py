"""Pictures of every screen of the page, taken of the demo in Chromium, with `make pictures`."""

import base64
import itertools
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.support.documentation.screens.demo import Demo, running_demo
from tests.support.documentation.screens.pictures import PICTURES
from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium

_HEIGHT: Final = 900
_DRAWN: Final = "return document.querySelector('main h1') && !document.querySelector('.busy-line, [aria-busy]')"
# The name of a folder on the machine that takes the pictures is of no use to anybody else.
_WITHOUT_FOLDER: Final = """
  const path = [...document.querySelectorAll("dt")].find((each) => each.textContent === "Path")?.nextElementSibling;
  if (path) path.textContent = path.textContent.split("/").at(-1);
"""
_WHOLE_HEIGHT: Final = f"""
  if (document.querySelector("dialog")) return {_HEIGHT};
  return Math.min(Math.max(document.documentElement.scrollHeight, {_HEIGHT}), 6000);
"""
_BROKEN_BUTTONS: Final = """
  return [...document.querySelectorAll("td button")]
    .filter((each) => each.offsetParent && !each.textContent.includes(" ") && each.offsetHeight > 48)
    .map((each) => each.textContent);
"""


class Form(NamedTuple):
    """Width of the window in pixels, and the colour scheme of the system."""

    width: int
    scheme: str


FORMS: Final = tuple(itertools.starmap(Form, itertools.product((360, 1280), ("light", "dark"))))
_DOCUMENTATION: Final = Form(1280, "light")


def _resized(browser: Page, form: Form, height: int = _HEIGHT) -> None:
    size = {"width": form.width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.command("Emulation.setDeviceMetricsOverride", **size)
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": form.scheme}])


def _taken(browser: Page) -> bytes:
    return base64.b64decode(browser.command("Page.captureScreenshot", format="webp", quality=80)["data"])


def take(folder: Path, documentation: Path | None, forms: Iterable[Form] = FORMS) -> None:
    """Write pictures as WebP.

    Args:
        folder: where each screen is written in each form, in its whole length.
        documentation: where the first window of each screen is written, 1,280 pixels wide and light; None: nowhere.
        forms: that are taken.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as home,
        TemporaryDirectory() as files,
        TemporaryDirectory() as profile,
        running_demo(Path(home), Path(files)) as demo,
        page(chromium(), Path(profile)) as browser,
    ):
        browser.watch_failures()
        browser.load(demo.page)
        browser.wait_for(_DRAWN)
        origin = browser.url.partition("#")[0]
        for form, (name, (address, steps)) in itertools.product(forms, PICTURES.items()):
            _resized(browser, form)
            # Only another page before makes a part after `#` a load, which closes dialogs and empties fields.
            browser.load("about:blank")
            browser.load(f"{origin}#/{_with_id(address, demo)}")
            browser.wait_for(_DRAWN)
            steps(browser, demo)
            browser.wait_for(_DRAWN)
            _check(browser, name)
            browser.run(_WITHOUT_FOLDER)
            if documentation is not None and form == _DOCUMENTATION:
                (documentation / f"{name}.webp").write_bytes(_taken(browser))
            _resized(browser, form, browser.run(_WHOLE_HEIGHT))
            (folder / f"{name}-{form.width}-{form.scheme}.webp").write_bytes(_taken(browser))


def _check(browser: Page, name: str) -> None:
    """Fail if a screen broke a rule of the content policy, breaks a label, or is wider than the window."""
    assert browser.failures == [], (name, browser.failures)
    assert browser.run(_BROKEN_BUTTONS) == [], name
    widths = browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert widths[0] <= widths[1], (name, widths)


def _with_id(address: str, demo: Demo) -> str:
    screen, _, file = address.partition("/")
    return f"{screen}/{demo.documents[file]}" if "." in file else address


if __name__ == "__main__":
    take(Path(sys.argv[1]), Path(sys.argv[2]))
