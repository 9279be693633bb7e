"""A peer at work, as a program in the peer's own environment: `converting.py PEER FILE` gives JSON on standard output.

It imports nothing of this project, since nothing of it is installed there.
"""

import contextlib
import json
import sys
import time


def markitdown(file: str) -> tuple[float, str, str | None]:
    """Seconds, Markdown and title by MarkItDown with its default settings."""
    from markitdown import MarkItDown  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    converter = MarkItDown()
    start = time.perf_counter()
    result = converter.convert(file)
    return time.perf_counter() - start, result.markdown, result.title


def docling(file: str) -> tuple[float, str, str | None]:
    """Seconds and Markdown by Docling with its default settings, which load models for PDF files."""
    from docling.document_converter import DocumentConverter  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

    converter = DocumentConverter()
    start = time.perf_counter()
    markdown = converter.convert(file).document.export_to_markdown()
    return time.perf_counter() - start, markdown, None


def main() -> None:
    peer, file = sys.argv[1:]
    with contextlib.redirect_stdout(sys.stderr):  # what a library prints is no part of the answer
        seconds, markdown, title = {"markitdown": markitdown, "docling": docling}[peer](file)
    json.dump({"seconds": seconds, "markdown": markdown, "title": title}, sys.stdout)


if __name__ == "__main__":
    main()
