"""Parsers that several settings share."""

from pathlib import Path

from groundwire.settings.catalog.setting import Parser, Variable


def optional_text(variable: Variable) -> str | None:
    """Return the text as it is; None if it is empty."""
    return variable.text or None


def optional_folder(variable: Variable) -> Path | None:
    """Return an absolute folder; None if the text is empty."""
    return absolute_folder(variable.text) if variable.text else None


def absolute_folder(text: str) -> Path:
    """Return the folder with the user's home in place of `~`, from the current folder."""
    return Path(text).expanduser().absolute()


def word_set(variable: Variable) -> frozenset[str]:
    """Return the words between blanks."""
    return frozenset(variable.text.split())


def whole_number(least: int, most: int) -> Parser[int]:
    """Return a parser of numbers from `least` to `most`."""

    def parse(variable: Variable) -> int:
        text = variable.text
        # The length first: int() refuses texts of thousands of digits in words of its own.
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        if not is_number or not least <= int(text) <= most:
            raise variable.refusal(f"be a whole number of {least} to {most}")
        return int(text)

    return parse


def milliseconds(least: int, most: int) -> Parser[float]:
    """Return a parser of whole milliseconds from `least` to `most`; the value is in seconds."""
    parse = whole_number(least, most)
    return lambda variable: parse(variable) / 1_000


def secure_url(variable: Variable) -> str:
    """Return a URL to which keys and secrets may go, as it is written."""
    # Lazy import: few servers have such a setting.
    from groundwire_egress.secure_urls import is_secure_url

    if not is_secure_url(variable.text):
        raise variable.refusal("be an https address (http on this machine only)")
    return variable.text
