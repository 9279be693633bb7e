"""Findings of checks: one line for a person, one object for a program."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from groundwire.domain.error_codes import message_with_hint
from groundwire.domain.errors import DomainError
from groundwire.entry.cli.console import print_line, warn
from groundwire.settings.remedies import OPERATOR_HINTS


class DefectFound(DomainError):
    """Error of a check whose promise does not hold; the text names what to do."""


@dataclass(frozen=True, slots=True)
class Caution:
    """Result of a check whose promise holds with a restriction, or that could not be made."""

    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; a warning is about what will fail if nobody acts.

    Attributes:
        promise: sentence that the check proves; empty where the name of the check is enough.
    """

    check: str
    ok: bool
    detail: str
    is_warning: bool = False
    promise: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the finding; `warning` is a member of warnings only, `promise` of checks that have one."""
        return {
            "check": self.check,
            "ok": self.ok,
            "detail": self.detail,
            **({"promise": self.promise} if self.promise else {}),
            **({"warning": True} if self.is_warning else {}),
        }

    def show(self) -> None:
        """Print the finding: on standard error unless it is in order."""
        label = "BAD" if not self.ok else "!!" if self.is_warning else "ok "
        text = f"{self.promise} {self.detail}" if self.promise else self.detail
        (print_line if self.ok and not self.is_warning else warn)(f"{label} {self.check:<9} {text}")


Check = Callable[[], str | Caution]
"""A check: returns what it saw; raises DomainError or OSError for a defect."""
Report = Callable[[Finding], None]
"""Receiver of each finding as soon as it is there."""
NOT_CHECKED: Final = "Not checked, because an earlier check failed."


def run_check(check: str, run: Check, promise: str = "") -> Finding:
    """Return the finding of a check."""
    try:
        result = run()
    except (DomainError, OSError) as error:
        return Finding(check, ok=False, detail=error_text(error), promise=promise)
    if isinstance(result, Caution):
        return Finding(check, ok=True, detail=result.text, is_warning=True, promise=promise)
    return Finding(check, ok=True, detail=result, promise=promise)


def skipped(check: str, promise: str) -> Finding:
    """Return the finding of a check that was not made."""
    # No defect of its own, because the check that failed is reported as one.
    return Finding(check, ok=True, detail=NOT_CHECKED, is_warning=True, promise=promise)


def error_text(error: DomainError | OSError) -> str:
    """Return the error on one line, with the remedy that the operator has."""
    text = message_with_hint(error, OPERATOR_HINTS) if isinstance(error, DomainError) else str(error)
    return " ".join(text.split())
