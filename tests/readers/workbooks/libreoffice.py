"""Table of the texts that LibreOffice shows for numbers with number formats: `shown.tsv` beside this file.

`python -m tests.readers.workbooks.libreoffice` writes it anew; it needs the program `soffice`, which tests do not.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, parse

from tests.readers.workbooks.sheets import Cell, workbook

TABLE = Path(__file__).with_name("shown.tsv")
_TABLE_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CODES = r"""
0|0.00|#,##0|#,##0.00|0%|0.0%|0.00E+00|##0.0E+0|0.00E-00|00.0E+0|# ?/?|# ??/??|# ?/8|?/?|# ?/16|# ???/???|0/0|00000
000-00-0000|(000) 000-0000|"CHF" #,##0.00|0.0 "mm"|0.0,, "M"|#,##0,|#,##0.00,|#,##0;(#,##0)|"yes";;"no"|0.0;-0.0;"zero"
$#,##0.00|[$€-407] #,##0.00|#,##0.00 [$€-407]|[$CHF] #,##0|[$-409]#,##0.00|#,##0_);[Red](#,##0)|[Blue]0.0;[Red]-0.0
_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)|[<1]"low "0.00;[>100]"high "0;0.0|[>0]"+"0;[<0]"-"0;0|+0;-0;0|0;0;
[<=9999999]###-####;(###) ###-####|0.###|#.##|.00|0.0#|#.000|0.???|####.#|#|#,#|#,##|0,000.0|0"x"0|00-00-00|\a0|0\,0
"Q"0|0 "a;b"|0 "%"|0.0‰|0 0|0.0.0|"from "0" to "0|0.00" €/m²"|$0.00" Surplus";$-0.00" Shortage"|0.00%;[Red]-0.00%
#,##0.00 "EUR/t"|[Color10]0|-0|(0)|0.00_ ;-0.00 |#,##0.0_-"€"|0*x|* #,##0.00|0.0000000000
"""
_VALUES = (
    0,
    1,
    -1,
    2480,
    0.1823,
    37.5,
    3400000,
    -1250,
    1234.5,
    -1234.567,
    99.995,
    0.3333333333333333,
    -0.001,
    2.5,
    3e9,
    "text",
)
_DATE_CODES = r"""
yyyy-mm-dd|d mmm yyyy|dddd, mmmm d, yyyy|mmmm yyyy|yyyy|h:mm|hh:mm:ss|h:mm AM/PM|[h]:mm:ss|[mm]:ss|[ss]|[h]
mm:ss.0|hh:mm:ss.00|yyyy-mm-dd hh:mm|yyyy/m/d h:mm:ss|yyyy"年"m"月"d"日"|d. mmmm yyyy|mmmm d, yyyy h:mm AM/PM
[$-409]mmmm d, yyyy|h "h" mm "min"|yyyymmdd|ddd d mmmm yyyy
"""
_DAYS = (61, 36526, 45000, 45351.6041666667, 100.75, 36891.5, 45000.123456)


def pairs() -> list[tuple[str, float | str]]:
    """Number formats with values."""
    numbers = [(code, value) for code in _split(_CODES) for value in _VALUES]
    return [*numbers, *((code, day) for code in _split(_DATE_CODES) for day in _DAYS)]


def _split(codes: str) -> list[str]:
    return [code for line in codes.strip("\n").split("\n") for code in line.split("|")]


def shown_by_libreoffice() -> Iterator[str]:
    """The text of each pair in LibreOffice, in English of the United States."""
    content = workbook([[Cell(value, code)] for code, value in pairs()])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "codes.xlsx")
        source.write_bytes(content)
        home = f"-env:UserInstallation=file://{folder}/home"
        command = ["soffice", home, "--headless", "--convert-to", "fods", "--outdir", folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        tree = parse(Path(folder, "codes.fods")).getroot()
    for row in tree.iter(f"{_TABLE_SPACE}table-row"):
        texts = (_text(paragraph) for paragraph in row.iter(f"{_TEXT_SPACE}p"))
        yield from [" ".join("".join(texts).split())] * int(row.get(f"{_TABLE_SPACE}number-rows-repeated", "1"))


def _text(element: Element) -> str:
    blanks = " " * int(element.get(f"{_TEXT_SPACE}c", "1")) if element.tag == f"{_TEXT_SPACE}s" else ""
    return blanks + (element.text or "") + "".join(_text(child) + (child.tail or "") for child in element)


if __name__ == "__main__":
    rows = zip(pairs(), shown_by_libreoffice(), strict=False)
    TABLE.write_text("".join(f"{code}\t{value!r}\t{text}\n" for (code, value), text in rows), encoding="utf-8")
