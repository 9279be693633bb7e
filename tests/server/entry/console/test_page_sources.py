"""The sources of the page: elements and texts alone, no other host, few bytes, and every import is served."""

import posixpath
import re
import zlib
from pathlib import PurePosixPath
from typing import Final

import pytest

from groundwire.entry.console.files import page_files

MOST_LINES: Final = 300
MOST_COMPRESSED_BYTES: Final = 150_000
SCRIPTS: Final = {name: file.content.decode() for name, file in page_files().items() if name.endswith(".js")}
FORBIDDEN: Final = (
    *(r"\binnerHTML\b", r"\bouterHTML\b", r"insertAdjacentHTML", r"document\.write", r"\beval\s*\(", r"new Function"),
    *(r"setHTMLUnsafe", r"parseFromString", r"createContextualFragment", r"srcdoc\s*=", r"\bsetTimeout\s*\(\s*['\"`]"),
    *(r"localStorage", r"sessionStorage", r"indexedDB", r"document\.cookie", r"\.style\b", r"importScripts"),
    *(
        r"\bimport\s*\(",
        r"postMessage",
        r"window\.open\b",
        r"XMLHttpRequest",
        r"sendBeacon",
        r"WebSocket",
        r"EventSource",
    ),
)
"""Ways to make markup of a text, to keep a secret, or to reach anything but the server's own API."""


def test_the_page_is_small() -> None:
    sizes = {name: len(zlib.compress(file.content, 9)) for name, file in page_files().items()}
    assert sum(sizes.values()) <= MOST_COMPRESSED_BYTES, sizes


@pytest.mark.parametrize("name", sorted(page_files()))
def test_a_file_is_short_and_reaches_no_other_host(name: str) -> None:
    text = page_files()[name].content.decode()
    addresses = set(re.findall(r"""(?:https?:|["'`(=\s])//[\w.-]+""", text.replace("// ", "")))

    assert len(text.splitlines()) <= MOST_LINES
    # The namespace of SVG is a name, which nobody fetches.
    assert addresses <= {"http://www.w3.org"}


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_makes_no_markup_and_keeps_no_secret(name: str) -> None:
    found = [pattern for pattern in FORBIDDEN if re.search(pattern, SCRIPTS[name])]
    assert not found


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_one_module_alone_makes_elements_and_one_alone_calls(name: str) -> None:
    assert ("document.createElement" in SCRIPTS[name]) == (name == "element.js")
    assert bool(re.search(r"\bfetch\(", SCRIPTS[name])) == (name == "api.js")


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_every_import_names_a_file_of_the_page_with_what_it_exports(name: str) -> None:
    imports = re.findall(r'^import \{([^}]*)\} from "([^"]+)";$', SCRIPTS[name], re.MULTILINE)

    assert len(imports) == len(re.findall(r"^import\b", SCRIPTS[name], re.MULTILINE))
    for names, target in imports:
        imported = posixpath.normpath((PurePosixPath(name).parent / target).as_posix())
        exported = re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", SCRIPTS[imported], re.MULTILINE)
        assert {each.strip() for each in names.split(",") if each.strip()} <= set(exported)


def test_the_page_has_no_inline_script_and_no_inline_style() -> None:
    index = page_files()["index.html"].content.decode()

    assert re.findall(r"<script[^>]*>([^<]*)</script>", index) == [""]
    assert "<style" not in index
    assert not re.search(r"\s(?:on\w+|style)=", index)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as `#0b6e69` (WCAG 2.2)."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_texts_and_borders_have_the_contrast_of_wcag(scheme: int) -> None:
    roots = re.findall(r":root \{(.*?)\}", page_files()["style.css"].content.decode(), re.DOTALL)
    colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", roots[scheme]))
    texts = [(text, ground) for text in ("text", "quiet", "accent") for ground in ("ground", "surface", "sunk")]
    texts += [(name, f"{name}-soft") for name in ("accent", "good", "busy", "bad")]
    texts += [("on-accent", "accent"), ("good", "ground"), ("text", "accent-soft")]

    low = {pair: contrast(*(colours[name] for name in pair)) for pair in texts}
    assert {pair: ratio for pair, ratio in low.items() if ratio < 4.5} == {}
    assert min(contrast(colours["strong-line"], colours[ground]) for ground in ("ground", "surface")) >= 3
