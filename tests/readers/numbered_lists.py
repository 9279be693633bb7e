"""One description of a numbered list, and how each format writes it."""

from collections.abc import Callable, Mapping, Sequence

from tests.readers.office import docx_parts, package, paragraph, pptx, run
from tests.readers.open_files import epub, open_file

Item = tuple[int, str]
"""Level of an item, 0 for the outermost, and its text."""
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_HTML_TYPES = {"decimal": "1", "lowerLetter": "a", "upperRoman": "I"}


def _tags(start: int, form: str, items: Sequence[Item]) -> str:
    body, depth = f'<ol type="{_HTML_TYPES[form]}" start="{start}">', 0
    for place, (level, text) in enumerate(items):
        body += "<ol>" if level > depth else "</li></ol></li>" if level < depth else "</li>" if place else ""
        body += f"<li>{text}"
        depth = level
    return body + "</li></ol>" * (depth + 1)


def _counters(start: int, form: str, items: Sequence[Item]) -> bytes:
    shape = {"lowerLetter": "lower-alpha", "upperRoman": "upper-roman"}.get(form, form)
    sheet = f"ol{{counter-reset:n {start - 1};list-style:none}}ol ol{{counter-reset:m}}ol ol li{{counter-increment:m}}"
    sheet += f"ol>li:before{{counter-increment:n;content:counter(n,{shape}) '. '}}"
    sheet += "ol ol>li:before{counter-increment:none;content:counter(m) '. '}"
    return f"<style>{sheet}</style>{_tags(1, 'decimal', items)}".encode()


def _markdown(start: int, form: str, items: Sequence[Item]) -> bytes:
    numbers = [start - 1, 0]
    lines: list[str] = []
    for level, text in items:
        numbers = [numbers[0] + 1, 0] if level == 0 else [numbers[0], numbers[1] + 1]
        lines.append(f"{'    ' * level}{numbers[level]}. {text}")
    return ("\n".join(lines) + "\n").encode() if form == "decimal" else b""


def _word(start: int, form: str, items: Sequence[Item]) -> bytes:
    forms = ((start, form), (1, "decimal"))
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="{first}"/><w:numFmt w:val="{each}"/>'
        f'<w:lvlText w:val="%{level + 1}."/></w:lvl>'
        for level, (first, each) in enumerate(forms)
    )
    own = '<w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    parts = docx_parts(*(paragraph(run(text)).replace("</w:pPr>", own.format(level)) for level, text in items))
    abstract = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>'
    number = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    return package({**parts, "word/numbering.xml": f'<w:numbering xmlns:w="{_WORD}">{abstract}{number}</w:numbering>'})


def _open(start: int, form: str, items: Sequence[Item]) -> bytes:
    own = f'style:num-format="{_HTML_TYPES[form]}" style:num-suffix="." text:start-value="{start}"'
    styles = (
        f'<text:list-style style:name="L"><text:list-level-style-number text:level="1" {own}/>'
        '<text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix="."/></text:list-style>'
    )
    body, depth = '<text:list text:style-name="L">', 0
    for place, (level, text) in enumerate(items):
        end = "</text:list-item>"
        body += "<text:list>" if level > depth else f"{end}</text:list>{end}" if level < depth else end if place else ""
        body += f"<text:list-item><text:p>{text}</text:p>"
        depth = level
    return open_file("text", body + "</text:list-item></text:list>" * (depth + 1), styles)


def _rich(start: int, form: str, items: Sequence[Item]) -> bytes:
    shown = numbers_of(start, form, items)
    body = "".join(
        rf"{{\listtext\pard\plain {number}.\tab}}{text}\par " for number, (_, text) in zip(shown, items, strict=True)
    )
    return rf"{{\rtf1\ansi\pard {body}}}".encode()


def _slide(start: int, form: str, items: Sequence[Item]) -> bytes:
    schemes = {"decimal": "arabicPeriod", "lowerLetter": "alphaLcPeriod", "upperRoman": "romanUcPeriod"}
    paragraphs = ""
    for level, text in items:
        scheme = f'type="{schemes[form]}" startAt="{start}"' if level == 0 else 'type="arabicPeriod"'
        properties = f'<a:pPr lvl="{level}"><a:buAutoNum {scheme}/></a:pPr>'
        paragraphs += f"<a:p>{properties}<a:r><a:t>{text}</a:t></a:r></a:p>"
    return pptx([[f"<p:sp><p:nvSpPr/><p:spPr/><p:txBody>{paragraphs}</p:txBody></p:sp>"]], {})


def numbers_of(start: int, form: str, items: Sequence[Item]) -> list[str]:
    """The number of each item as people see it."""
    shapes = {"lowerLetter": "abcdefghij", "upperRoman": ("I", "II", "III", "IV", "V", "VI", "VII")}
    outer, inner = start - 1, 0
    numbers: list[str] = []
    for level, _ in items:
        outer, inner = (outer + 1, 0) if level == 0 else (outer, inner + 1)
        numbers.append(str(inner) if level else shapes[form][outer - 1] if form in shapes else str(outer))
    return numbers


WRITERS: Mapping[str, tuple[str, Callable[[int, str, Sequence[Item]], bytes]]] = {
    "html": ("html", lambda start, form, items: _tags(start, form, items).encode()),
    "css": ("html", _counters),
    "epub": ("epub", lambda start, form, items: epub({"a.xhtml": _tags(start, form, items)})),
    "md": ("md", _markdown),
    "docx": ("docx", _word),
    "odt": ("odt", _open),
    "rtf": ("rtf", _rich),
    "pptx": ("pptx", _slide),
}
"""File type and content of a list, by name; empty where the format has no such numbers."""
