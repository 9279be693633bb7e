"""Make the binary sample documents from the manuscripts in `content/`.

Usage, from a virtual environment of its own: `pip install -r requirements.txt && python build.py`.
The HTML page and the release notes are written by hand and stand in `documents/` only.
"""

from pathlib import Path

import pdf
import sheets
import slides
import word
from frozen import freeze
from manuscript import read

HERE = Path(__file__).resolve().parent
DOCUMENTS = HERE.parent / "documents"
WRITERS = {".pdf": pdf.write, ".docx": word.write, ".pptx": slides.write, ".xlsx": sheets.write}
TARGETS = (
    "company/employee-handbook.pdf",
    "company/it-security-policy.pdf",
    "company/price-list-2026.xlsx",
    "company/travel-and-expenses.docx",
    "board/board-minutes-2026-09.pdf",
    "engineering/station-technical-manual.docx",
    "finance/floor-prices-2026.xlsx",
    "hr/salary-bands-2026.xlsx",
    "sales/sales-playbook.pptx",
    "sales/contracts/frame-agreement-template.docx",
)


def main() -> None:
    """Write every document that has a manuscript."""
    for name in TARGETS:
        target = DOCUMENTS / name
        target.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[target.suffix](read(HERE / "content" / f"{target.stem}.md"), target)
        if target.suffix != ".pdf":
            freeze(target)
        print(f"{target.stat().st_size:>8} {name}")


if __name__ == "__main__":
    main()
