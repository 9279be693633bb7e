"""Number formats that workbooks name by a number only (ISO/IEC 29500-1, 18.8.30), as en-US shows them."""

from typing import Final

GENERAL: Final = "General"
_ISO_DATE: Final = "yyyy-mm-dd"
_EAST_ASIAN_DATES: Final = (*range(27, 32), 34, 35, 36, *range(50, 59))
"""Dates whose form depends on the language of the program."""
_CODES: Final = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: _ISO_DATE,
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: f"{_ISO_DATE} h:mm",
    32: "h:mm",
    33: "h:mm:ss",
    37: "#,##0_);(#,##0)",
    38: "#,##0_);[Red](#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
    42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mmss.0",
    48: "##0.0E+0",
    49: "@",
    **dict.fromkeys(_EAST_ASIAN_DATES, _ISO_DATE),
}


def built_in_code(number: int) -> str:
    """Return the format code of a number; General for one that the standard leaves open."""
    return _CODES.get(number, GENERAL)
