"""What each picture of the page shows: its screen, and the steps from there."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.support.documentation.screens.demo import ELIF, NOOR, ROOT, SALES, Demo
from tests.support.engines.chromium import Page

_HANDBOOK: Final = "employee-handbook.pdf"
_FLOOR_PRICES: Final = "floor-prices-2026.xlsx"

Steps = Callable[[Page, Demo], None]


def _rows(number: int) -> Steps:
    return lambda browser, _demo: browser.wait_for(f"return document.querySelectorAll('tbody tr').length >= {number}")


def _two_answers(browser: Page, _demo: Demo) -> None:
    browser.wait_for("return document.querySelectorAll('.passage').length > 2")


def _marked_page(browser: Page, _demo: Demo) -> None:
    browser.wait_for("return document.querySelector('article.passage')")
    browser.click("Show the page")
    browser.wait_for("return document.querySelector('figure img')?.naturalHeight")


def _plan(browser: Page, _demo: Demo) -> None:
    browser.type("Holders of one of these tags", SALES)
    browser.click("Choose files")
    browser.wait_for("return document.querySelector('input[type=file]')")
    samples = ROOT / "samples" / "documents"
    browser.choose_files("input[type=file]", samples / "support" / "support-faq.html", samples / "company" / _HANDBOOK)
    browser.click("Show the plan")
    browser.wait_for_text("support-faq.html")


def _may_read(browser: Page, demo: Demo) -> None:
    browser.type("Document", demo.documents[_FLOOR_PRICES])
    browser.type("User", ELIF)
    browser.type("Tags of the call", SALES)
    browser.click("Check")
    browser.wait_for_text("It would be readable with")


def _readers(browser: Page, demo: Demo) -> None:
    browser.type("Document", demo.documents[_FLOOR_PRICES])
    browser.click("List the readers")
    browser.wait_for_text(NOOR)


def _readable(browser: Page, _demo: Demo) -> None:
    browser.type("User", ELIF)
    browser.type("Tags of the call", SALES)
    browser.click("List the documents")
    browser.wait_for("return document.querySelectorAll('tbody tr').length >= 5")


def _why_not(browser: Page, demo: Demo) -> None:
    browser.type("Document", demo.documents[_FLOOR_PRICES])
    browser.type("Question", "How low can we go on the price?")
    browser.type("User", ELIF)
    browser.type("Tags of the call", SALES)
    browser.click("Ask why")
    browser.wait_for_text("It would be readable with")


def _what_if(browser: Page, _demo: Demo) -> None:
    browser.type("User", ELIF)
    browser.type("Tags afterwards", "department:finance")
    browser.click("Show the effect")
    browser.wait_for_text("Opens")


def _leaving(browser: Page, _demo: Demo) -> None:
    browser.type("Ids of the person", NOOR)
    browser.click("Show the effect")
    browser.wait_for("return document.querySelector('dialog')")


def _newest_run(browser: Page, _demo: Demo) -> None:
    browser.wait_for("const link = document.querySelector('tbody a'); link?.click(); return Boolean(link)")
    browser.wait_for_text("it is damaged")


def _new_key(browser: Page, _demo: Demo) -> None:
    browser.click("Claude")
    browser.type("User", ELIF)


def _change_of_readers(browser: Page, _demo: Demo) -> None:
    browser.wait_for("return document.querySelector('article.passage')")
    browser.click("Change the readers")
    browser.click("×")
    browser.click("Show the effect")
    browser.wait_for("return document.querySelector('dialog .effect')")


def _compared(browser: Page, _demo: Demo) -> None:
    browser.wait_for("const link = document.querySelector('tbody a'); link?.click(); return Boolean(link)")
    browser.wait_for("return document.querySelector('form.card input')")
    browser.type("Gate: largest loss (optional)", "0.02")
    browser.click("Compare")
    browser.wait_for("return document.querySelector('.notice')")


def _called_route(browser: Page, _demo: Demo) -> None:
    browser.wait_for("return document.querySelector('details.route')")
    browser.run("document.querySelector('details.route').open = true")
    browser.click("Call it")
    browser.wait_for("return document.querySelector('.json')")


PICTURES: Final[Mapping[str, tuple[str, Steps]]] = {
    "try": ("try", _two_answers),
    "documents": ("documents", _rows(6)),
    "document": (f"documents/{_HANDBOOK}", _marked_page),
    "readers-change": ("documents/sales-playbook.pptx", _change_of_readers),
    "deleted": ("documents/deleted/list", _rows(1)),
    "upload": ("documents/upload/files", _plan),
    "runs": ("documents/runs/list", _rows(2)),
    "run": ("documents/runs/list", _newest_run),
    "access-check": ("access/check", _may_read),
    "access-readers": ("access/readers", _readers),
    "access-documents": ("access/documents", _readable),
    "access-why-not": ("access/why-not", _why_not),
    "access-what-if": ("access/what-if", _what_if),
    "people-users": ("people/users", _rows(2)),
    "people-tags": ("people/tags", _rows(3)),
    "people-groups": ("people/groups", _rows(1)),
    "people-blocks": ("people/blocks", _rows(1)),
    "people-leaving": ("people/leaving", _leaving),
    "keys": ("keys", _rows(3)),
    "new-key": ("keys", _new_key),
    "audit": ("audit", _rows(6)),
    "quality": ("quality", _rows(2)),
    "evaluation": ("quality", _compared),
    "status": ("status", _rows(6)),
    "api": ("api", _called_route),
}
"""The address of each picture's screen, and the steps from there to what the picture shows."""
