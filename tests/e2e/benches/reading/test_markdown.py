"""Markdown of peers and of reference texts is read as people read it."""

from bench.reading.markdown import read_markdown

PAGE = """\
<!-- image -->

# The *Annual* Report

1. First
   line
2. Second with `code` and <name>

| Item | 2023 |
| - | - |
| Cash\\_flow<br>net | **5** |

```
a  b
```
"""


def test_text_tables_headings_and_title_are_found() -> None:
    found = read_markdown(PAGE)

    assert found.headings == ["The Annual Report"]
    assert found.title == "The Annual Report"
    assert found.tables == [[["Item", "2023"], ["Cash_flow net", "5"]]]
    assert found.text.splitlines() == [
        "The Annual Report",
        "1. First",
        "line",
        "2. Second with code and <name>",
        "Item | 2023",
        "Cash_flow net | 5",
        "a  b",
    ]


def test_a_title_that_is_given_comes_before_the_first_heading() -> None:
    assert read_markdown("# Contents", title="Report").title == "Report"
    assert read_markdown("No heading").title is None
